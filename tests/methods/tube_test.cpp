// The values of docs/formulas.md 0.7 and C1, through the whole public interface.
#include "support/tube.h"

#include <numbers>
#include <ostream>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "fascia/method.h"

namespace fascia {
namespace {

using test::TubeShape;

constexpr double degrees = std::numbers::pi / 180;

enum class Motion { bend, twist };

std::vector<Affine> pose_of(const Character& c, Motion motion, double angle) {
    const Vec3d axis = motion == Motion::bend ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    return {c.joints[0].rest, compose({0, 0, 0}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
}

std::vector<Vec3> deform(const Character& c, const Settings& settings, const std::vector<Affine>& pose) {
    const auto rig = bind(c, settings);
    EXPECT_TRUE(rig.ok());
    State state = make_state(**rig);
    Workspace work;
    advance(**rig, pose, 1.0 / 60, state, work);
    std::vector<Vec3> out(c.mesh.vertex_count());
    embed(**rig, state, {out, {}, {}}, work);
    return out;
}

double volume_percent(const Character& c, const Settings& settings, Motion motion, double angle) {
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, 8);
    const auto ratio = meter.volume_ratio(deform(c, settings, pose_of(c, motion, angle)));
    EXPECT_TRUE(ratio.has_value());
    return 100 * ratio.value_or(0);
}

struct Row {
    double b;
    Motion motion;
    double angle, lbs, dqs;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << "b " << row.b << (row.motion == Motion::bend ? " bend " : " twist ") << row.angle;
}

class TubeTable : public ::testing::TestWithParam<Row> {};

TEST_P(TubeTable, VolumeIsThatOfTheMethodSheet) {
    const Row row = GetParam();
    const Character c = test::tube_character({160, 64, row.b});
    EXPECT_NEAR(volume_percent(c, LbsSettings{}, row.motion, row.angle * degrees), row.lbs, 0.02);
    EXPECT_NEAR(volume_percent(c, DqsSettings{}, row.motion, row.angle * degrees), row.dqs,
                row.dqs == 100 ? 0.05 : 0.02);  // "100.0" is given to one decimal
}

INSTANTIATE_TEST_SUITE_P(
    AllRows, TubeTable,
    ::testing::Values(Row{1, Motion::bend, 90, 95.83, 99.99}, Row{1, Motion::bend, 135, 92.88, 99.98},
                      Row{1, Motion::bend, 180, 91.66, 99.96}, Row{1, Motion::twist, 90, 91.68, 100},
                      Row{1, Motion::twist, 135, 85.78, 100}, Row{1, Motion::twist, 180, 83.33, 100},
                      Row{2, Motion::bend, 90, 91.66, 100}, Row{2, Motion::bend, 135, 85.77, 100},
                      Row{2, Motion::bend, 180, 83.33, 100}, Row{2, Motion::twist, 90, 83.34, 100},
                      Row{2, Motion::twist, 135, 71.56, 100}, Row{2, Motion::twist, 180, 66.67, 100}));

TEST(Tube, LbsVolumeLossFollowsTheClosedForm) {
    const Character c = test::tube_character({});
    for (const double angle : {30.0, 60.0, 100.0, 150.0}) {
        const double loss = 4.0 / (3 * 8) * std::pow(std::sin(angle * degrees / 2), 2);
        EXPECT_NEAR(volume_percent(c, LbsSettings{}, Motion::twist, angle * degrees), 100 * (1 - loss), 0.02);
        EXPECT_NEAR(volume_percent(c, LbsSettings{}, Motion::bend, angle * degrees), 100 * (1 - loss / 2), 0.02);
    }
}

TEST(Tube, TwistedRingHasTheRadiusOfTheMethodSheet) {
    const Character c = test::tube_character({});
    for (const double angle : {60.0, 90.0, 120.0, 180.0}) {
        const auto pose = pose_of(c, Motion::twist, angle * degrees);
        const auto lbs = deform(c, LbsSettings{}, pose), dqs = deform(c, DqsSettings{}, pose);
        for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
            if (c.mesh.positions[i].x != 0) continue;  // the ring where both weights are 1/2
            EXPECT_NEAR(std::hypot(lbs[i].y, lbs[i].z), std::cos(angle * degrees / 2), 2e-7);
            EXPECT_NEAR(std::hypot(dqs[i].y, dqs[i].z), 1, 5e-7);
        }
    }
}

}  // namespace
}  // namespace fascia
