#include <set>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "render/camera.h"
#include "render/color.h"
#include "render/light.h"
#include "shapes.h"

namespace fascia {
namespace {

using test::front_view;
using test::pixel;
using test::Rgb;
using test::Shape;

constexpr Vec4 red{0.8f, 0.02f, 0.02f, 1}, blue{0.02f, 0.02f, 0.8f, 1};

std::uint64_t hash_of(const Image& image) {
    Hasher hasher;
    hasher.bytes(image.rgb.data(), image.rgb.size());
    return hasher.value();
}

TEST(Render, ASphereHasTheSilhouetteOfASphere) {
    Shape ball = test::sphere(64);
    ball.paint({0, 0, 0, 1});  // dark on light: every covered pixel differs from the backdrop
    const View view = front_view(1);
    const int size = 200;
    const Image image = render(ball.shot(), view, size, size), empty = render({}, view, size, size);
    // The outline of a unit sphere at distance d is a circle of radius focal / sqrt(d^2 - 1).
    const picture::Camera camera = picture::make_camera(view, size, size);
    const double d = length(camera.eye), radius = camera.focal / std::sqrt(d * d - 1);
    int touched = 0, outside = 0;
    double covered = 0;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const Rgb p = pixel(image, x, y), background = pixel(empty, x, y);
            if (p == background) continue;
            ++touched;
            outside += std::hypot(x + 0.5 - size / 2.0, y + 0.5 - size / 2.0) > radius + 0.75;
            const float light = picture::linear_of_byte()[static_cast<std::size_t>(p.g)];
            const float behind = picture::linear_of_byte()[static_cast<std::size_t>(background.g)];
            covered += std::min(1.0, static_cast<double>((behind - light) / behind) * 1.15);
        }
    }
    EXPECT_EQ(outside, 0);
    const double area = std::numbers::pi * radius * radius;
    EXPECT_GE(touched, area);
    EXPECT_LE(touched, area + 2 * std::numbers::pi * radius);
    EXPECT_NEAR(covered, area, 0.02 * area);
}

TEST(Render, TheMiddleOfASphereIsShadedAsItsNormalSays) {
    Shape ball = test::sphere(64);
    ball.paint({0.4f, 0.3f, 0.2f, 1});
    const View view = front_view(1);
    const Image image = render(ball.shot(), view, 201, 201);
    picture::SurfacePoint point;
    point.normal = point.to_viewer = {0, 0, -1};  // towards the viewer in camera space
    point.color = {0.4f, 0.3f, 0.2f};
    const Vec3 light = picture::shade(picture::make_lights(picture::make_camera(view, 201, 201)), point);
    const Rgb middle = pixel(image, 100, 100);
    EXPECT_NEAR(middle.r, picture::byte_of_linear(light.x), 2);
    EXPECT_NEAR(middle.g, picture::byte_of_linear(light.y), 2);
    EXPECT_NEAR(middle.b, picture::byte_of_linear(light.z), 2);
    // The key light comes over the viewer's left shoulder.
    EXPECT_GT(pixel(image, 70, 60).r, pixel(image, 130, 140).r + 30);
}

TEST(Render, ShadesSmoothlyAcrossCoarseTriangles) {
    Shape ball = test::sphere(12);
    ball.paint({0.5f, 0.5f, 0.5f, 1});
    const Image image = render(ball.shot(), front_view(1), 240, 240);
    int worst = 0;
    for (int x = 70; x < 170; ++x)
        worst = std::max(worst, std::abs(pixel(image, x, 120).r - pixel(image, x + 1, 120).r));
    EXPECT_LE(worst, 4);  // no facets: neighbouring pixels differ by little
}

TEST(Render, TheNearerSurfaceIsSeenInAnyOrder) {
    const Shape near = test::square(0.5f, 0.5f, red), far = test::square(0.9f, -0.5f, blue);
    Shape a = near, b = far;
    test::append(a, far);
    test::append(b, near);
    const Image first = render(a.shot(), front_view(1), 120, 120), second = render(b.shot(), front_view(1), 120, 120);
    EXPECT_EQ(first.rgb, second.rgb);
    const Rgb middle = pixel(first, 60, 60), around = pixel(first, 25, 60);
    EXPECT_GT(middle.r, 2 * middle.b);
    EXPECT_GT(around.b, 2 * around.r);
}

TEST(Render, EdgesAreSmooth) {
    Shape s = test::square(0.6f, 0, {0, 0, 0, 1});
    for (Vec3& p : s.positions) p = {p.x * 0.96f - p.y * 0.28f, p.x * 0.28f + p.y * 0.96f, p.z};
    const Image image = render(s.shot(), front_view(1), 160, 160);
    std::set<int> shades;
    for (int x = 0; x < 160; ++x)
        for (int y = 40; y < 60; ++y) shades.insert(pixel(image, x, y).g / 8);
    EXPECT_GE(shades.size(), 8u);
}

TEST(Render, WindingAndStoredNormalsDoNotMatterForWhatIsSeen) {
    const Shape s = test::square(0.6f, 0, red);
    const Image image = render(s.shot(), front_view(1), 80, 80);
    Shape turned = s;
    std::swap(turned.triangles[1], turned.triangles[2]);
    std::swap(turned.triangles[4], turned.triangles[5]);
    EXPECT_EQ(render(turned.shot(), front_view(1), 80, 80).rgb, image.rgb);
    Shape inward = s;
    for (Vec3& n : inward.normals) n = -n;
    EXPECT_EQ(render(inward.shot(), front_view(1), 80, 80).rgb, image.rgb);
    Shape none = s;
    for (Vec3& n : none.normals) n = {};
    EXPECT_EQ(render(none.shot(), front_view(1), 80, 80).rgb, image.rgb);
    Shape without = s;
    without.normals.clear();
    EXPECT_EQ(render(without.shot(), front_view(1), 80, 80).rgb, image.rgb);
}

TEST(Render, MakesNormalsWhereThereAreNone) {
    Shape with = test::sphere(40), without = with;
    without.normals.clear();
    const Image a = render(with.shot(), front_view(1), 120, 120), b = render(without.shot(), front_view(1), 120, 120);
    int worst = 0;
    for (int y = 30; y < 90; ++y)
        for (int x = 30; x < 90; ++x) worst = std::max(worst, std::abs(pixel(a, x, y).g - pixel(b, x, y).g));
    EXPECT_LE(worst, 6);
}

TEST(Render, LeavesOutWhatCannotBeDrawn) {
    const Shape good = test::square(0.6f, 0, red);
    const Image expected = render(good.shot(), front_view(1), 90, 90);
    for (const float bad : {std::nanf(""), INFINITY, -INFINITY, 3.4e38f}) {
        Shape s = good;
        s.positions.push_back({bad, 0, 0});
        s.positions.push_back({0, bad, bad});
        s.normals.resize(6, {std::nanf(""), 0, 0});
        s.colors.resize(6, {1, 1, 1, 1});
        for (const std::uint32_t v : {0u, 1u, 4u, 4u, 5u, 2u}) s.triangles.push_back(v);
        EXPECT_EQ(render(s.shot(), front_view(1), 90, 90).rgb, expected.rgb) << bad;
    }
    Shape beyond = good;
    for (const std::uint32_t v : {0u, 1u, 99u, 4000000000u, 0u, 1u, 0u, 0u, 0u}) beyond.triangles.push_back(v);
    EXPECT_EQ(render(beyond.shot(), front_view(1), 90, 90).rgb, expected.rgb);
    beyond.triangles.push_back(0);  // an incomplete triangle
    EXPECT_EQ(render(beyond.shot(), front_view(1), 90, 90).rgb, expected.rgb);
}

TEST(Render, NanNormalsAndColorsDoNotSpread) {
    Shape s = test::square(0.6f, 0, red);
    s.normals.assign(4, {std::nanf(""), 0, 1});
    s.colors[0] = {std::nanf(""), 5, -3, 1};
    const Image image = render(s.shot(), front_view(1), 60, 60), empty = render({}, front_view(1), 60, 60);
    EXPECT_EQ(pixel(image, 2, 2), pixel(empty, 2, 2));
}

TEST(Render, CutsAtTheCameraAndFarOutside) {
    // A floor that runs from far behind the camera to far ahead, and a wall much larger than the picture.
    Shape floor;
    floor.positions = {{-1e6f, -1, 1e6f}, {1e6f, -1, 1e6f}, {-1e6f, -1, -1e6f}, {1e6f, -1, -1e6f}};
    floor.triangles = {0, 1, 2, 1, 3, 2};
    floor.paint(red);
    const Image image = render(floor.shot(), front_view(1), 100, 100), empty = render({}, front_view(1), 100, 100);
    for (int x = 0; x < 100; x += 7) {
        EXPECT_GT(pixel(image, x, 99).r, 2 * pixel(image, x, 99).b) << x;
        EXPECT_EQ(pixel(image, x, 40), pixel(empty, x, 40)) << x;  // above the horizon
    }
    Shape wall = test::square(1e7f, 0, blue);
    const Image covered = render(wall.shot(), front_view(1), 100, 100);
    for (int y = 0; y < 100; y += 3)
        for (int x = 0; x < 100; x += 3) ASSERT_GT(pixel(covered, x, y).b, 2 * pixel(covered, x, y).r) << x << " " << y;
    Shape behind = test::square(0.5f, 1e4f, red);
    EXPECT_EQ(render(behind.shot(), front_view(1), 100, 100).rgb, empty.rgb);
}

TEST(Render, AFarAwayCharacterLooksLikeOneAtTheOrigin) {
    Shape ball = test::sphere(24), away = ball;
    const Vec3 far{8192, 0, -16384};
    for (Vec3& p : away.positions) p = p + far;
    View view = front_view(1), away_view = view;
    away_view.box_min = view.box_min + to_double(far);
    away_view.box_max = view.box_max + to_double(far);
    const Image a = render(ball.shot(), view, 100, 100), b = render(away.shot(), away_view, 100, 100);
    int worst = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) worst = std::max(worst, std::abs(a.rgb[i] - b.rgb[i]));
    EXPECT_LE(worst, 40);  // floats are 1/1000 apart there, so edges may move by a fraction of a pixel
    EXPECT_EQ(pixel(a, 50, 50).r / 8, pixel(b, 50, 50).r / 8);
}

TEST(Render, TheGroundTakesAShadow) {
    const Shape ball = test::sphere(24);
    View view = view_of(ball.positions);
    view.yaw = 0;
    view.pitch = 0.3;
    const Image with = render(ball.shot(), view, 200, 200);
    view.ground = false;
    const Image without = render(ball.shot(), view, 200, 200);
    int darker = 0, lighter = 0;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 200; ++x) {
            darker += pixel(with, x, y).g < pixel(without, x, y).g - 8;
            lighter += pixel(with, x, y).g > pixel(without, x, y).g;
        }
    }
    EXPECT_GT(darker, 800);
    EXPECT_EQ(lighter, 0);
    EXPECT_EQ(pixel(with, 3, 3), pixel(without, 3, 3));
    // The light comes from the left: the shadow lies on the right.
    int left = 0, right = 0;
    for (int y = 120; y < 200; ++y) {
        for (int x = 0; x < 100; ++x) left += pixel(without, x, y).g - pixel(with, x, y).g;
        for (int x = 100; x < 200; ++x) right += pixel(without, x, y).g - pixel(with, x, y).g;
    }
    EXPECT_GT(right, left);
}

TEST(Render, BodiesShadeEachOther) {
    const Shape floor = [] {
        Shape s;
        s.positions = {{-2, -1, 2}, {2, -1, 2}, {-2, -1, -2}, {2, -1, -2}};
        s.triangles = {0, 1, 2, 1, 3, 2};
        s.normals.assign(4, {0, 1, 0});
        return s;
    }();
    Shape both = floor;
    Shape ball = test::sphere(24);
    for (Vec3& p : ball.positions) p = p * 0.5f;
    test::append(both, ball);
    View view = front_view(2);
    view.pitch = 0.5;
    const Image alone = render(floor.shot(), view, 200, 200), shaded = render(both.shot(), view, 200, 200);
    int darkened = 0, smallest = 255;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 200; ++x) {
            const int drop = pixel(alone, x, y).g - pixel(shaded, x, y).g;
            darkened += drop > 30;
            if (x < 50) smallest = std::min(smallest, 255 - std::abs(drop));
        }
    }
    EXPECT_GT(darkened, 300);
    EXPECT_GE(smallest, 250);  // nothing changes far from the ball on the light's side
}

TEST(Render, TheSamePictureEveryTimeAndForAnyNumberOfThreads) {
    const Shape ball = test::sphere(32);
    const View view = view_of(ball.positions);
    const std::uint64_t once = hash_of(render(ball.shot(), view, 150, 170));
    EXPECT_EQ(hash_of(render(ball.shot(), view, 150, 170)), once);
    EXPECT_EQ(hash_of(render(ball.shot(), view, 150, 170, 2)), once);
    EXPECT_EQ(hash_of(render(ball.shot(), view, 150, 170, 5)), once);
}

TEST(Render, EmptyShotsAndSizes) {
    EXPECT_TRUE(render({}, {}, 0, 10).rgb.empty());
    EXPECT_TRUE(render({}, {}, 10, -1).rgb.empty());
    EXPECT_TRUE(render({}, {}, 1 << 20, 10).rgb.empty());
    const Image one = render({}, {}, 1, 1);
    EXPECT_EQ(one.rgb.size(), 3u);
    const Image image = render({}, {}, 37, 53);
    EXPECT_EQ(image.width, 37);
    EXPECT_EQ(image.height, 53);
    EXPECT_GT(pixel(image, 0, 0).g, pixel(image, 0, 52).g);  // lighter at the top
}

TEST(Cubes, AreClosedAndFaceOutwards) {
    Cubes cubes;
    cubes.add({1, 2, 3}, 0.5f, red);
    double volume = 0;
    for (std::size_t t = 0; t < cubes.triangles.size(); t += 3) {
        const Vec3 a = cubes.positions[cubes.triangles[t]], b = cubes.positions[cubes.triangles[t + 1]];
        const Vec3 c = cubes.positions[cubes.triangles[t + 2]];
        volume += static_cast<double>(dot(a, cross(b, c))) / 6;
        EXPECT_GT(dot(cross(b - a, c - a), cubes.normals[cubes.triangles[t]]), 0);
    }
    EXPECT_NEAR(volume, 1, 1e-5);
    EXPECT_EQ(cubes.shot().colors.size(), 24u);
}

}  // namespace
}  // namespace fascia
