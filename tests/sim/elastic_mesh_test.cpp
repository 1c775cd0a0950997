#include "sim/elastic_mesh.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "sim/soft_system.h"

namespace fascia::sim {
namespace {

struct Sample {
    std::vector<Vec3d> rest;
    ElasticMesh mesh;
};

Sample tetrahedron() {
    Sample out{{{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.1, 0}, {0.1, 0.3, 0.9}}, {}};
    EXPECT_TRUE(out.mesh.add_tetrahedron({0, 1, 2, 3}, out.rest, stiffness_of(1000, 0.4)));
    return out;
}

Sample hexahedron() {
    Sample out;
    for (int k = 0; k < 8; ++k) out.rest.push_back({k & 1 ? 1.0 : 0, k & 2 ? 0.8 : 0, k & 4 ? 1.2 : 0});
    out.rest[7] = {1.1, 0.9, 1.3};
    EXPECT_TRUE(out.mesh.add_hexahedron({0, 1, 2, 3, 4, 5, 6, 7}, out.rest, stiffness_of(1000, 0.4)));
    return out;
}

std::vector<Vec3d> shaken(const std::vector<Vec3d>& rest, double by, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-by, by);
    std::vector<Vec3d> out = rest;
    const Quat turn = quat_from_axis_angle(normalized(Vec3d{1, 2, -1}), 1.1);
    for (Vec3d& x : out) x = rotate(turn, x + Vec3d{any(random), any(random), any(random)}) + Vec3d{3, -1, 2};
    return out;
}

std::vector<Vec3d> forces(const Sample& sample, const std::vector<Vec3d>& x) {
    std::vector<Vec3d> out(x.size());
    std::vector<Matrix3> rotations(sample.mesh.point_count());
    sample.mesh.add_forces(x, rotations, out);
    return out;
}

class Elements : public ::testing::TestWithParam<int> {
protected:
    Sample sample = GetParam() == 4 ? tetrahedron() : hexahedron();
};
INSTANTIATE_TEST_SUITE_P(Each, Elements, ::testing::Values(4, 8));

TEST_P(Elements, ForcesAreTheGradientOfTheEnergy) {
    const std::vector<Vec3d> x = shaken(sample.rest, 0.15, 5), f = forces(sample, x);
    const double h = 1e-5;
    for (std::size_t k = 0; k < x.size(); ++k)
        for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            std::vector<Vec3d> more = x, less = x;
            more[k].*axis += h;
            less[k].*axis -= h;
            const double slope = (sample.mesh.energy(more) - sample.mesh.energy(less)) / (2 * h);
            EXPECT_NEAR(f[k].*axis, -slope, 1e-5);
        }
}

TEST_P(Elements, RigidMotionCostsNothing) {
    const std::vector<Vec3d> f = forces(sample, shaken(sample.rest, 0, 1));
    for (const Vec3d& each : f) EXPECT_LT(length(each), 1e-10 * 1000);
    EXPECT_NEAR(sample.mesh.volume(shaken(sample.rest, 0, 1)), sample.mesh.rest_volume(), 1e-12);
}

double& number(std::vector<Vec3d>& of, std::size_t k) {
    return k % 3 == 0 ? of[k / 3].x : k % 3 == 1 ? of[k / 3].y : of[k / 3].z;
}

/// By elimination with the largest pivot of the diagonal, which is enough where no value is negative.
int rank_of(std::vector<std::vector<double>> a) {
    const double small = 1e-9 * a[0][0];
    for (int rank = 0;; ++rank) {
        std::size_t p = 0;
        for (std::size_t k = 0; k < a.size(); ++k)
            if (a[k][k] > a[p][p]) p = k;
        for (std::size_t k = 0; k < a.size(); ++k) EXPECT_GT(a[k][k], -small);
        if (rank == int(a.size()) || !(a[p][p] > small)) return rank;
        const std::vector<double> row = a[p];
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < a.size(); ++j) a[i][j] -= row[i] * row[j] / row[p];
    }
}

TEST_P(Elements, StiffnessHasTheRankOfItsStrains) {
    const std::size_t n = 3 * sample.rest.size();
    const std::vector<Matrix3> rotations(sample.mesh.point_count(), scaled_identity(1));
    std::vector<std::vector<double>> k(n, std::vector<double>(n));
    for (std::size_t c = 0; c < n; ++c) {
        std::vector<Vec3d> u(sample.rest.size()), out(sample.rest.size());
        number(u, c) = 1;
        sample.mesh.add_stiffness(1, rotations, u, out);
        for (std::size_t r = 0; r < n; ++r) k[r][c] = number(out, r);
    }
    for (std::size_t c = 0; c < n; ++c)
        for (std::size_t r = 0; r < c; ++r) EXPECT_NEAR(k[r][c], k[c][r], 1e-9);
    EXPECT_EQ(rank_of(k), GetParam() == 4 ? 6 : 18);
}

TEST(ElasticMesh, StretchedBarPullsAsHookeSays) {
    // A cube pulled along x, free to thin: stress is E times strain.
    Sample cube = hexahedron();
    cube.rest[7] = {1, 0.8, 1.2};
    cube.mesh = {};
    ASSERT_TRUE(cube.mesh.add_hexahedron({0, 1, 2, 3, 4, 5, 6, 7}, cube.rest, stiffness_of(1000, 0.4)));
    std::vector<Vec3d> x = cube.rest;
    for (Vec3d& p : x) p = {p.x * 1.01, p.y * (1 - 0.004), p.z * (1 - 0.004)};
    const std::vector<Vec3d> f = forces(cube, x);
    double pull = 0;
    for (int k = 0; k < 8; ++k) {
        if (k & 1) pull -= f[std::size_t(k)].x;
        EXPECT_NEAR(f[std::size_t(k)].y, 0, 1e-9);
    }
    EXPECT_NEAR(pull, 1000 * 0.01 * 0.8 * 1.2, 1e-9);
}

TEST(ElasticMesh, InsideOutElementsAreRefusedAtRestAndBearableInMotion) {
    Sample tet = tetrahedron();
    EXPECT_FALSE(tet.mesh.add_tetrahedron({1, 0, 2, 3}, tet.rest, {1, 1}));
    std::vector<Vec3d> x = tet.rest;
    x[3].z = -1;
    for (const Vec3d& f : forces(tet, x)) EXPECT_TRUE(std::isfinite(f.x + f.y + f.z));
    EXPECT_GT(forces(tet, x)[3].z, 0) << "pushed back through";
}

TEST(SoftSystem, KeepsTheEnergyOfAnOscillator) {
    SoftParts parts;
    parts.masses = {0.2};
    parts.ties.push_back({{0}, {1.0}, 50});
    const SoftSystem system(parts, 1.0 / 60, 0);
    std::vector<Vec3d> x{{0.1, 0, 0}}, v{{0, 0.3, 0}}, target{{0, 0, 0}};
    SoftScratch scratch;
    const auto energy = [&] { return system.energy(x, target) + 0.1 * dot(v[0], v[0]); };
    const double start = energy();
    for (int k = 0; k < 2000; ++k) system.step(x, v, {target, target}, {}, scratch);
    EXPECT_NEAR(energy() / start, 1, 1e-6);
}

TEST(SoftSystem, LeaningForwardWhatIsTooStiffComesToRestUnderItsWeight) {
    SoftParts parts;
    parts.masses = {0.2};
    parts.ties.push_back({{0}, {1.0}, 5e6});
    const SoftSystem system(parts, 1.0 / 60, 0, 1);
    std::vector<Vec3d> x(1), v(1, Vec3d{1, 0, 0}), target(1);
    SoftScratch scratch;
    for (int k = 0; k < 30; ++k) system.step(x, v, {target, target}, {0, -10, 0}, scratch);
    EXPECT_NEAR(x[0].y, -2 / 5e6, 1e-9);
    EXPECT_LT(length(v[0]), 1e-6);
}

TEST(SoftSystem, MovedTargetsTakeMassesAlongWithoutLag) {
    Sample cube = hexahedron();
    SoftParts parts;
    parts.masses.assign(8, 0.01);
    parts.elements = cube.mesh;
    std::vector<Vec3d> x = cube.rest, v(8, Vec3d{1, 2, 0}), before, after;
    for (std::uint32_t k = 0; k < 4; ++k) {
        parts.ties.push_back({{k}, {1.0}, 2000});
        before.push_back(x[k]);
        after.push_back(x[k] + Vec3d{1, 2, 0} * (1.0 / 60));
    }
    const SoftSystem system(parts, 1.0 / 60, 1.0 / 120, 0.8);
    SoftScratch scratch;
    system.step(x, v, {before, after}, {}, scratch);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_LT(length(x[k] - cube.rest[k] - Vec3d{1, 2, 0} * (1.0 / 60)), 1e-9);
}

/// Sag of the free end of a cantilever under its weight, over what theory says: bending and shear.
double sag_ratio(int along, int across) {
    const double length_of = 1, side = 0.1, young = 1e6, density = 100, g = 0.1;
    const double poisson = 0;
    SoftParts parts;
    std::vector<Vec3d> x;
    const auto node = [&](int i, int j, int k) { return std::uint32_t((i * (across + 1) + j) * (across + 1) + k); };
    for (int i = 0; i <= along; ++i)
        for (int j = 0; j <= across; ++j)
            for (int k = 0; k <= across; ++k)
                x.push_back({length_of * i / along, side * j / across, side * k / across});
    for (int i = 0; i < along; ++i)
        for (int j = 0; j < across; ++j)
            for (int k = 0; k < across; ++k) {
                std::array<std::uint32_t, 8> nodes{};
                for (int c = 0; c < 8; ++c)
                    nodes[std::size_t(c)] = node(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1));
                EXPECT_TRUE(parts.elements.add_hexahedron(nodes, x, stiffness_of(young, poisson)));
            }
    std::vector<double> volumes(x.size());
    parts.elements.add_volumes(volumes);
    for (const double each : volumes) parts.masses.push_back(density * each);
    std::vector<Vec3d> target;
    for (int j = 0; j <= across; ++j)
        for (int k = 0; k <= across; ++k) {
            parts.ties.push_back({{node(0, j, k)}, {1.0}, 1e9});
            target.push_back(x[node(0, j, k)]);
        }
    const SoftSystem system(parts, 10, 0, 1);  // long steps: it comes to rest at once
    std::vector<Vec3d> v(x.size());
    const double before = x.back().y;
    SoftScratch scratch;
    for (int k = 0; k < 12; ++k) system.step(x, v, {target, target}, {0, -g, 0}, scratch);
    const double area = side * side, load = density * area * g, inertia = side * side * side * side / 12;
    const double theory = load / (8 * young * inertia) + load / (2 * (5.0 / 6) * (young / 2) * area);
    return (before - x.back().y) / theory;
}

TEST(SoftSystem, BeamsSagAsTheorySaysUnderRefinement) {
    const double coarse = sag_ratio(20, 2), fine = sag_ratio(60, 2);
    EXPECT_GT(std::abs(coarse - 1), std::abs(fine - 1));
    EXPECT_NEAR(fine, 1, 0.03);
}

TEST(SparseCholesky, FindsWhatTheMatrixWasMultipliedBy) {
    std::mt19937 random(3);
    const std::size_t n = 40;
    std::vector<double> diagonal(n, 1);
    std::vector<MatrixEntry> entries;
    for (int k = 0; k < 90; ++k) {
        const auto a = std::uint32_t(random() % n), b = std::uint32_t(random() % n);
        if (a == b) continue;
        entries.push_back({a, b, -1.0 - double(k % 5)});
        diagonal[a] += 1.0 + double(k % 5);
        diagonal[b] += 1.0 + double(k % 5);
    }
    std::vector<Vec3d> known(n), b(n), scratch;
    for (std::size_t k = 0; k < n; ++k) known[k] = {double(k), 1, double(random() % 7)};
    for (std::size_t k = 0; k < n; ++k) b[k] = known[k] * diagonal[k];
    for (const MatrixEntry& e : entries) {
        b[e.row] += known[e.column] * e.value;
        b[e.column] += known[e.row] * e.value;
    }
    SparseCholesky(diagonal, entries).solve(b, b, scratch);
    for (std::size_t k = 0; k < n; ++k) EXPECT_LT(length(b[k] - known[k]), 1e-9);
}

}  // namespace
}  // namespace fascia::sim
