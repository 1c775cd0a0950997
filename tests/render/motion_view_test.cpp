#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "render/camera.h"
#include "shapes.h"

namespace fascia {
namespace {

using test::pixel;
using test::Shape;

/// A sphere stretched to half axes (x, y, z), moved to `center`.
Shape ellipsoid(Vec3 half, Vec3 center) {
    Shape shape = test::sphere(24);
    for (Vec3& p : shape.positions) p = Vec3{p.x * half.x, p.y * half.y, p.z * half.z} + center;
    shape.normals.clear();
    shape.paint({0.9f, 0.02f, 0.02f, 1});
    return shape;
}

Moment moment_of(double time, const Shape& shape) {
    const View box = view_of(shape.positions);
    return {time, shape.positions, box.box_min, box.box_max, true};
}

struct Silhouette {
    double left = 1, right = 0, top = 1, bottom = 0;  ///< shares of the picture
    double fill() const { return std::max(right - left, bottom - top); }
};

/// Where a picture is red.
Silhouette silhouette(const Image& image) {
    Silhouette s;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const test::Rgb c = pixel(image, x, y);
            if (c.r < 2 * c.g) continue;
            s.left = std::min(s.left, double(x) / image.width), s.right = std::max(s.right, (x + 1.0) / image.width);
            s.top = std::min(s.top, double(y) / image.height), s.bottom = std::max(s.bottom, (y + 1.0) / image.height);
        }
    }
    return s;
}

/// Pictures of a figure at times 0, 0.1, ..., taken by a camera that knows all of them.
std::vector<Silhouette> film(int frames, int width, int height, const std::function<Shape(double)>& figure,
                             Zoom zoom = Zoom::steady) {
    std::vector<Moment> moments;
    for (int i = 0; i < frames; ++i) moments.push_back(moment_of(0.1 * i, figure(0.1 * i)));
    View look;
    look.ground_lines = 1;
    const MotionView camera(std::move(moments), look, width, height, zoom);
    std::vector<Silhouette> out;
    for (int i = 0; i < frames; ++i)
        out.push_back(silhouette(render(figure(0.1 * i).shot(), camera.at(0.1 * i), width, height)));
    return out;
}

constexpr double pixel_error = 0.015;  // two pixels of the pictures below
constexpr double least = 0.77;         // three quarters and a little

TEST(MotionView, SilhouettesFillThreeQuartersOfThePicture) {
    struct Figure {
        Vec3 half, center;
    };
    for (const Figure& f : {Figure{{1, 1, 1}, {0, 1, 0}}, Figure{{0.3f, 2, 0.3f}, {0, 2, 0}},
                            Figure{{3, 0.2f, 0.5f}, {0, 0, 0}}, Figure{{1e-3f, 2e-3f, 1e-3f}, {0, 0, 0}},
                            Figure{{400, 900, 300}, {-9000, 900, 5000}}, Figure{{1, 1, 1}, {1e4f, 1e3f, -1e4f}}}) {
        for (const auto& [width, height] : {std::pair{160, 180}, std::pair{240, 160}, std::pair{160, 300}}) {
            const Silhouette s = film(1, width, height, [&](double) { return ellipsoid(f.half, f.center); }).front();
            EXPECT_NEAR(s.fill(), least, pixel_error) << f.half.x << " " << width;
            EXPECT_NEAR(s.left + s.right, 1, pixel_error);
            EXPECT_NEAR(s.top + s.bottom, 1, pixel_error);
        }
    }
}

TEST(MotionView, FollowsAFigureThatTravels) {
    struct Way {
        const char* name;
        Vec3 (*at)(double t);
    };
    static constexpr auto place = [](double x, double y, double z) { return to_float(Vec3d{x, y, z}); };
    for (const Way& way :
         {Way{"away", [](double t) { return place(0, 1, -3 * t); }},
          Way{"across", [](double t) { return place(-8 * t, 1, 0); }},
          Way{"upstairs", [](double t) { return place(2 * t, 1 + 2 * t, 0); }},
          Way{"around", [](double t) { return place(4 * std::cos(0.6 * t), 1, 4 * std::sin(0.6 * t)); }},
          Way{"start and stop", [](double t) { return place(2 - 2 * std::cos(1.57 * t), 1, 0); }}}) {
        int frame = 0;
        for (const Silhouette& s : film(21, 160, 180, [&](double t) {
                 return ellipsoid({0.5f, 1, 0.4f}, way.at(t));
             })) {
            SCOPED_TRACE(way.name + std::string(" ") + std::to_string(frame++));
            EXPECT_NEAR(s.fill(), least, 0.03);
            EXPECT_NEAR(s.left + s.right, 1, 0.16);
            EXPECT_NEAR(s.top + s.bottom, 1, 0.16);
        }
    }
}

TEST(MotionView, TheSmallestFillsThreeQuartersTheLargestNineTenths) {
    const auto growing = [](double most) {
        return [=](double t) { return ellipsoid({0.5f, float(1 + (most - 1) * t), 0.5f}, {0, 1, 0}); };
    };
    // If the figure grows a little, its smallest silhouette decides the zoom; if it grows a lot, its largest does.
    const auto little = film(11, 160, 200, growing(1.15)), lot = film(11, 160, 200, growing(2));
    EXPECT_NEAR(little.front().fill(), least, pixel_error);
    EXPECT_NEAR(little.back().fill(), least * 1.15, pixel_error);
    EXPECT_NEAR(lot.back().fill(), 0.9, pixel_error);
    EXPECT_NEAR(lot.front().fill(), 0.45, pixel_error);
}

/// A figure that crouches to a third of its height, and one that spreads its arms on one side.
TEST(MotionView, OnSheetsEverySilhouetteFillsThreeQuarters) {
    const auto crouching = [](double t) {
        const auto half = float(1 - 0.8 * t);
        return ellipsoid({0.25f, half, 0.25f}, {0, half, 0});
    };
    const auto spreading = [](double t) {
        const auto half = float(0.3 + 2 * t);
        return ellipsoid({half, 0.3f, 0.3f}, {half, 1, 0});
    };
    for (const auto& figure : {std::function<Shape(double)>(crouching), std::function<Shape(double)>(spreading)})
        for (const Silhouette& s : film(9, 160, 180, figure, Zoom::by_picture)) {
            EXPECT_GT(s.fill(), 0.75);
            EXPECT_LT(s.fill(), 0.95);
            EXPECT_GT(std::min(s.left, s.top), 0.02);
            EXPECT_LT(std::max(s.right, s.bottom), 0.98);
        }
}

TEST(MotionView, OnlyShownMomentsAreFramed) {
    std::vector<Moment> moments = {moment_of(0, ellipsoid({1, 1, 1}, {})), moment_of(1, ellipsoid({3, 3, 3}, {}))};
    moments[1].shown = false;
    const MotionView camera(moments, {}, 160, 180);
    EXPECT_NEAR(silhouette(render(ellipsoid({1, 1, 1}, {}).shot(), camera.at(0), 160, 180)).fill(), least, pixel_error);
}

TEST(MotionView, StandsStillForAFigureThatStaysInPlace) {
    std::vector<Moment> swaying, jumping;
    for (int i = 0; i < 20; ++i) {
        const auto wave = static_cast<float>(0.1 * std::sin(i));
        swaying.push_back(moment_of(0.1 * i, ellipsoid({0.5f, 1, 0.5f}, {wave, 1, 0})));
        jumping.push_back(moment_of(0.1 * i, ellipsoid({0.5f, 1, 0.5f}, {0, 1 + 2 * std::max(wave, 0.0f), 0})));
    }
    for (const auto& moments : {swaying, jumping}) {
        const MotionView camera(moments, {}, 160, 180);
        const Vec3d first = camera.at(0).aim->target;
        for (double t = -0.5; t < 2.5; t += 0.07) EXPECT_LT(length(camera.at(t).aim->target - first), 1e-9);
    }
}

TEST(MotionView, HoldsTheWholeFigureForShadowsInACloseUp) {
    Moment moment = moment_of(0, ellipsoid({0.1f, 0.1f, 0.1f}, {0.5f, 1, 0}));
    moment.box_min = {-1, 0, -1};
    moment.box_max = {1, 2, 1};
    const View view = MotionView({moment}, {}, 160, 180).at(0);
    EXPECT_EQ(view.box_min.x, -1);
    EXPECT_EQ(view.box_max.y, 2);
    EXPECT_NEAR(view.aim->target.x, 0.5, 0.02);
    EXPECT_NEAR(silhouette(render(ellipsoid({0.1f, 0.1f, 0.1f}, {0.5f, 1, 0}).shot(), view, 160, 180)).fill(), least,
                pixel_error);
}

TEST(MotionView, MakesDoWithNothing) {
    const float nan = std::nanf("");
    for (const auto& moments :
         {std::vector<Moment>{}, std::vector<Moment>{{}}, std::vector<Moment>{{0, {{nan, 0, 0}}, {}, {}, true}},
          std::vector<Moment>{{0, {{1, 2, 3}}, {1, 2, 3}, {1, 2, 3}, true}}}) {
        const View view = MotionView(moments, {}, 40, 30).at(0.5);
        const picture::Camera camera = picture::make_camera(view, 40, 30);
        EXPECT_TRUE(std::isfinite(length(camera.eye)));
        EXPECT_GT(camera.near_plane, 0);
    }
}

}  // namespace
}  // namespace fascia
