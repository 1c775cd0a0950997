// Fades are lowered where, and as far as, the surface would fold too sharply. Closed form: two squares that share an
// edge.
#include "methods/bones_blending/crease_limits.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/zone_folds.h"

namespace fascia {
namespace {

constexpr double degrees = std::numbers::pi / 180;

/// A flat strip along x of `squares` unit squares, in triangles.
Mesh strip(int squares) {
    Mesh mesh;
    for (int x = 0; x <= squares; ++x)
        for (const float z : {0.0f, 1.0f}) mesh.positions.push_back({float(x), 0, z});
    for (std::uint32_t x = 0; x < std::uint32_t(squares); ++x)
        for (const std::uint32_t v : {2 * x, 2 * x + 1, 2 * x + 2, 2 * x + 2, 2 * x + 1, 2 * x + 3})
            mesh.triangles.push_back(v);
    return mesh;
}

/// The squares from the third on are bent upwards by an angle, as their zone (joint 1) wants it.
std::vector<Vec3> bent(const Mesh& mesh, double angle) {
    std::vector<Vec3> out = mesh.positions;
    for (Vec3& p : out)
        if (p.x > 2) p = {float(2 + (p.x - 2) * std::cos(angle)), float((p.x - 2) * std::sin(angle)), p.z};
    return out;
}

/// Vertices beyond x turn with joint 1, which has half of their weight.
std::vector<ZoneVertex> zone_from(const Mesh& mesh, float x) {
    std::vector<ZoneVertex> out;
    for (const Vec3& p : mesh.positions)
        out.push_back(p.x > x ? ZoneVertex{.joint = 1,
                                           .zone_t = 0.5,
                                           .painted_t = 0.5,
                                           .painted_share = 1,
                                           .alone = 1,
                                           .fade = 1,
                                           .owner = 1}
                              : ZoneVertex{});
    return out;
}

std::vector<Vec3> mixed(const std::vector<Vec3>& a, const std::vector<Vec3>& b, float share) {
    std::vector<Vec3> out;
    for (std::size_t v = 0; v < a.size(); ++v) out.push_back(a[v] + (b[v] - a[v]) * share);
    return out;
}

double sharpest(const Mesh& mesh, const std::vector<Vec3>& moved) {
    double out = 0;
    for (const test::Fold& fold : test::folds_of(mesh)) out = std::max(out, test::fold_angle(mesh, fold, moved));
    return out;
}

/// A zone that moves vertices by `shared` where only the share of the weights turns, and by `whole` where it works
/// alone.
struct Zone {
    Mesh mesh = strip(6);
    std::vector<BlendZone> zones = std::vector<BlendZone>(2);
    std::vector<ZoneVertex> vertices;
    std::vector<Vec3> plain, shared, whole;

    explicit Zone(float from) : vertices(zone_from(mesh, from)), plain(mesh.positions) {
        zones[1].radius = 1;
        shared = whole = plain;
    }
    void lower() {
        CreaseLimits limits(mesh, vertices, zones, 1);
        limits.add_pose({plain, shared, mixed(shared, whole, 0.5f), whole});
        limits.lower(vertices);
    }
    std::vector<Vec3> moved() const {
        std::vector<Vec3> out;
        for (std::size_t v = 0; v < plain.size(); ++v) {
            const Vec3 zone = shared[v] + (whole[v] - shared[v]) * float(vertices[v].alone);
            out.push_back(plain[v] + (zone - plain[v]) * float(vertices[v].fade));
        }
        return out;
    }
    void expect_all_left() const {
        for (const ZoneVertex& v : vertices) {
            EXPECT_EQ(v.alone, v.joint >= 0 ? 1 : 0);
            EXPECT_EQ(v.fade, v.joint >= 0 ? 1 : 0);
        }
    }
};

TEST(CreaseLimits, LeaveWhatIsSmooth) {
    Zone zone(2);
    zone.whole = zone.shared = bent(zone.mesh, 3 * degrees);
    zone.lower();
    zone.expect_all_left();
}

TEST(CreaseLimits, LowerAStepAtTheBorder) {
    Zone zone(2);
    zone.whole = bent(zone.mesh, 40 * degrees);
    EXPECT_NEAR(sharpest(zone.mesh, zone.moved()), 40, 1e-3);
    zone.lower();
    EXPECT_LT(sharpest(zone.mesh, zone.moved()), 5);
    EXPECT_GT(sharpest(zone.mesh, zone.moved()), 0.5);  // not thrown away altogether
    // What the weights share out is smooth here and is kept.
    for (const ZoneVertex& v : zone.vertices) EXPECT_EQ(v.fade, v.joint >= 0 ? 1 : 0);
}

TEST(CreaseLimits, FadeWhereTheSharesOfTheWeightsFoldToo) {
    Zone zone(2);
    zone.whole = zone.shared = bent(zone.mesh, 40 * degrees);
    zone.lower();
    EXPECT_LT(sharpest(zone.mesh, zone.moved()), 5);
}

TEST(CreaseLimits, LeaveWhatPlainSkinningFoldsAsSharply) {
    Zone zone(2);
    zone.plain = zone.shared = bent(zone.mesh, 40 * degrees);
    zone.whole = bent(zone.mesh, 45 * degrees);
    zone.lower();
    zone.expect_all_left();
}

TEST(CreaseLimits, LeaveTheBendInsideAZone) {
    Zone zone(-1);
    zone.whole = zone.shared = bent(zone.mesh, 90 * degrees);
    zone.lower();
    zone.expect_all_left();
}

TEST(CreaseLimits, APoseThatIsAddedLaterLowersFurther) {
    Zone zone(2), sharp(2);
    zone.whole = bent(zone.mesh, 3 * degrees);
    sharp.whole = bent(zone.mesh, 40 * degrees);
    CreaseLimits limits(zone.mesh, zone.vertices, zone.zones, 2);
    limits.add_pose({zone.plain, zone.shared, mixed(zone.shared, zone.whole, 0.5f), zone.whole});
    limits.lower(zone.vertices);
    zone.expect_all_left();
    EXPECT_EQ(limits.worst_fold(limits.borders(zone.vertices), zone.plain, zone.moved()), 0);
    // 40 degrees where plain skinning has none are 35 too many.
    EXPECT_NEAR(limits.worst_fold(limits.borders(zone.vertices), sharp.plain, sharp.moved()) / degrees, 35, 1e-3);
    limits.add_pose({sharp.plain, sharp.shared, mixed(sharp.shared, sharp.whole, 0.5f), sharp.whole});
    EXPECT_TRUE(limits.is_full());
    limits.lower(zone.vertices);
    sharp.vertices = zone.vertices;
    EXPECT_EQ(limits.worst_fold(limits.borders(zone.vertices), sharp.plain, sharp.moved()), 0);
    EXPECT_GT(sharpest(sharp.mesh, sharp.moved()), 0.5);
}

TEST(CreaseLimits, LeaveZonesThatWereAskedFor) {
    Zone zone(2);
    zone.whole = zone.shared = bent(zone.mesh, 40 * degrees);
    for (ZoneVertex& v : zone.vertices) v.asked = v.joint >= 0;
    zone.lower();
    zone.expect_all_left();
}

}  // namespace
}  // namespace fascia
