#include "render/camera.h"

#include <numbers>

#include <gtest/gtest.h>

namespace fascia::picture {
namespace {

struct Spot {
    double x, y;
};

Spot project(const Camera& camera, Vec3d p) {
    const Vec3d c = camera.to_camera(p);
    return {camera.center_x + camera.focal * c.x / c.z, camera.center_y - camera.focal * c.y / c.z};
}

TEST(Camera, HoldsTheWholeBoxAndWastesNothing) {
    View view;
    view.box_min = {-3, 10, 2};
    view.box_max = {5, 12, 9};
    for (const double yaw : {0.0, 0.6, 2.0, -1.3}) {
        for (const double pitch : {0.0, 0.3, -0.4, 1.2}) {
            for (const int width : {200, 400, 1200}) {
                view.yaw = yaw;
                view.pitch = pitch;
                const Camera camera = make_camera(view, width, 400);
                double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
                for (int k = 0; k < 8; ++k) {
                    const Spot s = project(camera, {k & 1 ? 5.0 : -3.0, k & 2 ? 12.0 : 10.0, k & 4 ? 9.0 : 2.0});
                    left = std::min(left, s.x), right = std::max(right, s.x);
                    top = std::min(top, s.y), bottom = std::max(bottom, s.y);
                }
                EXPECT_GT(left, 0);
                EXPECT_LT(right, width);
                EXPECT_GT(top, 0);
                EXPECT_LT(bottom, 400);
                // The box reaches the margin on both sides, either horizontally or vertically.
                const double fill = std::max((right - left) / width, (bottom - top) / 400);
                EXPECT_NEAR(fill, 1 / 1.10, 1e-9);
                EXPECT_NEAR((left + right) / 2 / width, 0.5, 1e-9 + (fill > (right - left) / width ? 1 : 0));
            }
        }
    }
}

TEST(Camera, YawZeroLooksAtTheFrontAndAQuarterTurnAtTheLeftSide) {
    View view;
    view.box_min = {-1, -1, -1};
    view.box_max = {1, 1, 1};
    view.pitch = 0;
    view.yaw = 0;
    const Camera front = make_camera(view, 100, 100);
    EXPECT_GT(project(front, {0.5, 0, 0}).x, 50);                            // +x is on the right
    EXPECT_LT(project(front, {0, 0.5, 0}).y, 50);                            // up is up
    EXPECT_LT(front.to_camera({0, 0, 1}).z, front.to_camera({0, 0, -1}).z);  // +z is nearer
    view.yaw = std::numbers::pi / 2;
    const Camera side = make_camera(view, 100, 100);
    EXPECT_LT(side.to_camera({1, 0, 0}).z, side.to_camera({-1, 0, 0}).z);  // +x is nearer
    view.yaw = 0;
    view.pitch = 0.5;
    EXPECT_GT(make_camera(view, 100, 100).eye.y, 0);  // looking down from above
}

TEST(Camera, MakesDoWithBoxesThatAreFlatEmptyOrNotFinite) {
    const double nan = std::nan(""), inf = INFINITY;
    for (const View& view :
         {View{{0, 0, 0}, {0, 0, 0}}, View{{1, 1, 1}, {-1, -1, -1}}, View{{nan, 0, 0}, {1, 1, 1}},
          View{{0, 0, 0}, {inf, 1, 1}}, View{{1e6, 0, 0}, {1e6, 0, 0}}, View{{0, 0, 0}, {1, 1, 1}, nan, inf}}) {
        const Camera camera = make_camera(view, 64, 48);
        EXPECT_TRUE(std::isfinite(length(camera.eye)));
        EXPECT_GT(camera.size, 0);
        EXPECT_GT(camera.near_plane, 0);
        EXPECT_NEAR(length(camera.up), 1, 1e-12);
    }
}

TEST(View, OfPointsIgnoresWhatIsNotFinite) {
    const float nan = std::nanf("");
    const std::vector<Vec3> points = {{nan, 0, 0}, {1, 2, 3}, {-1, 5, 0}, {0, INFINITY, 0}};
    View view = view_of(points);
    EXPECT_EQ(view.box_min.x, -1);
    EXPECT_EQ(view.box_min.y, 2);
    EXPECT_EQ(view.box_max.y, 5);
    EXPECT_EQ(view.ground_y, 2);
    include_in_view(view, std::vector<Vec3>{{0, -4, 0}});
    EXPECT_EQ(view.box_min.y, -4);
    EXPECT_EQ(view.ground_y, 2);
}

}  // namespace
}  // namespace fascia::picture
