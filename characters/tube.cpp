// The reference body of the closed-form tests: radius 1, length 8 along x, one joint at the origin.
#include <algorithm>

#include "clip_builder.h"
#include "design.h"
#include "trig.h"

namespace fascia::characters {
namespace {

constexpr int around = 64, along = 160;
constexpr double half_length = 4, radius = 1, blend_half_width = 1;

Color stripe(double x, int k) {
    // A checker of warm and cool bands shows where the skin goes in a twist; the second bone's half is the warm one.
    const Color warm = srgb(0xF29B5C), cool = srgb(0x5AA6C8), cream = srgb(0xFFF3DF);
    const bool light = (static_cast<int>((x + half_length) / 0.5 + 1e-9) + k / 8) % 2 == 0;
    return light ? cream : x < 0 ? cool : warm;
}

class TubeBuilder {
public:
    explicit TubeBuilder(Mesh& mesh) : mesh_(mesh) {}

    /// `count` vertices around the axis at x; returns the index of the first.
    int add_ring(double x, double r, int count, Vec3d lean) {
        const int first = static_cast<int>(mesh_.positions.size());
        for (int k = 0; k < count; ++k) {
            const double turns = static_cast<double>(k) / count;
            const double y = cowave(turns), z = wave(turns);
            mesh_.positions.push_back(to_float(Vec3d{x, r * y, r * z}));
            mesh_.normals.push_back(to_float(normalized(Vec3d{lean.x, lean.y * y, lean.y * z})));
            const Color c = stripe(std::clamp(x, -half_length, half_length - 0.01), k * around / count);
            mesh_.colors.push_back({static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b), 1});
        }
        return first;
    }

    /// Triangles between two rings, the second of as many vertices or half as many; `outward` faces away from the axis
    /// when the second ring lies further along x.
    void join(int a, int count_a, int b, int count_b, bool outward) {
        const int ratio = count_a / count_b;
        for (int k = 0; k < count_b; ++k) {
            const int b0 = b + k, b1 = b + (k + 1) % count_b;
            for (int i = 0; i < ratio; ++i) {
                const int a0 = a + k * ratio + i, a1 = a + (k * ratio + i + 1) % count_a;
                triangle(a0, a1, i * 2 < ratio ? b0 : b1, outward);
            }
            const int middle = a + (k * ratio + (ratio == 1 ? 1 : ratio / 2)) % count_a;
            triangle(b0, middle, b1, outward);
        }
    }

    /// A flat end of rings that thin out towards the middle, so that its triangles stay even.
    void cap(int rim, double x) {
        const bool right = x > 0;
        const Vec3d lean{right ? 1.0 : -1.0, 0, 0};
        int outer = rim, count = around;
        const std::pair<double, int> rings[] = {{0.9, 64},  {0.8, 64},  {0.7, 64},  {0.6, 32},
                                                {0.48, 32}, {0.36, 16}, {0.24, 16}, {0.12, 8}};
        for (const auto& [r, n] : rings) {
            const int inner = add_ring(x, r * radius, n, lean);
            join(outer, count, inner, n, right);
            outer = inner;
            count = n;
        }
        const int middle = add_ring(x, 0, 1, lean);
        for (int k = 0; k < count; ++k) triangle(outer + k, outer + (k + 1) % count, middle, right);
    }

private:
    void triangle(int a, int b, int c, bool as_given) {
        if (!as_given) std::swap(b, c);
        for (const int v : {a, b, c}) mesh_.triangles.push_back(static_cast<std::uint32_t>(v));
    }

    Mesh& mesh_;
};

void build_surface(Mesh& mesh) {
    TubeBuilder tube(mesh);
    int before = -1, first = -1;
    for (int i = 0; i <= along; ++i) {
        const double x = -half_length + 2 * half_length * i / along;
        // At the rim the side and the cap meet: their normals' mean.
        const int ring = tube.add_ring(x, radius, around, {i == 0 ? -1.0 : i == along ? 1.0 : 0.0, 1, 0});
        if (before >= 0) tube.join(before, around, ring, around, true);
        if (i == 0) first = ring;
        before = ring;
    }
    tube.cap(first, -half_length);
    tube.cap(before, half_length);
}

/// Weight of the second bone: 0 up to -b, 1 from b on, linear between.
void build_weights(const Mesh& mesh, SkinWeights& weights) {
    weights.influences = 4;
    for (const Vec3& p : mesh.positions) {
        const double w = std::clamp((p.x + blend_half_width) / (2 * blend_half_width), 0.0, 1.0);
        const float second = static_cast<float>(w), first = 1 - second;
        const bool swap = second > first;
        const float large = swap ? second : first, small = swap ? first : second;
        weights.weights.insert(weights.weights.end(), {large, small, 0, 0});
        const std::uint16_t near = swap ? 1 : 0;
        weights.joints.insert(weights.joints.end(), {near, static_cast<std::uint16_t>(small > 0 ? 1 - near : 0), 0, 0});
    }
}

/// Turns the second bone from 0 to `degrees` in 3 s at an even rate, holds for 2 s; a key every 15 degrees.
Clip turning_clip(const std::string& name, Vec3d axis, double degrees) {
    std::vector<double> times;
    std::vector<Quat> rotations;
    const int keys = static_cast<int>(degrees / 15 + 0.5);
    for (int i = 0; i <= keys; ++i) {
        times.push_back(3.0 * i / keys);
        rotations.push_back(turned(axis, 15.0 * i));
    }
    times.push_back(5);
    rotations.push_back(rotations.back());
    Clip clip;
    clip.name = name;
    clip.duration = 5;
    clip.channels.push_back(rotation_channel(Skeleton::node_of(1), times, rotations));
    return clip;
}

}  // namespace

Character build_tube() {
    Character character;
    character.name = "tube";
    build_surface(character.mesh);
    build_weights(character.mesh, character.weights);
    Skeleton skeleton;
    skeleton.add("first", "", {-half_length, 0, 0}, {0, 0, 0});
    skeleton.add("second", "first", {0, 0, 0}, {half_length, 0, 0});
    skeleton.write_to(character);
    add_part_and_material(character);
    character.clips = {hold_rest(2), turning_clip("bend", {0, 0, 1}, 120), turning_clip("bend135", {0, 0, 1}, 135),
                       turning_clip("twist", {1, 0, 0}, 180)};
    return character;
}

}  // namespace fascia::characters
