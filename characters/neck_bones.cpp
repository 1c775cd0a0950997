// What is hard in the bust: skull, jaw, vertebrae, breastbone with collarbones, hyoid and the cartilages of the larynx.
#include <algorithm>

#include "mesher.h"
#include "neck_anatomy.h"
#include "trig.h"

namespace fascia::characters {
namespace {

constexpr double scale = neck_units_per_cm, bone_cover = 0.35;

/// A bone as a drawing of its own, in centimetres like the bust.
class BoneDrawing {
public:
    BoneDrawing(double cell_cm, double edge_cm) {
        sculpture_.cell = cell_cm * scale;
        sculpture_.edge = edge_cm * scale;
    }
    void lump(Vec3d centre, Vec3d radii, double blend = 0) {
        sculpture_.add("", egg(at(centre), radii * scale), {}, touch(blend, 0));
    }
    void lump_pair(Vec3d centre, Vec3d radii, double blend) {
        sculpture_.add_pair("", egg(at(centre), radii * scale), {}, touch(blend, 0));
    }
    void strand(const std::vector<Knot>& knots, double blend) {
        sculpture_.add("", curve(scaled(knots), 3), {}, touch(blend, finest_edge(knots)));
    }
    void strand_pair(const std::vector<Knot>& knots, double blend) {
        sculpture_.add_pair("", curve(scaled(knots), 3), {}, touch(blend, finest_edge(knots)));
    }
    void box(Vec3d centre, Vec3d half, double rounding, double blend) {
        sculpture_.add("", characters::box(at(centre), half * scale, rounding * scale), {}, touch(blend, 0.7));
    }
    void ring(Vec3d centre, double radius, double thickness, Vec3d stretch) {
        sculpture_.add("", characters::ring(at(centre), radius * scale, thickness * scale).stretch(at(centre), stretch),
                       {}, touch(0, thickness));
    }
    void hollow_pair(Vec3d centre, Vec3d radii, double blend) {
        sculpture_.carve_pair(egg(at(centre), radii * scale), touch(blend, 0.5));
    }
    void hollow(Vec3d centre, Vec3d radii, double blend) {
        sculpture_.carve(egg(at(centre), radii * scale), touch(blend, 0.5));
    }
    /// What the drawing is about: places are measured from here, along these axes.
    void turn_about(Vec3d origin_cm, Vec3d up, double size) {
        origin_ = origin_cm;
        up_ = normalized(up);
        size_ = size;
    }

    /// All of it at least `cover_cm` below the skin.
    AnatomyScene::Solid solid(const SkinDepth& skin, double cover_cm) const;

private:
    Vec3d at(Vec3d p) const {
        const Vec3d ahead = normalized(cross(Vec3d{1, 0, 0}, up_));
        const Vec3d q = origin_ + Vec3d{1, 0, 0} * (p.x * size_) + up_ * (p.y * size_) + ahead * (p.z * size_);
        return neck_place(q);
    }
    static double finest_edge(const std::vector<Knot>& knots) {
        double out = knots.front().radius;
        for (const Knot& k : knots) out = std::min(out, k.radius);
        return 1.2 * out;
    }
    std::vector<Knot> scaled(std::vector<Knot> knots) const {
        for (Knot& k : knots) k = {at(k.point), k.radius * size_ * scale};
        return knots;
    }
    /// As fine as the shape is thin: a mesh whose edges are longer than that would lose it.
    Touch touch(double blend, double finest) const { return {.blend = blend * scale, .edge = finest * size_ * scale}; }

    Sculpture sculpture_;
    Vec3d origin_, up_{0, 1, 0};
    double size_ = 1;
};

AnatomyScene::Solid BoneDrawing::solid(const SkinDepth& skin, double cover_cm) const {
    const Field field(sculpture_);
    SurfaceMesh mesh = polygonise(field, sculpture_.cell);
    remesh(field, mesh);
    AnatomyScene::Solid out;
    for (const Vec3d& p : mesh.points) out.points.push_back(skin.sunk(p, cover_cm * scale) * neck_metres_per_unit);
    for (const int corner : mesh.corners()) out.triangles.push_back(static_cast<std::uint32_t>(corner));
    return out;
}

BoneDrawing skull() {
    BoneDrawing b(0.8, 1.0);
    b.lump({0, 43.2, -1.3}, {6.5, 6.7, 8.4});
    b.lump({0, 43.0, -3.8}, {6.9, 6.1, 6.3}, 2);
    b.lump({0, 44.4, 2.4}, {5.3, 4.3, 5.0}, 2);
    b.lump({0, 38.2, 1.6}, {4.4, 4.2, 4.6}, 2);
    b.lump({0, 34.8, 3.9}, {2.9, 2.3, 3.1}, 1.5);
    b.lump({0, 37.0, -3.5}, {3.6, 2.2, 4.5}, 2);
    b.strand_pair({{{5.4, 39.0, -2.0}, 1.1}, {{5.2, 37.2, -2.5}, 1.0}, {{5.1, 35.6, -2.8}, 0.8}}, 1.0);  // mastoid
    b.strand_pair(
        {{{4.0, 37.0, 5.2}, 0.7}, {{5.3, 37.5, 3.2}, 0.5}, {{6.0, 38.2, 0.3}, 0.45}, {{5.9, 38.6, -1.4}, 0.5}}, 0.7);
    b.strand_pair({{{0.4, 41.0, 6.8}, 0.6}, {{2.6, 41.4, 6.5}, 0.6}, {{4.5, 41.0, 5.0}, 0.55}, {{4.9, 38.5, 4.2}, 0.5}},
                  0.8);
    b.strand({{{0, 40.4, 6.9}, 0.6}, {{0, 38.6, 7.3}, 0.45}}, 0.8);
    b.strand({{{-2.6, 33.0, 3.6}, 0.5}, {{0, 33.0, 6.5}, 0.55}, {{2.6, 33.0, 3.6}, 0.5}}, 0.7);  // upper teeth
    b.hollow_pair({2.9, 39.1, 6.6}, {1.5, 1.3, 2.4}, 0.7);
    b.hollow({0, 36.4, 7.6}, {0.9, 1.3, 1.6}, 0.6);
    return b;
}

BoneDrawing jaw() {
    BoneDrawing b(0.6, 0.7);
    b.strand_pair({{{5.2, 37.0, -0.5}, 0.5},
                   {{4.7, 32.8, 0.0}, 0.65},
                   {{3.8, 30.9, 2.7}, 0.65},
                   {{2.3, 29.9, 5.1}, 0.7},
                   {{0, 29.5, 6.5}, 0.75}},
                  0.5);
    b.strand_pair({{{4.7, 33.0, 0.8}, 0.5}, {{4.8, 36.2, 1.8}, 0.35}}, 0.7);
    b.strand_pair({{{3.8, 31.7, 2.2}, 0.5}, {{2.3, 30.9, 5.0}, 0.5}, {{0, 30.7, 6.3}, 0.5}}, 1.0);  // lower teeth
    return b;
}

/// The vertebra between two pivots; `spine` is how far its process reaches back.
BoneDrawing vertebra(Vec3d below, Vec3d above, double spine) {
    BoneDrawing b(0.34, 0.45);
    const double height = length(above - below);
    b.turn_about((below + above) * 0.5, above - below, 1);
    b.lump({0, 0, 0.15}, {1.15, 0.45 * height, 0.85});
    b.lump_pair({1.5, 0, -0.7}, {0.55, 0.42 * height, 0.6}, 0.5);
    b.strand_pair({{{0.9, 0, 0.0}, 0.35}, {{2.1, -0.15, 0.1}, 0.35}}, 0.4);
    b.strand_pair({{{1.4, 0, -1.0}, 0.35}, {{0.8, -0.1, -1.9}, 0.33}, {{0, -0.2, -2.3}, 0.35}}, 0.3);
    b.strand({{{0, -0.2, -2.1}, 0.42}, {{0, -0.5, -spine}, 0.42}}, 0.3);
    return b;
}

BoneDrawing atlas() {
    BoneDrawing b(0.34, 0.45);
    b.turn_about(neck_joints[7].centre + Vec3d{0, 1.1, 0.2}, {0, 1, 0.2}, 1);
    b.lump_pair({1.8, 0, -0.3}, {0.75, 0.75, 0.95}, 0);
    b.strand_pair({{{1.6, 0, 0.3}, 0.35}, {{0.8, 0, 1.2}, 0.35}, {{0, 0, 1.45}, 0.38}}, 0.3);
    b.strand_pair({{{1.7, 0, -0.8}, 0.35}, {{1.1, 0, -2.0}, 0.33}, {{0, 0, -2.6}, 0.38}}, 0.3);
    b.strand_pair({{{1.9, 0, -0.3}, 0.35}, {{3.2, -0.1, -0.5}, 0.35}}, 0.4);
    return b;
}

BoneDrawing axis_bone() {
    BoneDrawing b = vertebra(neck_joints[6].centre, neck_joints[7].centre - Vec3d{0, 0.9, 0}, 4.0);
    b.strand({{{0, 0.6, 0.1}, 0.5}, {{0, 2.3, 0.35}, 0.42}}, 0.4);  // the tooth that the atlas turns about
    return b;
}

/// A closed tube along knots in centimetres, as long bones are; with its mirror image if wanted.
void add_tube(const SkinDepth& skin, const std::vector<Knot>& knots, bool mirrored, AnatomyScene::Solid& out) {
    constexpr int sides = 8, rings_per_knot = 3;
    const int spans = static_cast<int>(knots.size()) - 1, rings = spans * rings_per_knot + 1;
    const auto first = static_cast<std::uint32_t>(out.points.size());
    const auto put = [&](Vec3d cm) {
        Vec3d p = skin.sunk(neck_place(cm), bone_cover * scale) * neck_metres_per_unit;
        if (mirrored) p.x = -p.x;
        out.points.push_back(p);
    };
    const auto ahead = [&](int i) {
        return normalized(on_curve(knots, std::min(1.0, (i + 0.5) / (rings - 1))).point -
                          on_curve(knots, std::max(0.0, (i - 0.5) / (rings - 1))).point);
    };
    Vec3d across = normalized(cross(ahead(0), Vec3d{0.3, 0.2, 1}));
    put(knots.front().point - ahead(0) * (0.5 * knots.front().radius));
    for (int i = 0; i < rings; ++i) {
        const Knot here = on_curve(knots, static_cast<double>(i) / (rings - 1));
        const Vec3d along = ahead(i);
        across = normalized(across - along * dot(across, along));
        const Vec3d up = cross(along, across);
        for (int k = 0; k < sides; ++k) {
            const double turns = static_cast<double>(k) / sides;
            put(here.point + (across * cowave(turns) + up * wave(turns)) * here.radius);
        }
    }
    put(knots.back().point + ahead(rings - 1) * (0.5 * knots.back().radius));
    const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (mirrored) std::swap(b, c);
        for (const std::uint32_t corner : {a, b, c}) out.triangles.push_back(first + corner);
    };
    const auto corner = [&](int ring, int k) { return static_cast<std::uint32_t>(1 + ring * sides + k % sides); };
    for (int k = 0; k < sides; ++k) {
        triangle(0, corner(0, k + 1), corner(0, k));
        for (int i = 0; i + 1 < rings; ++i) {
            triangle(corner(i, k), corner(i, k + 1), corner(i + 1, k + 1));
            triangle(corner(i, k), corner(i + 1, k + 1), corner(i + 1, k));
        }
        triangle(corner(rings, 0), corner(rings - 1, k), corner(rings - 1, k + 1));
    }
}

/// Breastbone and the uppermost vertebrae of the chest in one piece; collarbones, ribs and shoulder blades are tubes
/// that end inside it or in each other.
AnatomyScene::Solid base(const SkinDepth& skin) {
    BoneDrawing b(0.6, 0.9);
    b.box({0, 14.4, 2.2}, {2.0, 1.9, 0.5}, 0.45, 0);
    b.box({0, 9.6, 3.5}, {1.4, 3.6, 0.5}, 0.45, 1.0);
    for (int k = 0; k < 3; ++k) {
        const double y = 18.3 - 2.3 * k, z = -5.1 - 0.6 * k;
        b.lump({0, y, z}, {1.5, 1.3, 1.2}, 0.3);
        b.strand({{{0, y, z - 1.0}, 0.6}, {{0, y - 0.4, z - 3.6}, 0.5}}, 0.5);
    }
    AnatomyScene::Solid out = b.solid(skin, bone_cover);
    for (const bool mirrored : {false, true}) {
        const auto tube = [&](const std::vector<Knot>& knots) { add_tube(skin, knots, mirrored, out); };
        tube({{{1.2, 15.6, 2.2}, 0.75},
              {{5.2, 16.3, 2.7}, 0.52},
              {{9.4, 16.6, 1.1}, 0.52},
              {{13.3, 16.6, -1.6}, 0.55},
              {{16.4, 15.8, -3.3}, 0.65}});
        for (int k = 0; k < 3; ++k) {
            const double y = 18.3 - 2.3 * k, z = -5.1 - 0.6 * k;
            tube({{{0.6, y, z - 0.6}, 0.55},
                  {{4.3 + k, y - 1.2, z - 1.2}, 0.5},
                  {{6.2 + 1.4 * k, y - 2.6, z + 2.6}, 0.5},
                  {{4.6 + k, y - 3.6, z + 6.0 + k}, 0.5},
                  {{0.8, y - 4.0 - 0.8 * k, z + 7.2 + 1.2 * k}, 0.5}});
        }
        tube({{{7.0, 12.5, -8.0}, 0.5}, {{12.0, 14.0, -6.9}, 0.55}, {{16.4, 15.8, -3.3}, 0.65}});
        tube({{{7.0, 12.5, -8.0}, 0.5}, {{8.2, 9.5, -8.0}, 0.6}, {{11.0, 7.6, -6.8}, 0.5}});
        tube({{{12.0, 14.0, -6.9}, 0.5}, {{12.4, 10.6, -6.8}, 0.6}, {{11.0, 7.6, -6.8}, 0.5}});
    }
    return out;
}

BoneDrawing hyoid() {
    BoneDrawing b(0.3, 0.36);
    b.strand_pair({{{1.9, 27.3, -0.4}, 0.28}, {{1.4, 27.0, 1.2}, 0.3}, {{0, 26.8, 1.95}, 0.42}}, 0.2);
    return b;
}

/// Two plates that meet in front.
BoneDrawing thyroid() {
    BoneDrawing b(0.36, 0.4);
    for (const double y : {23.5, 24.1, 24.7, 25.3})
        b.strand_pair({{{1.55, y, 0.6}, 0.3}, {{1.2, y, 2.0}, 0.32}, {{0, y, 2.95 + 0.25 * (y - 23.6)}, 0.34}}, 0.3);
    b.strand_pair({{{1.55, 25.0, 0.6}, 0.26}, {{1.6, 26.4, 0.1}, 0.24}}, 0.3);  // horns
    b.strand_pair({{{1.5, 23.6, 0.7}, 0.26}, {{1.35, 22.7, 0.8}, 0.24}}, 0.3);
    return b;
}

BoneDrawing cricoid() {
    BoneDrawing b(0.33, 0.4);
    b.ring({0, 22.3, 1.2}, 1.1, 0.33, {1, 1.5, 1});
    b.lump({0, 22.8, 0.1}, {0.9, 0.9, 0.4}, 0.3);
    return b;
}

}  // namespace

std::vector<AnatomyScene::Body> neck_bodies(const SkinDepth& skin) {
    std::vector<AnatomyScene::Body> out;
    const auto add = [&](const char* name, const char* joint, bool free, double density, const BoneDrawing& drawing,
                         double cover_cm = bone_cover) {
        out.push_back({name, joint, free, density, 0, drawing.solid(skin, cover_cm)});
    };
    constexpr double bone = 1900, spongy = 1500, cartilage = 1100, filled = 1300;  // kg/m3; a skull holds a brain
    out.push_back({"base", "base", false, spongy, 0, base(skin)});
    for (std::size_t i = 1; i <= 5; ++i) {
        const double spine[] = {4.4, 3.9, 3.7, 3.6, 3.6};
        add(neck_joints[i].name, neck_joints[i].name, false, spongy,
            vertebra(neck_joints[i].centre, neck_joints[i + 1].centre, spine[i - 1]));
    }
    add("C2", "C2", false, spongy, axis_bone());
    add("C1", "C1", false, spongy, atlas());
    add("skull", "skull", false, filled, skull());
    add("jaw", "jaw", false, bone, jaw());
    add("hyoid", "larynx", true, bone, hyoid(), 0.6);
    add("thyroid", "larynx", true, cartilage, thyroid(), 0.8);
    add("cricoid", "larynx", true, cartilage, cricoid(), 0.6);
    return out;
}

}  // namespace fascia::characters
