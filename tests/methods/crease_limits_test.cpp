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

std::vector<Attachment> zone_from(const Mesh& mesh, float x) {
    std::vector<Attachment> out;
    for (const Vec3& p : mesh.positions) out.push_back(p.x > x ? Attachment{1, 0.5, 1} : Attachment{});
    return out;
}

double sharpest(const Mesh& mesh, const std::vector<Vec3>& whole, const std::vector<Attachment>& attached) {
    std::vector<Vec3> moved;
    for (std::size_t v = 0; v < whole.size(); ++v)
        moved.push_back(mesh.positions[v] + (whole[v] - mesh.positions[v]) * float(attached[v].fade));
    double out = 0;
    for (const test::Fold& fold : test::folds_of(mesh)) out = std::max(out, test::fold_angle(mesh, fold, moved));
    return out;
}

TEST(CreaseLimits, LeaveWhatIsSmooth) {
    const Mesh mesh = strip(6);
    std::vector<Attachment> attached = zone_from(mesh, 2);
    CreaseLimits limits(mesh, attached);
    limits.add_pose(mesh.positions, bent(mesh, 3 * degrees));
    limits.lower(attached);
    for (const Attachment& a : attached) EXPECT_EQ(a.fade, a.joint >= 0 ? 1 : 0);
}

TEST(CreaseLimits, LowerAStepAtTheBorder) {
    const Mesh mesh = strip(6);
    std::vector<Attachment> attached = zone_from(mesh, 2);
    const std::vector<Vec3> whole = bent(mesh, 40 * degrees);
    EXPECT_NEAR(sharpest(mesh, whole, attached), 40, 1e-3);
    CreaseLimits limits(mesh, attached);
    limits.add_pose(mesh.positions, bent(mesh, 1 * degrees));
    limits.add_pose(mesh.positions, whole);
    limits.lower(attached);
    EXPECT_LT(sharpest(mesh, whole, attached), 5);
    EXPECT_GT(sharpest(mesh, whole, attached), 0.5);  // not thrown away altogether
}

TEST(CreaseLimits, LeaveWhatPlainSkinningFoldsAsSharply) {
    const Mesh mesh = strip(6);
    std::vector<Attachment> attached = zone_from(mesh, 2);
    CreaseLimits limits(mesh, attached);
    limits.add_pose(bent(mesh, 40 * degrees), bent(mesh, 45 * degrees));
    limits.lower(attached);
    for (const Attachment& a : attached) EXPECT_EQ(a.fade, a.joint >= 0 ? 1 : 0);
}

TEST(CreaseLimits, LeaveTheBendInsideAZone) {
    const Mesh mesh = strip(6);
    std::vector<Attachment> attached = zone_from(mesh, -1);
    CreaseLimits limits(mesh, attached);
    limits.add_pose(mesh.positions, bent(mesh, 90 * degrees));
    limits.lower(attached);
    for (const Attachment& a : attached) EXPECT_EQ(a.fade, 1);
}

}  // namespace
}  // namespace fascia
