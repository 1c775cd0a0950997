// Points that carry a surface in five ways (docs/formulas.md C11, C12, C14).
#include "embed/point_embedding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "base/portable_math.h"
#include "base/workspace.h"
#include "embed/best_rotation.h"
#include "embed/domains.h"
#include "embed/in_cells.h"
#include "embed/sample_sums.h"

namespace fascia::embedding {
namespace {

constexpr How every_way[] = {How::trilinear, How::blend, How::dq, How::rbf, How::domains};
constexpr Kernel every_kernel[] = {Kernel::gauss, Kernel::wendland, Kernel::thin_plate};

/// A surface in a block of cells, and everything that an embedding needs of it.
struct Body {
    std::vector<Vec3> positions, normals;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint16_t> joints;
    std::vector<Vec3d> points;
    Trilinear bound;

    EmbeddingInput input(How how, Kernel kernel = Kernel::gauss, std::size_t samples = 300) const {
        EmbeddingInput out;
        out.how = how, out.kernel = kernel, out.samples = samples;
        out.positions = positions, out.normals = normals, out.triangles = triangles, out.joints = joints;
        out.bound = &bound, out.points = points;
        return out;
    }
};

/// Rows of vertices around the x axis, closed at both ends by nothing. radius(x), [rings] from x = from to x = to
void add_tube(Body& body, Vec3 middle, double radius, double length, int rings, int around) {
    const auto first = std::uint32_t(body.positions.size());
    for (int r = 0; r <= rings; ++r)
        for (int a = 0; a < around; ++a) {
            const double angle = 2 * portable::pi * a / around;
            const Vec3d out{0, portable::cosine(angle), portable::sine(angle)};
            body.positions.push_back(middle + to_float(Vec3d{length * (double(r) / rings - 0.5), 0, 0} + out * radius));
            body.normals.push_back(to_float(out));
        }
    for (int r = 0; r < rings; ++r)
        for (int a = 0; a < around; ++a) {
            const auto at = [&](int ring, int k) { return first + std::uint32_t(ring * around + k % around); };
            for (const std::uint32_t v :
                 {at(r, a), at(r, a + 1), at(r + 1, a), at(r + 1, a), at(r, a + 1), at(r + 1, a + 1)})
                body.triangles.push_back(v);
        }
}

/// Parallels and meridians.
void add_sphere(Body& body, double radius, int parallels, int meridians) {
    for (int p = 0; p <= parallels; ++p)
        for (int m = 0; m < meridians; ++m) {
            const double down = portable::pi * p / parallels, turn = 2 * portable::pi * m / meridians;
            const Vec3d n{portable::cosine(down), portable::sine(down) * portable::cosine(turn),
                          portable::sine(down) * portable::sine(turn)};
            body.positions.push_back(to_float(n * radius));
            body.normals.push_back(to_float(n));
        }
    for (int p = 0; p < parallels; ++p)
        for (int m = 0; m < meridians; ++m) {
            const auto at = [&](int row, int k) { return std::uint32_t(row * meridians + k % meridians); };
            for (const std::uint32_t v :
                 {at(p, m), at(p + 1, m), at(p, m + 1), at(p, m + 1), at(p + 1, m), at(p + 1, m + 1)})
                body.triangles.push_back(v);
        }
}

/// Cells of edge h all over its box.
void fill_with_cells(Body& body, double h) {
    Vec3 low = body.positions[0], high = low;
    for (const Vec3 p : body.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    // Not aligned with the vertices in any way.
    const Vec3d origin = to_double(low) - Vec3d{0.317, 0.411, 0.263} * h;
    const auto cells = [&](float a, double b) { return std::size_t((double(a) - b) / h) + 1; };
    const std::size_t nx = cells(high.x, origin.x), ny = cells(high.y, origin.y), nz = cells(high.z, origin.z);
    for (std::size_t z = 0; z <= nz; ++z)
        for (std::size_t y = 0; y <= ny; ++y)
            for (std::size_t x = 0; x <= nx; ++x)
                body.points.push_back(origin + Vec3d{double(x), double(y), double(z)} * h);
    std::vector<Vec3d> lower;
    std::vector<std::uint32_t> corners, homes;
    for (std::size_t z = 0; z < nz; ++z)
        for (std::size_t y = 0; y < ny; ++y)
            for (std::size_t x = 0; x < nx; ++x) {
                lower.push_back(origin + Vec3d{double(x), double(y), double(z)} * h);
                for (std::size_t k = 0; k < 8; ++k)
                    corners.push_back(
                        std::uint32_t(((z + (k >> 2)) * (ny + 1) + y + (k >> 1 & 1)) * (nx + 1) + x + (k & 1)));
            }
    for (const Vec3 p : body.positions) {
        const Vec3d t = (to_double(p) - origin) * (1 / h);
        homes.push_back(std::uint32_t((std::size_t(t.z) * ny + std::size_t(t.y)) * nx + std::size_t(t.x)));
    }
    body.bound = bind_in_cells({lower, corners, h, body.positions, homes});
    if (body.joints.empty()) body.joints.assign(body.positions.size(), 0);
}

/// A tube with two bones, left and right of the middle.
Body tube(double h = 0.5, int rings = 80, int around = 40) {
    Body out;
    add_tube(out, {0, 0, 0}, 1, 8, rings, around);
    for (const Vec3 p : out.positions) out.joints.push_back(p.x > 0 ? 1 : 0);
    fill_with_cells(out, h);
    return out;
}

struct Shown {
    std::vector<Vec3> positions, normals;
};

template <class Map>
Shown carried(const Body& body, const PointEmbedding& embedding, Map map) {
    std::vector<Vec3> moved;
    for (const Vec3d p : body.points) moved.push_back(to_float(map(p)));
    Shown out;
    out.positions.resize(body.positions.size());
    out.normals.resize(body.positions.size());
    EmbeddingScratch scratch;
    Workspace work(2);
    embedding.place(moved, {out.positions, out.normals, {}}, scratch, work.impl().pool);
    return out;
}

template <class Map>
double furthest_off(const Body& body, const Shown& shown, Map map) {
    double out = 0;
    for (std::size_t v = 0; v < body.positions.size(); ++v)
        out = std::max(out, length(to_double(shown.positions[v]) - map(to_double(body.positions[v]))));
    return out;
}
/// The same without the open ends of a tube, where smooth ways have to guess.
template <class Map>
double furthest_off_inside(const Body& body, const Shown& shown, Map map) {
    double out = 0;
    for (std::size_t v = 0; v < body.positions.size(); ++v)
        if (std::abs(body.positions[v].x) < 3)
            out = std::max(out, length(to_double(shown.positions[v]) - map(to_double(body.positions[v]))));
    return out;
}

Quat turned(double degrees, Vec3d axis) {
    const double half = degrees * portable::pi / 360;
    const Vec3d v = normalized(axis) * portable::sine(half);
    return {portable::cosine(half), v.x, v.y, v.z};
}

/// An arc: along x, turned about z by `angle` in all over the length of 8.
Vec3d bent(Vec3d p, double angle) {
    const double radius = 8 / angle, a = p.x / radius;
    return {(radius - p.y) * portable::sine(a), radius - (radius - p.y) * portable::cosine(a), p.z};
}

// ---- what every way does -------------------------------------------------------------------------------------------

TEST(PointEmbedding, RigidMotionIsRigid) {
    const Body body = tube();
    for (const How how : every_way)
        for (const double degrees : {0.0, 90.0, 180.0, 250.0}) {
            const auto embedding = make_embedding(body.input(how));
            const Quat q = turned(degrees, {1, 2, -0.5});
            const auto map = [&](Vec3d p) { return rotate(q, p) + Vec3d{3, -1, 2}; };
            const Shown shown = carried(body, *embedding, map);
            EXPECT_LT(furthest_off(body, shown, map), 1e-5 * 8) << int(how) << " " << degrees;
            double off = 0;
            for (std::size_t v = 0; v < body.normals.size(); ++v)
                off = std::max(off, length(to_double(shown.normals[v]) - rotate(q, to_double(body.normals[v]))));
            EXPECT_LT(off, 1e-4) << int(how) << " " << degrees;
        }
}

TEST(PointEmbedding, AffineFieldsAreReproduced) {
    const Body body = tube();
    const auto map = [](Vec3d p) {
        return Vec3d{1.2 * p.x + 0.3 * p.y - 0.1 * p.z + 1, 0.9 * p.y - 0.2 * p.x, 1.1 * p.z + 0.25 * p.y};
    };
    for (const How how : {How::rbf, How::domains})
        for (const Kernel kernel : every_kernel) {
            const auto embedding = make_embedding(body.input(how, kernel));
            EXPECT_LT(furthest_off(body, carried(body, *embedding, map), map), 1e-6 * 8) << int(how) << int(kernel);
        }
}

TEST(PointEmbedding, SmoothWaysKeepRigidInAPlaneOnALineAndAtAPoint) {
    // A flat sheet, a row of triangles without area, one triangle.
    for (int kind = 0; kind < 3; ++kind) {
        Body body;
        const int columns = kind == 2 ? 2 : 12, rows = kind == 0 ? 12 : 2;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) {
                body.positions.push_back({float(c), kind == 1 ? 0.0f : float(r), 0});
                body.normals.push_back({0, 0, 1});
            }
        for (int r = 0; r + 1 < rows; ++r)
            for (int c = 0; c + 1 < columns; ++c) {
                const auto at = std::uint32_t(r * columns + c);
                for (const std::uint32_t v : {at, at + 1, at + std::uint32_t(columns)}) body.triangles.push_back(v);
            }
        fill_with_cells(body, 0.8);
        const Quat q = turned(140, {1, 0.3, 0.2});
        const auto map = [&](Vec3d p) { return rotate(q, p) + Vec3d{1, 2, 3}; };
        for (const How how : every_way) {
            const auto embedding = make_embedding(body.input(how));
            EXPECT_LT(furthest_off(body, carried(body, *embedding, map), map), 1e-5 * 12) << kind << " " << int(how);
        }
    }
}

TEST(PointEmbedding, PointsWithoutCellsCarryByTheNearest) {
    Body body = tube();
    EmbeddingInput input = body.input(How::domains);
    input.bound = nullptr;
    const auto embedding = make_embedding(input);
    const Quat q = turned(120, {0.2, 1, 0.1});
    const auto rigid = [&](Vec3d p) { return rotate(q, p) + Vec3d{1, 2, 3}; };
    EXPECT_LT(furthest_off(body, carried(body, *embedding, rigid), rigid), 1e-5 * 8);
    const auto arc = [](Vec3d p) { return bent(p, 1); };
    EXPECT_LT(furthest_off_inside(body, carried(body, *embedding, arc), arc), 0.05);
}

TEST(PointEmbedding, SmoothWaysFollowABend) {
    const Body body = tube();
    const auto arc = [](Vec3d p) { return bent(p, 1.5); };
    for (const How how : every_way)
        // Centres of cells lie half a cell from the surface, and narrow bells know little of what is that far out.
        EXPECT_LT(furthest_off_inside(body, carried(body, *make_embedding(body.input(how)), arc), arc),
                  how == How::rbf ? 0.08 : 0.03)
            << int(how);
}

// ---- radial functions ------------------------------------------------------------------------------------------

std::vector<Vec3d> scattered(std::size_t count) {
    std::vector<Vec3d> out;
    for (std::size_t k = 0; k < count; ++k) {
        const auto part = [&](double step) { return double(k) * step - std::floor(double(k) * step); };
        out.push_back({2 * part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703)});
    }
    return out;
}

TEST(RadialBasis, TakesItsCentresAndAffineFieldsExactly) {
    const std::vector<Vec3d> centres = scattered(120);
    for (const Kernel kernel : every_kernel) {
        const RadialBasis system(centres, kernel);
        ASSERT_TRUE(system.is_solid());
        std::vector<double> values(2 * system.size(), 0), scratch, row(system.size());
        const auto wave = [](Vec3d p) { return portable::sine(3 * p.x) + p.y * p.z; };
        const auto plane = [](Vec3d p) { return 0.3 + 2 * p.x - 3 * p.y + 0.5 * p.z; };
        for (std::size_t k = 0; k < centres.size(); ++k)
            values[2 * k] = wave(centres[k]), values[2 * k + 1] = plane(centres[k]);
        system.solve(values, 2, scratch);
        const auto at = [&](Vec3d p, std::size_t column) {
            system.row(p, row);
            double sum = 0;
            for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * values[2 * k + column];
            return sum;
        };
        for (const Vec3d c : centres) EXPECT_NEAR(at(c, 0), wave(c), 1e-9);
        for (const Vec3d p : {Vec3d{0.4, 0.5, 0.6}, Vec3d{5, -3, 2}}) EXPECT_NEAR(at(p, 1), plane(p), 1e-9);
    }
}

TEST(RadialBasis, SlopesAreThoseOfTheRows) {
    const std::vector<Vec3d> centres = scattered(40);
    const Vec3d p{0.7, 0.4, 0.35}, along{0.6, -0.3, 0.74};
    for (const Kernel kernel : every_kernel) {
        const RadialBasis system(centres, kernel);
        std::vector<double> before(system.size()), after(system.size()), slope(system.size());
        constexpr double step = 1e-5;
        system.row(p - along * step, before);
        system.row(p + along * step, after);
        system.slope_row(p, along, slope);
        for (std::size_t k = 0; k < slope.size(); ++k)
            EXPECT_NEAR(slope[k], (after[k] - before[k]) / (2 * step), 1e-5 * (1 + std::abs(slope[k])));
    }
}

TEST(BestRotation, FindsHalfTurnsPlanesAndMirrors) {
    const std::vector<Vec3d> cloud = scattered(20);
    for (const double degrees : {0.0, 1e-4, 60.0, 179.0, 180.0}) {
        const Quat q = turned(degrees, {0.3, -1, 0.8});
        for (const double depth : {1.0, 0.0}) {
            Covariance sum;
            for (const Vec3d p : cloud) {
                const Vec3d rest{p.x - 1, p.y - 0.5, depth * (p.z - 0.5)};
                sum.add(rest, rotate(q, rest) * 1.3);
            }
            const Quat found = best_rotation(sum);
            for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
                EXPECT_LT(length(rotate(found, axis) - rotate(q, axis)), 1e-6) << degrees << " " << depth;
        }
    }
    Covariance mirrored;
    for (const Vec3d p : cloud) mirrored.add({p.x - 1, p.y - 0.5, p.z - 0.5}, {p.x - 1, p.y - 0.5, 0.5 - p.z});
    const Quat found = best_rotation(mirrored);
    EXPECT_NEAR(found.w * found.w + found.x * found.x + found.y * found.y + found.z * found.z, 1, 1e-9);
    EXPECT_EQ(best_rotation({}).w, 1);
}

// ---- stripes ---------------------------------------------------------------------------------------------------

/// Largest second difference of what a surface differs from the exact map, along meridians: the map itself is smooth,
/// so that this shows kinks.
double kinks(const Body& body, const Shown& shown, int parallels, int meridians) {
    double out = 0;
    const auto off = [&](int p, int m) {
        const auto v = std::size_t(p * meridians + m);
        return to_double(shown.positions[v]) - bent(to_double(body.positions[v]), 2);
    };
    for (int m = 0; m < meridians; ++m)
        for (int p = 1; p < parallels; ++p) out = std::max(out, length(off(p - 1, m) - off(p, m) * 2 + off(p + 1, m)));
    return out;
}

TEST(PointEmbedding, StripesFallTenfold) {
    constexpr int parallels = 400, meridians = 24;
    Body body;
    add_sphere(body, 2, parallels, meridians);
    fill_with_cells(body, 0.5);
    const auto arc = [](Vec3d p) { return bent(p, 2); };
    const auto measured = [&](How how) {
        return kinks(body, carried(body, *make_embedding(body.input(how)), arc), parallels, meridians);
    };
    double of_way[5];
    for (const How how : every_way) {
        of_way[int(how)] = measured(how);
        std::printf("largest kink of way %d: %.2g\n", int(how), of_way[int(how)]);
    }
    EXPECT_GT(of_way[int(How::trilinear)], 1e-4);
    EXPECT_LT(of_way[int(How::rbf)], 0.1 * of_way[int(How::trilinear)]);
    EXPECT_LT(of_way[int(How::domains)], 0.1 * of_way[int(How::trilinear)]);
}

// ---- domains -------------------------------------------------------------------------------------------------------

/// Two legs beside each other, the second turned about its upper end.
Body legs() {
    Body out;
    add_tube(out, {0, 0, 0}, 0.5, 4, 40, 24);
    const std::size_t one = out.positions.size();
    add_tube(out, {0, 1.3f, 0}, 0.5, 4, 40, 24);
    for (std::size_t v = 0; v < out.positions.size(); ++v) out.joints.push_back(v < one ? 0 : 1);
    fill_with_cells(out, 0.3);
    return out;
}

TEST(PointEmbedding, ALegDoesNotMoveTheOther) {
    const Body body = legs();
    const Quat q = turned(30, {0, 0, 1});
    const auto map = [&](Vec3d p) {
        const Vec3d hip{2, 1.3, 0};
        return p.y > 0.65 ? rotate(q, p - hip) + hip : p;
    };
    const auto leak = [&](How how) {
        const Shown shown = carried(body, *make_embedding(body.input(how)), map);
        double still = 0, moved = 0;
        for (std::size_t v = 0; v < body.positions.size(); ++v) {
            const double far = length(to_double(shown.positions[v]) - to_double(body.positions[v]));
            (body.joints[v] == 0 ? still : moved) = std::max(body.joints[v] == 0 ? still : moved, far);
        }
        return still / moved;
    };
    EXPECT_LT(leak(How::domains), 1e-6);
    // One system for both leaks, which is why there are domains.
    const double single = leak(How::rbf);
    EXPECT_GT(single, 0.01);
    std::printf("one system leaks %.2g\n", single);
}

TEST(PointEmbedding, SeamsDoNotShow) {
    const Body body = tube(0.5, 160, 48);
    const auto embedding = make_embedding(body.input(How::domains));
    const std::span<const std::uint32_t> domains = embedding->vertex_domains();
    ASSERT_NE(domains[0], domains[domains.size() - 1]);
    const Shown shown = carried(body, *embedding, [](Vec3d p) { return bent(p, 1.5); });
    double at_border = 0, inside = 0;
    constexpr std::size_t around = 48;
    for (std::size_t v = 0; v + around < body.positions.size(); ++v) {
        // The ends of the tube are open: they bend freely.
        if (std::abs(body.positions[v].x) > 3) continue;
        const double jump = length(to_double(shown.normals[v + around]) - to_double(shown.normals[v]));
        (domains[v] != domains[v + around] ? at_border : inside) =
            std::max(domains[v] != domains[v + around] ? at_border : inside, jump);
    }
    EXPECT_GT(at_border, 0);
    EXPECT_LT(at_border, 1.3 * inside);
}

Domains domains_of(const Body& body, const SurfaceSamples& samples, double width) {
    std::vector<Vec3d> places;
    for (const SurfaceSample& s : samples.samples) {
        Vec3d at;
        for (std::size_t c = 0; c < 3; ++c) at += to_double(body.positions[s.vertices[c]]) * s.shares[c];
        places.push_back(at);
    }
    return find_domains({body.positions, body.triangles, body.joints, samples.samples, places, width});
}

TEST(Domains, SharesAddUpAndSmallOnesAreMerged) {
    Body body = tube();
    // A patch too small for a system of its own, and a joint that carries one vertex.
    for (std::size_t v = 0; v < body.positions.size(); ++v)
        if (std::abs(body.positions[v].x - 2) < 0.15 && body.positions[v].y > 0.9) body.joints[v] = 7;
    body.joints[5] = 9;
    const SurfaceSamples samples = sample_surface(body.positions, body.triangles, 100);
    const Domains domains = domains_of(body, samples, 1.5 * samples.spacing);
    EXPECT_EQ(domains.samples.size(), 2u);
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
        double sum = 0;
        for (std::uint32_t e = domains.first[v]; e < domains.first[v + 1]; ++e) sum += domains.shares[e].share;
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

/// A bone with many samples has several systems, none much larger than the others, which agree at its joint.
TEST(Domains, LargePartsAreParted) {
    const Body body = tube();
    const SurfaceSamples samples = sample_surface(body.positions, body.triangles, 600);
    const Domains domains = domains_of(body, samples, samples.spacing);
    EXPECT_GE(domains.samples.size(), 10u);
    for (const auto& own : domains.samples) {
        EXPECT_GT(own.size(), 20u);
        EXPECT_LT(own.size(), 160u);
    }
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
        double sum = 0, own = 0;
        for (std::uint32_t e = domains.first[v]; e < domains.first[v + 1]; ++e) {
            sum += domains.shares[e].share;
            if (domains.shares[e].domain == domains.of_vertex[v]) own = domains.shares[e].share;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        // Where three meet, each has at least a quarter.
        EXPECT_GT(own, 0.24);
    }
}

/// Kernels against plain loops: the same sums in the same order.
TEST(SampleSums, AreThoseOfPlainLoops) {
    const auto number = [](std::size_t k) { return std::sin(double(k) * 1.7); };
    const std::vector<std::uint32_t> first{0, 3, 8}, samples{1, 4, 6, 0, 1, 2, 5, 6};
    std::vector<float> factors, slopes, rows;
    for (std::size_t k = 0; k < 8 * samples.size(); ++k) factors.push_back(float(number(k)));
    for (std::size_t k = 0; k < 16 * samples.size(); ++k) slopes.push_back(float(number(3 * k + 1)));
    for (std::size_t k = 0; k < 4 * 7; ++k) rows.push_back(float(number(7 * k)));
    for (const bool directions : {false, true}) {
        const std::size_t kinds = directions ? 3 : 1;
        std::vector<float> out(2 * 24 * kinds);
        const SampleSums task{first.data(), samples.data(), factors.data(), directions ? slopes.data() : nullptr,
                              rows.data(),  out.data()};
        FASCIA_DISPATCH(sum_samples)(task, 0, 2);
        for (std::size_t block = 0; block < 2; ++block)
            for (std::size_t kind = 0; kind < kinds; ++kind)
                for (std::size_t c = 0; c < 3; ++c)
                    for (std::size_t lane = 0; lane < 8; ++lane) {
                        float sum = 0;
                        for (std::size_t e = first[block]; e < first[block + 1]; ++e) {
                            const float factor =
                                kind == 0 ? factors[8 * e + lane] : slopes[16 * e + 8 * (kind - 1) + lane];
                            sum += factor * rows[4 * samples[e] + c];
                        }
                        EXPECT_EQ(out[8 * (3 * kinds * block + 3 * kind + c) + lane], sum);
                    }
    }
    constexpr std::size_t count = 8, size = 5, columns = 16;
    std::vector<double> left, right, out(count * columns);
    for (std::size_t k = 0; k < count * size; ++k) left.push_back(number(k));
    for (std::size_t k = 0; k < size * columns; ++k) right.push_back(number(5 * k + 2));
    FASCIA_DISPATCH(fold_rows)({left.data(), right.data(), out.data(), count, size, columns});
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            double sum = 0;
            for (std::size_t k = 0; k < size; ++k) sum += right[k * columns + c] * left[r * size + k];
            EXPECT_EQ(out[r * columns + c], sum);
        }
}

TEST(SurfaceSamples, KeepTheirDistance) {
    const Body body = tube();
    const SurfaceSamples found = sample_surface(body.positions, body.triangles, 300);
    EXPECT_EQ(found.samples.size(), 300u);
    std::vector<Vec3d> places;
    for (const SurfaceSample& s : found.samples) {
        Vec3d at;
        for (std::size_t c = 0; c < 3; ++c) at += to_double(body.positions[s.vertices[c]]) * s.shares[c];
        places.push_back(at);
    }
    double nearest = 1e9;
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) nearest = std::min(nearest, length(places[i] - places[k]));
    EXPECT_GT(nearest, 0.5 * found.spacing);
}

/// What keeps a frame cheap: a vertex follows the samples of its own domains alone. So a point of the body reaches few
/// of the 5,103 vertices.
TEST(PointEmbedding, AVertexFollowsTheSamplesOfItsOwnDomains) {
    Body body;
    // Three limbs of six bones each.
    for (int limb = 0; limb < 3; ++limb) add_tube(body, {0, 2.0f * float(limb), 0}, 0.4, 6, 80, 21);
    for (std::size_t v = 0; v < body.positions.size(); ++v)
        body.joints.push_back(std::uint16_t(6 * (v / 1701) + std::size_t((body.positions[v].x + 3) * 0.9999f)));
    fill_with_cells(body, 0.25);
    ASSERT_EQ(body.positions.size(), 5103u);
    const auto embedding = make_embedding(body.input(How::domains));
    std::vector<Vec3> points, at_rest(body.positions.size()), moved(body.positions.size());
    for (const Vec3d p : body.points) points.push_back(to_float(p));
    EmbeddingScratch scratch;
    Workspace work(1);
    embedding->place(points, {at_rest, {}, {}}, scratch, work.impl().pool);
    std::size_t most = 0, carrying = 0;
    for (std::size_t p = 1; p < points.size(); p += 7) {  // the first is what the others are compared with
        points[p].y += 0.1f;
        embedding->place(points, {moved, {}, {}}, scratch, work.impl().pool);
        points[p].y -= 0.1f;
        std::size_t reached = 0;
        for (std::size_t v = 0; v < moved.size(); ++v) reached += length(moved[v] - at_rest[v]) > 1e-6f;
        most = std::max(most, reached);
        carrying += reached > 0;
    }
    EXPECT_GT(carrying, 20u);
    EXPECT_LT(most, body.positions.size() / 5);
}

}  // namespace
}  // namespace fascia::embedding
