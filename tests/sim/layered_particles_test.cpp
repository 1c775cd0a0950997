// Shape matching of particles in layers against plain loops, and what it must keep.
#include "sim/layered_particles.h"

#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

/// A bumpy sheet of triangles in layers, numbered along paths.
struct Sheet {
    static constexpr std::size_t side = 13, layers = 3;
    std::vector<std::uint32_t> first, to;
    std::vector<Vec3d> rest;
    std::vector<double> mass;
    std::vector<ParticleShape::Ellipsoid> ellipsoids;

    Sheet() {
        std::vector<std::vector<std::uint32_t>> around(side * side);
        const auto join = [&](std::size_t a, std::size_t b) {
            around[a].push_back(std::uint32_t(b));
            around[b].push_back(std::uint32_t(a));
        };
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t x = 0; x < side; ++x) {
                const std::size_t v = y * side + x;
                if (x + 1 < side) join(v, v + 1);
                if (y + 1 < side) join(v, v + side);
                if (x + 1 < side && y + 1 < side) join(v, v + side + 1);
            }
        const auto pack = [&](const std::vector<std::vector<std::uint32_t>>& lists) {
            first = {0};
            to.clear();
            for (const auto& list : lists) {
                to.insert(to.end(), list.begin(), list.end());
                first.push_back(std::uint32_t(to.size()));
            }
        };
        pack(around);
        const std::vector<std::uint32_t> order = order_along_paths(links());
        std::vector<std::uint32_t> number(order.size());
        for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
        std::vector<std::vector<std::uint32_t>> renumbered(order.size());
        for (std::size_t v = 0; v < around.size(); ++v)
            for (const std::uint32_t w : around[v]) renumbered[number[v]].push_back(number[w]);
        pack(renumbered);
        std::mt19937 dice(7);
        std::uniform_real_distribution<double> some(-0.2, 0.2);
        for (std::size_t k = 0; k < layers; ++k)
            for (std::size_t v = 0; v < order.size(); ++v) {
                const std::size_t old = order[v];
                rest.push_back(
                    {double(old % side) + some(dice), double(old / side) + some(dice), 0.5 * double(k) + some(dice)});
                mass.push_back(1 + some(dice));
                ellipsoids.push_back({normalized(Vec3d{some(dice), some(dice), 1}), 0.5, 0.3});
            }
    }
    Links links() const { return {first, to, 1}; }
    ParticleShape shape() const { return {side * side, layers, links(), rest, mass, ellipsoids}; }
};

using Matrix3 = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;
Vector eigen(Vec3d v) {
    return {v.x, v.y, v.z};
}

Matrix3 nearest_rotation(const Matrix3& a) {
    const Eigen::JacobiSVD<Matrix3> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix3 d = Matrix3::Identity();
    d(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    return svd.matrixU() * d * svd.matrixV().transpose();
}

/// Members of the region of a particle, by plain search over the edges.
std::vector<std::size_t> region(const Sheet& sheet, std::size_t layer, std::size_t v, int rings) {
    const std::size_t n = Sheet::side * Sheet::side;
    std::vector<int> far(n, 99);
    far[v] = 0;
    for (int ring = 0; ring < rings; ++ring)
        for (std::size_t a = 0; a < n; ++a)
            if (far[a] == ring)
                for (const std::uint32_t b : sheet.links().of(a)) far[b] = std::min(far[b], ring + 1);
    std::vector<std::size_t> out;
    for (std::size_t a = 0; a < n; ++a)
        if (far[a] <= rings) out.push_back(layer * n + a);
    if (layer > 0) out.push_back((layer - 1) * n + v);
    if (layer + 1 < Sheet::layers) out.push_back((layer + 1) * n + v);
    return out;
}

struct Twin {
    std::vector<Matrix3> turns;
    std::vector<Vector> goals;
};

/// Goals of all particles, oriented by `turned` on bone and by `turned` on the others, too.
Twin plain_match(const Sheet& sheet, const std::vector<Vector>& x, const Matrix3& turned, int rings) {
    const std::size_t all = sheet.rest.size(), n = Sheet::side * Sheet::side;
    std::vector<std::vector<std::size_t>> regions;
    std::vector<double> holders(all, 0);
    for (std::size_t p = 0; p < all; ++p) regions.push_back(region(sheet, p / n, p % n, rings));
    for (const auto& members : regions)
        for (const std::size_t i : members) holders[i] += 1;
    Twin out;
    out.goals.assign(all, Vector::Zero());
    for (const auto& members : regions) {
        double mass = 0;
        Vector c = Vector::Zero(), c0 = Vector::Zero();
        for (const std::size_t i : members) {
            const double m = sheet.mass[i] / holders[i];
            mass += m;
            c += m * x[i];
            c0 += m * eigen(sheet.rest[i]);
        }
        c /= mass;
        c0 /= mass;
        Matrix3 a = Matrix3::Zero();
        for (const std::size_t i : members) {
            const double m = sheet.mass[i] / holders[i];
            const auto& e = sheet.ellipsoids[i];
            const Vector normal = eigen(e.normal);
            const Matrix3 squares = e.across * e.across * Matrix3::Identity() +
                                    (e.along * e.along - e.across * e.across) * normal * normal.transpose();
            a += m * (x[i] - c) * (eigen(sheet.rest[i]) - c0).transpose() + m / 5 * turned * squares;
        }
        const Matrix3 r = nearest_rotation(a);
        out.turns.push_back(r);
        for (const std::size_t i : members) out.goals[i] += (r * (eigen(sheet.rest[i]) - c0) + c) / holders[i];
    }
    return out;
}

struct Arrays {
    ParticleRegions regions;
    Floats turned, match, positions, rotations;
    Doubles sums, maps;

    Arrays(const Sheet& sheet, int rings, Quat q) : regions(make_particle_regions(sheet.shape(), rings)) {
        const std::size_t n = regions.stride;
        turned.assign(4 * regions.padded, 0);
        for (std::size_t v = 0; v < regions.padded; ++v) {
            turned[v] = float(q.w), turned[regions.padded + v] = float(q.x);
            turned[2 * regions.padded + v] = float(q.y), turned[3 * regions.padded + v] = float(q.z);
        }
        match.assign(n, 1);
        positions.assign(3 * n, 0);
        rotations.assign(4 * n, 0);
        std::fill_n(rotations.begin(), n, 1.0f);
        sums.assign(regions.doubles(), 0);
        maps.assign(regions.doubles(), 0);
    }
    std::size_t place(std::size_t p) const { return p / regions.vertices * regions.padded + p % regions.vertices; }
    Vector at(std::size_t p) const {
        const std::size_t k = place(p), n = regions.stride;
        return {positions[k], positions[n + k], positions[2 * n + k]};
    }
    void put(std::size_t p, const Vector& x) {
        const std::size_t k = place(p), n = regions.stride;
        positions[k] = float(x.x()), positions[n + k] = float(x.y()), positions[2 * n + k] = float(x.z());
    }
    void run(int threads = 1) {
        ThreadPool pool(threads);
        match_particles(
            {&regions, turned.data(), match.data(), positions.data(), rotations.data(), sums.data(), maps.data()},
            pool);
    }
};

const Quat turn = quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.8);
Matrix3 turn_matrix(Quat q) {
    Matrix3 out;
    const Vec3d c[3] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
    for (int k = 0; k < 3; ++k) out.col(k) = eigen(c[k]);
    return out;
}

/// Turned and bent.
std::vector<Vector> bent(const Sheet& sheet, Arrays& arrays) {
    std::vector<Vector> x;
    for (std::size_t p = 0; p < sheet.rest.size(); ++p) {
        Vec3d r = sheet.rest[p];
        r.z += 0.03 * r.x * r.x + 0.3 * std::sin(1.3 * r.y);
        arrays.put(p, eigen(rotate(turn, r)) + Vector(5, -3, 2));
        x.push_back(arrays.at(p));
    }
    return x;
}

TEST(PathOrder, NumbersEveryVertexOnceAndMakesRunsOfRings) {
    const Sheet sheet;
    const RingRuns runs = find_ring_runs(sheet.links(), 3);
    double members = 0;
    for (std::uint32_t v = 0; v + 1 < runs.first.size(); ++v) {
        std::vector<std::size_t> found;
        for (std::uint32_t k = runs.first[v]; k < runs.first[v + 1]; ++k)
            for (std::uint32_t r = runs.runs[k].begin; r < runs.runs[k].end; ++r) {
                ASSERT_NE(r % (RingRuns::block + 1), RingRuns::block) << "a run leaves its block";
                found.push_back(r - r / (RingRuns::block + 1));
            }
        std::vector<std::size_t> expected = region(sheet, 0, v, 3);
        expected.pop_back();  // the sibling
        EXPECT_EQ(found, expected);
        members += double(expected.size());
    }
    EXPECT_LT(double(runs.runs.size()), 0.35 * members) << "runs are worth it";
}

TEST(LayeredParticles, GoalsEqualPlainLoops) {
    const Sheet sheet;
    for (const int rings : {1, 2, 3}) {
        Arrays arrays(sheet, rings, turn);
        const std::vector<Vector> x = bent(sheet, arrays);
        const Twin twin = plain_match(sheet, x, turn_matrix(turn), rings);
        arrays.run();
        const std::size_t n = Sheet::side * Sheet::side;
        double worst = 0;
        for (std::size_t p = n; p < x.size(); ++p) worst = std::max(worst, (arrays.at(p) - twin.goals[p]).norm());
        EXPECT_LT(worst, 1e-5) << rings;
        for (std::size_t p = 0; p < n; ++p) EXPECT_EQ(arrays.at(p), x[p]) << "bone stays";
        for (std::size_t p = n; p < x.size(); ++p) {
            const std::size_t k = arrays.place(p), s = arrays.regions.stride;
            const Quat q = turn * Quat{arrays.rotations[k], arrays.rotations[s + k], arrays.rotations[2 * s + k],
                                       arrays.rotations[3 * s + k]};
            EXPECT_LT((turn_matrix(normalized(q)) - twin.turns[p]).norm(), 1e-5);
        }
    }
}

/// How a particle is turned counts, whether the skeleton has turned it or its own flesh.
TEST(LayeredParticles, OrientationsAreDrivenTurnsTimesOwnOnes) {
    Sheet sheet;
    for (std::size_t p = 0; p < Sheet::side * Sheet::side; ++p)
        sheet.ellipsoids[p].across = sheet.ellipsoids[p].along = 0;
    const Quat part = quat_from_axis_angle(normalized(Vec3d{-2, 1, 1}), 0.5), rest = conjugate(part) * turn;
    Arrays one(sheet, 2, turn), other(sheet, 2, part);
    const std::size_t n = other.regions.stride;
    for (std::size_t k = other.regions.padded; k < n; ++k) {
        other.rotations[k] = float(rest.w), other.rotations[n + k] = float(rest.x);
        other.rotations[2 * n + k] = float(rest.y), other.rotations[3 * n + k] = float(rest.z);
    }
    bent(sheet, one), bent(sheet, other);
    one.run(), other.run();
    for (std::size_t p = 0; p < sheet.rest.size(); ++p) EXPECT_LT((one.at(p) - other.at(p)).norm(), 1e-5) << p;
}

TEST(LayeredParticles, ARigidBodyRestsAnywhere) {
    const Sheet sheet;
    Arrays arrays(sheet, 2, turn);
    for (std::size_t p = 0; p < sheet.rest.size(); ++p)
        arrays.put(p, eigen(rotate(turn, sheet.rest[p])) + Vector(20, 9, 4));
    const Floats before = arrays.positions;
    for (int k = 0; k < 50; ++k) arrays.run();
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(arrays.positions[k], before[k], 1e-5);
}

/// With masses shared among regions, moves to the goals keep momentum.
TEST(LayeredParticles, GoalsKeepMomentum) {
    const Sheet sheet;
    Arrays arrays(sheet, 2, Quat{});
    std::vector<Vector> x;
    for (std::size_t p = 0; p < sheet.rest.size(); ++p) {
        arrays.put(p, eigen(sheet.rest[p]) + 0.2 * Vector(std::sin(double(p)), std::cos(3.0 * double(p)), 0.1));
        x.push_back(arrays.at(p));
    }
    const Twin twin = plain_match(sheet, x, Matrix3::Identity(), 2);
    Vector linear = Vector::Zero();
    double moved = 0;
    for (std::size_t p = 0; p < x.size(); ++p) {
        linear += sheet.mass[p] * (twin.goals[p] - x[p]);
        moved += sheet.mass[p] * (twin.goals[p] - x[p]).norm();
    }
    EXPECT_LT(linear.norm(), 1e-10 * moved);
    arrays.run();
    const std::size_t n = Sheet::side * Sheet::side;
    for (std::size_t p = n; p < x.size(); ++p) EXPECT_LT((arrays.at(p) - twin.goals[p]).norm(), 1e-5);
}

TEST(LayeredParticles, ThreadsGiveTheSameBits) {
    const Sheet sheet;
    Arrays one(sheet, 2, turn), four(sheet, 2, turn);
    bent(sheet, one);
    bent(sheet, four);
    for (int k = 0; k < 5; ++k) one.run(1), four.run(4);
    EXPECT_EQ(one.positions, four.positions);
    EXPECT_EQ(one.rotations, four.rotations);
}

// ---- passes over single particles ----
/// Two joints that carry 13 vertices on two layers.
struct Driven {
    static constexpr std::size_t vertices = 13, padded = 16, layers = 2, stride = 40;
    std::vector<std::uint32_t> first{0, 2, 4};
    std::vector<std::uint16_t> joints{0, 1, 0, 1};
    std::vector<float> weights, duals;
    Floats rest = Floats(3 * stride, 0.0f), positions = rest, turned = Floats(4 * padded, 0.0f);
    Quat turns[2] = {quat_from_axis_angle({0, 0, 1}, 0.3), quat_from_axis_angle({0, 0, 1}, 1.2)};
    Vec3d shifts[2] = {{1, 2, 3}, {-2, 0.5, 1}};

    Driven() {
        for (std::size_t group = 0; group < 2; ++group)
            for (const int joint : {0, 1})
                for (std::size_t lane = 0; lane < 8; ++lane) {
                    const float w = share(8 * group + lane);
                    weights.push_back(8 * group + lane < vertices ? (joint == 0 ? 1 - w : w) : 0);
                }
        for (const int j : {0, 1}) {
            const Quat dual = Quat{0, shifts[j].x / 2, shifts[j].y / 2, shifts[j].z / 2} * turns[j];
            for (const Quat& q : {turns[j], dual})
                for (const double v : {q.w, q.x, q.y, q.z}) duals.push_back(float(v));
        }
        for (std::size_t k = 0; k < layers; ++k)
            for (std::size_t v = 0; v < vertices; ++v)
                for (std::size_t c = 0; c < 3; ++c)
                    rest[c * stride + k * padded + v] = float(std::sin(double(7 * k + 3 * v + 5 * c)));
    }
    static float share(std::size_t v) { return float(v) / float(vertices - 1); }
    Vec3d at(const Floats& channels, std::size_t k, std::size_t v) const {
        const std::size_t i = k * padded + v;
        return {channels[i], channels[stride + i], channels[2 * stride + i]};
    }
    void run(bool linear) {
        FASCIA_DISPATCH(drive_particles)
        ({padded, layers, stride, first.data(), joints.data(), weights.data(), duals.data(), linear, rest.data(),
          positions.data(), turned.data()},
         0, 2);
    }
};

TEST(LayeredParticles, AreCarriedLinearlyOrByDualQuaternions) {
    Driven driven;
    for (const bool linear : {true, false}) {
        driven.run(linear);
        for (std::size_t k = 0; k < Driven::layers; ++k)
            for (std::size_t v = 0; v < Driven::vertices; ++v) {
                const Vec3d x = driven.at(driven.rest, k, v);
                const double w = double(Driven::share(v));
                Vec3d expected;
                for (const int j : {0, 1})
                    expected += (rotate(driven.turns[j], x) + driven.shifts[j]) * (j == 0 ? 1 - w : w);
                if (!linear) {
                    // The blended rotation about z, and the translation that the blended dual part stands for.
                    Quat q{0, 0, 0, 0}, d{0, 0, 0, 0};
                    const auto add = [](Quat a, Quat b, double s) {
                        return Quat{a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
                    };
                    for (const int j : {0, 1}) {
                        const double s = j == 0 ? 1 - w : w;
                        q = add(q, driven.turns[j], s);
                        d = add(d,
                                Quat{0, driven.shifts[j].x / 2, driven.shifts[j].y / 2, driven.shifts[j].z / 2} *
                                    driven.turns[j],
                                s);
                    }
                    const double scale = 1 / std::sqrt(dot(q, q));
                    const Quat t = Quat{d.w * scale, d.x * scale, d.y * scale, d.z * scale} * conjugate(normalized(q));
                    expected = rotate(normalized(q), x) + Vec3d{t.x, t.y, t.z} * 2.0;
                    EXPECT_NEAR(double(driven.turned[3 * Driven::padded + v]), normalized(q).z, 1e-6);
                }
                EXPECT_LT(length(driven.at(driven.positions, k, v) - expected), 3e-6) << linear;
            }
    }
}

/// u' = alpha u + beta (v - drive (change of the driven speed - gravity) + push), compressed towards the limit.
TEST(LayeredParticles, SwingAsWritten) {
    constexpr std::size_t n = 8;
    Floats there(3 * n), driven(3 * n), speed(3 * n), positions(3 * n), velocities(3 * n), offsets(3 * n), push(3 * n);
    Floats alpha(n, 0.9f), beta(n, 0.003f), drive(n, 0.8f), limit(n, 100.0f);
    limit[3] = 0.5f;
    for (std::size_t k = 0; k < 3 * n; ++k) {
        there[k] = float(k), driven[k] = float(k) - 0.1f, speed[k] = 5, positions[k] = driven[k] + 0.5f;
        velocities[k] = 2, push[k] = 0.5f;
    }
    const ParticleStep step{.stride = n,
                            .there = there.data(),
                            .driven = driven.data(),
                            .driven_speed = speed.data(),
                            .positions = positions.data(),
                            .velocities = velocities.data(),
                            .offsets = offsets.data(),
                            .push = push.data(),
                            .alpha = alpha.data(),
                            .beta = beta.data(),
                            .drive = drive.data(),
                            .limit = limit.data(),
                            .rate = 240,
                            .felt = {0.1f, 0, 0}};
    FASCIA_DISPATCH(predict_particles)(step, 0, 1);
    RangeMotion motion;
    FASCIA_DISPATCH(update_particles)(step, 0, 1, motion);
    for (std::size_t k = 0; k < 3 * n; ++k) {
        const double felt = 0.1 * 240 - 5 - (k < n ? 0.1 : 0);
        double u = 0.9 * 0.5 + 0.003 * (2 - 0.8 * felt + 0.5);
        if (k % n == 3) {
            // The length of u, of which this is one component; x feels gravity.
            const double x = 0.9 * 0.5 + 0.003 * (2.5 - 0.8 * (19 - 0.1)), y = 0.9 * 0.5 + 0.003 * (2.5 - 0.8 * 19);
            const double size = std::sqrt(x * x + 2 * y * y), t = (size - 0.25) / 0.25;
            u *= 0.25 * (1 + t / (1 + t)) / size;
        }
        EXPECT_NEAR(double(positions[k] - there[k]), u, 3e-6) << k;
        EXPECT_NEAR(double(velocities[k]), (u - 0.5) * 240, 2e-3);
        EXPECT_FLOAT_EQ(speed[k], (there[k] - (float(k) - 0.1f)) * 240);
        EXPECT_EQ(driven[k], there[k]);
    }
    EXPECT_EQ(motion.at_limit, 1u);
    EXPECT_GT(motion.way2, 0);
}

/// Whatever comes after it: the step must not be taken for a small one.
TEST(LayeredParticles, AWayThatIsNoNumberIsReported) {
    constexpr std::size_t n = 24;
    Floats driven(3 * n, 0), positions(3 * n, 0.25f), velocities(3 * n), offsets(3 * n, 0), limit(n, 100.0f);
    positions[3] = std::nanf("");
    ParticleStep step;
    step.stride = n;
    step.driven = driven.data(), step.positions = positions.data(), step.velocities = velocities.data();
    step.offsets = offsets.data(), step.limit = limit.data();
    step.rate = 240;
    RangeMotion motion;
    FASCIA_DISPATCH(update_particles)(step, 0, 3, motion);
    EXPECT_TRUE(std::isnan(motion.way2));
    FASCIA_DISPATCH(update_particles)(step, 1, 3, motion);
    EXPECT_TRUE(std::isnan(motion.way2));
}

/// The moment of an ellipsoid by sampling its inside: rotation on the left of the squares.
TEST(LayeredParticles, MomentOfAnEllipsoidBySampling) {
    const Vector normal = Vector(1, 2, 2).normalized();
    const double across = 0.7, along = 0.4;
    const Matrix3 r = turn_matrix(turn);
    std::mt19937 dice(3);
    std::uniform_real_distribution<double> some(-1, 1);
    const Vector u = normal.cross(Vector(0, 0, 1)).normalized(), w = normal.cross(u);
    Matrix3 sum = Matrix3::Zero();
    int count = 0;
    while (count < 200000) {
        const Vector s(some(dice), some(dice), some(dice));
        if (s.squaredNorm() > 1) continue;
        const Vector x0 = across * (u * s.x() + w * s.y()) + along * normal * s.z();
        sum += (r * x0) * x0.transpose();
        ++count;
    }
    const Matrix3 squares =
        (across * across * Matrix3::Identity() + (along * along - across * across) * normal * normal.transpose()) / 5;
    EXPECT_LT((sum / count - r * squares).norm(), 2e-3);
    EXPECT_GT((sum / count - squares * r).norm(), 1e-2) << "the other order is another matrix";
}

}  // namespace
}  // namespace fascia::sim
