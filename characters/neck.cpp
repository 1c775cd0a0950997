// A sculpted bust: head, neck and shoulders of an adult, with what shows of the anatomy below.
#include "neck.h"

#include "trig.h"

namespace fascia::characters {
namespace {

const Color clay = srgb(0xE2C9B4), lip = srgb(0xCE9C8A), shade = srgb(0xC9A78F), mouth = srgb(0x5A3028);

constexpr double scale = neck_units_per_cm;

/// The drawing is in centimetres; its ground lies below the breast.
Vec3d at(double x, double y, double z) {
    return Vec3d{x, y - neck_ground_cm, z} * scale;
}
Vec3d radii(double x, double y, double z) {
    return Vec3d{x, y, z} * scale;
}
Shape lump(Vec3d centre_cm, Vec3d radii_cm) {
    return egg(at(centre_cm.x, centre_cm.y, centre_cm.z), radii(radii_cm.x, radii_cm.y, radii_cm.z));
}
Shape strand(const std::vector<Knot>& knots_cm, int links = 4) {
    std::vector<Knot> knots;
    for (const Knot& k : knots_cm) knots.push_back({at(k.point.x, k.point.y, k.point.z), k.radius * scale});
    return curve(knots, links);
}
Touch touch(double blend_cm, double edge_cm = 0) {
    return {.blend = blend_cm * scale, .edge = edge_cm * scale, .rim = 1e-9};
}

void sculpt_torso(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge = 0) {
        s.add("torso", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge = 0) {
        s.add_pair("torso", shape, clay, touch(blend, edge));
    };
    add(lump({0, 8.0, -2.6}, {15.0, 10.0, 8.6}), 0);
    add(lump({0, 14.0, -4.8}, {11.5, 6.5, 5.6}), 3.5);
    add_pair(strand({{{3.0, 13.6, -0.3}, 4.1}, {{9.5, 13.9, -1.2}, 3.9}, {{16.0, 13.2, -3.4}, 4.1}}), 3.5);
    add_pair(lump({13.6, 9.5, -2.6}, {4.5, 7.0, 5.6}), 4.0);
    add_pair(lump({17.6, 10.6, -3.2}, {4.4, 7.0, 5.0}), 5.0);                // deltoid
    add_pair(lump({7.6, 8.4, 1.6}, {7.6, 6.4, 4.6}), 3.5);                   // pectoral
    add_pair(lump({9.5, 10.0, -7.4}, {6.0, 7.0, 3.0}), 5.0);                 // shoulder blade
    s.carve(strand({{{0, 2, 7.6}, 0.6}, {{0, 14, 5.6}, 0.4}}), touch(2.4));  // between the breasts
}

void sculpt_neck(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge = 0) {
        s.add("neck", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge = 0) {
        s.add_pair("neck", shape, clay, touch(blend, edge));
    };
    add(strand({{{0, 17, -3.6}, 5.8}, {{0, 22, -2.8}, 5.1}, {{0, 28, -2.0}, 4.9}, {{0, 34, -2.2}, 5.0}}), 3.5);
    // Trapezius: from the back of the head to the shoulder.
    add_pair(strand({{{1.8, 36.5, -6.6}, 2.0},
                     {{2.5, 30.5, -5.6}, 2.5},
                     {{4.4, 25.0, -5.6}, 2.6},
                     {{8.4, 20.6, -5.2}, 2.7},
                     {{13.5, 17.9, -4.6}, 2.2},
                     {{18.0, 16.4, -4.0}, 1.5}}),
             3.4);
    add(lump({0, 35.4, -5.4}, {4.4, 4.0, 3.6}), 3.0);
    add(lump({0, 20.4, -8.0}, {1.2, 1.6, 1.2}), 2.4);                   // the last neck vertebra
    s.carve_pair(lump({8.4, 19.9, 1.4}, {2.6, 1.7, 2.0}), touch(2.4));  // above the collarbone
}

void sculpt_throat(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge = 0) {
        s.add("neck", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge = 0) {
        s.add_pair("neck", shape, clay, touch(blend, edge));
    };
    add(strand({{{0, 22.5, 2.4}, 1.4}, {{0, 17.5, 1.6}, 1.7}}), 2.6, 0.6);                              // windpipe
    add(lump({0, 24.6, 2.9}, {1.7, 1.9, 1.3}), 1.0, 0.5);                                               // thyroid
    add(strand({{{0, 25.5, 3.55}, 0.42}, {{0, 24.8, 3.95}, 0.42}, {{0, 23.6, 3.6}, 0.35}}), 0.8, 0.4);  // its edge
    add(lump({0, 22.4, 2.9}, {1.25, 0.55, 1.0}), 0.7, 0.5);                                             // cricoid
    // Sternocleidomastoid: one belly, two heads.
    add_pair(strand({{{6.0, 36.0, -3.2}, 0.9},
                     {{5.3, 32.0, -2.0}, 1.1},
                     {{4.4, 27.0, 0.5}, 1.15},
                     {{3.0, 21.8, 2.2}, 0.95},
                     {{1.5, 17.4, 3.1}, 0.6}}),
             1.2, 0.6);
    add_pair(strand({{{4.9, 26.0, -0.4}, 0.8}, {{4.5, 21.5, 0.9}, 0.8}, {{4.7, 17.2, 2.2}, 0.65}}), 1.6, 0.7);
    // Collarbones.
    add_pair(strand({{{1.9, 16.1, 2.9}, 1.0},
                     {{5.2, 16.7, 3.4}, 0.75},
                     {{9.4, 17.1, 1.9}, 0.78},
                     {{13.3, 17.2, -0.8}, 0.8},
                     {{16.9, 16.4, -2.9}, 0.9}}),
             1.5, 0.65);
    add_pair(lump({3.4, 19.0, 0.2}, {2.6, 3.0, 2.0}), 2.0);
    s.carve(lump({0, 17.6, 4.4}, {0.9, 1.1, 1.2}), touch(1.3, 0.6));  // notch of the breastbone
}

void sculpt_head(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge = 0) {
        s.add("head", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge = 0) {
        s.add_pair("head", shape, clay, touch(blend, edge));
    };
    add(lump({0, 43.2, -1.3}, {7.2, 7.4, 9.1}), 2.0);
    add(lump({0, 43.0, -3.8}, {7.6, 6.8, 7.0}), 3.0);
    add(lump({0, 44.6, 2.6}, {6.1, 5.0, 5.7}), 2.5, 0.8);
    add(lump({0, 37.2, 1.4}, {6.0, 7.0, 6.0}), 3.0, 0.7);
    add_pair(lump({3.3, 33.2, 2.6}, {2.5, 3.4, 3.4}), 2.6, 0.6);  // cheek
    add(lump({0, 33.4, 4.0}, {4.2, 4.4, 4.3}), 2.5, 0.6);         // over the teeth
    add_pair(strand({{{4.2, 37.0, 5.5}, 1.1}, {{5.5, 37.5, 3.2}, 0.95}, {{6.3, 38.0, 0.4}, 0.6}}), 2.6,
             0.6);  // cheekbone
    add_pair(lump({3.4, 35.6, 5.6}, {1.9, 2.2, 1.7}), 2.0, 0.6);
    // Brow.
    add_pair(
        strand({{{0.5, 41.0, 7.2}, 0.75}, {{2.6, 41.4, 7.0}, 0.75}, {{4.6, 41.1, 5.5}, 0.65}, {{5.6, 39.8, 4.0}, 0.5}}),
        2.2, 0.4);
}

void sculpt_jaw(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge = 0) {
        s.add("jaw", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge = 0) {
        s.add_pair("jaw", shape, clay, touch(blend, edge));
    };
    add_pair(strand({{{5.7, 36.0, -0.6}, 0.8},
                     {{5.1, 32.2, 0.3}, 1.0},
                     {{4.2, 30.4, 2.8}, 1.0},
                     {{2.6, 29.3, 5.2}, 1.0},
                     {{0.6, 28.7, 6.8}, 1.0}}),
             2.8, 0.6);
    add(lump({0, 29.0, 7.1}, {1.9, 1.35, 1.25}), 1.2, 0.5);
    add(lump({0, 30.3, 2.4}, {3.4, 1.7, 4.3}), 2.4, 0.7);  // floor of the mouth
}

const Vec3d eye{3.15, 39.15, 5.75};

void sculpt_eyes(Sculpture& s) {
    const Vec3d centre = at(eye.x, eye.y, eye.z);
    s.carve_pair(lump({3.1, 39.2, 8.3}, {1.9, 1.15, 1.7}), touch(1.5, 0.4));
    const auto add_pair = [&](const Shape& shape, double blend, double edge) {
        s.add_pair("head", shape, clay, touch(blend, edge));
    };
    add_pair(ball(centre, 1.2 * scale), 0.15, 0.17);
    // Lids are shells around the ball, cut by planes through the corners of the eye.
    const auto lid = [&](double degrees, double up, double thickness) {
        const double turns = degrees / 360;
        const Vec3d outward{0.06 * up, -up * cowave(turns), wave(turns)};
        return ball(centre, (1.2 + thickness) * scale).cut(centre, outward, 0.16 * scale);
    };
    add_pair(lid(27, 1, 0.28), 0.3, 0.17);
    add_pair(lid(19, -1, 0.25), 0.35, 0.17);
    // The fold between the upper lid and the brow.
    add_pair(strand({{{1.7, 40.1, 6.5}, 0.3}, {{3.2, 40.75, 6.7}, 0.5}, {{4.7, 40.0, 5.5}, 0.35}}), 0.6, 0.3);
}

void sculpt_nose(Sculpture& s) {
    const auto add = [&](const Shape& shape, double blend, double edge) {
        s.add("head", shape, clay, touch(blend, edge));
    };
    const auto add_pair = [&](const Shape& shape, double blend, double edge) {
        s.add_pair("head", shape, clay, touch(blend, edge));
    };
    add(strand({{{0, 40.6, 7.3}, 0.7}, {{0, 39.0, 7.6}, 0.68}, {{0, 37.2, 8.8}, 0.75}, {{0, 35.9, 9.4}, 0.78}}), 1.7,
        0.35);
    add(lump({0, 35.75, 9.55}, {0.95, 0.8, 0.85}), 0.6, 0.3);
    add_pair(lump({1.05, 35.4, 8.3}, {0.72, 0.72, 1.0}), 0.9, 0.28);
    add(strand({{{0, 35.3, 9.5}, 0.4}, {{0, 34.9, 8.3}, 0.42}}), 0.7, 0.28);
    s.carve_pair(lump({0.62, 34.7, 8.6}, {0.3, 0.4, 0.5}), touch(0.45, 0.2));
    s.carve_pair(strand({{{1.75, 36.1, 8.2}, 0.1}, {{2.0, 35.2, 8.3}, 0.12}, {{2.7, 33.9, 8.3}, 0.1}}),
                 touch(0.9, 0.35));
}

const Shape slit = strand({{{-2.5, 32.35, 7.2}, 0.08},
                           {{-1.4, 32.3, 8.35}, 0.08},
                           {{0, 32.35, 8.95}, 0.09},
                           {{1.4, 32.3, 8.35}, 0.08},
                           {{2.5, 32.35, 7.2}, 0.08}},
                          6);
const Shape upper_lip = strand({{{-2.5, 32.35, 6.9}, 0.15},
                                {{-1.4, 32.62, 8.0}, 0.4},
                                {{-0.5, 32.85, 8.5}, 0.44},
                                {{0, 32.72, 8.6}, 0.42},
                                {{0.5, 32.85, 8.5}, 0.44},
                                {{1.4, 32.62, 8.0}, 0.4},
                                {{2.5, 32.35, 6.9}, 0.15}});
const Shape lower_lip = strand({{{-2.4, 32.3, 6.9}, 0.15},
                                {{-1.3, 31.95, 7.9}, 0.45},
                                {{-0.4, 31.8, 8.3}, 0.56},
                                {{0.4, 31.8, 8.3}, 0.56},
                                {{1.3, 31.95, 7.9}, 0.45},
                                {{2.4, 32.3, 6.9}, 0.15}});

void sculpt_mouth(Sculpture& s) {
    s.carve(lump({0, 30.65, 8.9}, {1.7, 0.4, 0.8}), touch(1.1, 0.4));  // above the chin
    s.add("head", upper_lip, clay, touch(0.5, 0.28));
    s.add("jaw", lower_lip, clay, touch(0.5, 0.28));
    s.carve(strand({{{0, 34.2, 8.75}, 0.15}, {{0, 33.4, 9.05}, 0.18}}), touch(0.5, 0.3));
    s.carve(slit, touch(0.4, 0.2));
}

void sculpt_ears(Sculpture& s) {
    const auto add_pair = [&](const Shape& shape, double blend, double edge) {
        s.add_pair("head", shape, clay, touch(blend, edge));
    };
    const Vec3d middle = at(7.35, 38.4, -2.3);
    const Quat lean = turned_y(-24) * turned_x(-12);
    add_pair(lump({6.8, 38.2, -1.7}, {1.4, 2.3, 1.4}), 0.8, 0.4);
    add_pair(egg(middle, radii(0.95, 2.9, 1.7)).turn(middle, lean), 0.7, 0.35);
    add_pair(strand({{{7.7, 38.6, -1.2}, 0.38},
                     {{7.75, 40.0, -1.0}, 0.42},
                     {{8.0, 41.0, -1.9}, 0.46},
                     {{8.4, 40.9, -3.2}, 0.5},
                     {{8.6, 39.6, -3.9}, 0.5},
                     {{8.4, 37.9, -3.5}, 0.48},
                     {{7.95, 36.4, -2.4}, 0.5},
                     {{7.5, 35.5, -1.6}, 0.52}}),
             0.5, 0.27);
    s.carve_pair(lump({8.6, 37.6, -1.9}, {0.75, 0.9, 0.75}), touch(0.7, 0.27));
    s.carve_pair(strand({{{8.6, 40.2, -1.9}, 0.25}, {{8.95, 39.7, -2.9}, 0.26}, {{9.0, 39.0, -3.1}, 0.15}}),
                 touch(0.6, 0.27));
    add_pair(lump({7.7, 37.6, -0.95}, {0.42, 0.6, 0.45}), 0.5, 0.27);
}

/// What sculptors do: the lower edge of a bust is a curve that leaves the arms out.
void cut_bust(Sculpture& s) {
    s.carve(below(at(0, 4, 0), {0, 1, 0}), touch(1.6));
    s.carve_pair(below(at(20.6, 12, 0), {-0.96, 0.28, 0}), touch(1.8));
    s.carve_pair(below(at(14.5, 4, 0), {-0.6, 0.8, 0}), touch(3.0));
}

void paint(Sculpture& s) {
    const auto soft = [](double cm) { return Touch{.softness = cm * scale}; };
    s.paint(upper_lip.grow(-0.02 * scale), lip, soft(0.5));
    s.paint(lower_lip.grow(-0.02 * scale), lip, soft(0.5));
    s.paint(slit.grow(0.06 * scale), mouth, soft(0.2));
}

void rig(Skeleton& k) {
    const auto spot = [](const NeckJoint& j) { return at(j.centre.x, j.centre.y, j.centre.z); };
    std::string parent;
    for (std::size_t i = 0; i < neck_joints.size(); ++i) {
        const NeckJoint& j = neck_joints[i];
        const Vec3d tail = i + 1 < neck_joints.size() ? spot(neck_joints[i + 1]) : at(0, 46, 1);
        k.add(j.name, parent, spot(j), tail);
        parent = j.name;
    }
    k.add("jaw", "skull", at(0, 37.2, -0.6), at(0, 29.2, 7.4));
    k.add("larynx", "C4", at(0, 26.2, 1.2), at(0, 22.2, 2.6));
}

void skin(Skinning& w) {
    w.add("torso", {{"base"}}, 2.6 * scale);
    std::vector<Link> chain;
    for (std::size_t i = 0; i < neck_joints.size(); ++i) chain.push_back({neck_joints[i].name, 1.7 * scale});
    w.add("neck", chain, 2.6 * scale);
    w.soft_spot("neck", "larynx", lump({0, 24.2, 3.8}, {0.9, 2.2, 0.9}), 0, 2.0 * scale, 0.9);
    w.add("head", {{"skull"}}, 2.0 * scale);
    w.add("jaw", {{"jaw"}}, 1.6 * scale);
    w.smoothing = 6;
}

}  // namespace

Design neck_design() {
    Design d;
    d.name = "neck";
    d.sculpture.cell = 0.72 * scale;
    d.sculpture.edge = 1.25 * scale;
    d.sculpture.fine_edge = 0.25 * scale;
    sculpt_torso(d.sculpture);
    sculpt_neck(d.sculpture);
    sculpt_throat(d.sculpture);
    sculpt_head(d.sculpture);
    sculpt_jaw(d.sculpture);
    sculpt_eyes(d.sculpture);
    sculpt_nose(d.sculpture);
    sculpt_mouth(d.sculpture);
    sculpt_ears(d.sculpture);
    cut_bust(d.sculpture);
    paint(d.sculpture);
    rig(d.skeleton);
    skin(d.skinning);
    return d;
}

}  // namespace fascia::characters
