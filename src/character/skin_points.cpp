#include "character/skin_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "character/loose_parts.h"
#include "character/outermost_points.h"

namespace fascia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The skin around an ankle or a wrist belongs to the foot or the hand, whichever bone it follows: it is lifted with
/// them.
class PartFinder {
public:
    PartFinder(const Character& character, const CharacterRest& rest, const Anatomy& anatomy)
        : parts_(parts_of_nodes(character, rest, anatomy)) {
        for (int s = 0; s < 2; ++s) {
            add_limb(rest, anatomy.legs[s], left_knee + s, left_foot + s);
            add_limb(rest, anatomy.arms[s], left_elbow + s, left_hand + s);
        }
    }

    int part_of(int node, Vec3d place) const {
        const int part = parts_[node];
        for (const LowerLimb& limb : limbs_)
            if (part == limb.part && length(place - limb.end) < length(place - limb.middle)) return limb.end_part;
        return part;
    }

private:
    struct LowerLimb {
        int part = -1, end_part = -1;
        Vec3d middle, end;
    };

    void add_limb(const CharacterRest& rest, const Limb& limb, int part, int end_part) {
        if (limb[limb_lower] < 0 || limb[limb_end] < 0) return;
        const auto& at = rest.skeleton.positions;
        limbs_.push_back({part, end_part, at[limb[limb_lower]], at[limb[limb_end]]});
    }

    std::vector<int> parts_;
    std::vector<LowerLimb> limbs_;
};

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

SkinPoints::SkinPoints(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                       const BodyFrame& frame, const LooseParts& loose, const std::array<double, kCarriers>& standing)
    : up_(frame.up()) {
    add_surface(character, rest, anatomy, frame, loose);
    const PartHeights surface = lowest(rest.world);  // the floor is still at 0
    floor_ = std::min(surface[left_foot], surface[right_foot]);
    if (!std::isfinite(floor_)) {
        for (const Limb& leg : anatomy.legs)
            for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)})
                if (leg[part] >= 0) floor_ = std::min(floor_, dot(rest.skeleton.positions[leg[part]], up_));
    }
    if (!std::isfinite(floor_)) floor_ = *std::min_element(surface.begin(), surface.end());
    if (!std::isfinite(floor_)) floor_ = 0;
    add_joints(rest, anatomy, standing);
    double top = -kInfinity, bottom = kInfinity;
    for (const Point& point : points_) {
        const double h = height_of(point, rest.world);
        top = std::max(top, h);
        bottom = std::min(bottom, h);
    }
    height_ = top > bottom ? top - bottom : 0;
}

void SkinPoints::add_surface(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                             const BodyFrame& frame, const LooseParts& loose) {
    const PartFinder finder(character, rest, anatomy);
    OutermostVertices skinned(frame);
    const auto slots = static_cast<std::size_t>(std::max(0, character.weights.influences));
    const std::size_t vertices = slots > 0 ? character.mesh.positions.size() : 0;
    for (std::size_t v = 0; v < vertices && (v + 1) * slots <= character.weights.weights.size(); ++v) {
        const Vec3d place = to_double(character.mesh.positions[v]);
        // The largest weight comes first.
        const int node = character.joints[character.weights.joints[v * slots]].node;
        if (is_finite(place) && !loose.is_loose(node)) skinned.add(node, static_cast<int>(v), place);
    }
    skinned.visit(
        [&](int node, int vertex, Vec3d place) { add_point(character, vertex, finder.part_of(node, place)); });

    OutermostVertices rigid(frame);
    for (const Part& part : character.rigid.parts) {
        if (part.node < 0 || loose.is_loose(part.node)) continue;
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            const Vec3d place = transform_point(rest.world[part.node], to_double(character.rigid.positions[v]));
            if (is_finite(place)) rigid.add(part.node, v, place);
        }
    }
    rigid.visit(
        [&](int node, int, Vec3d place) { add_rigid_point(rest, node, place, finder.part_of(node, place), 0); });
}

/// For a part without skin.
void SkinPoints::add_joints(const CharacterRest& rest, const Anatomy& anatomy,
                            const std::array<double, kCarriers>& standing) {
    const PartHeights surface = lowest(rest.world);
    const auto add = [&](int joint, int part, double clearance) {
        if (joint < 0 || std::isfinite(surface[part])) return;
        add_rigid_point(rest, rest.nodes[joint], rest.skeleton.positions[joint], part, clearance);
    };
    for (int s = 0; s < 2; ++s) {
        const Limb &leg = anatomy.legs[s], &arm = anatomy.arms[s];
        for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)})
            if (leg[part] >= 0) add(leg[part], left_foot + s, dot(rest.skeleton.positions[leg[part]], up_) - floor_);
        add(arm[limb_end], left_hand + s, standing[left_hand + s]);
        add(leg[limb_lower], left_knee + s, standing[left_knee + s]);
        add(arm[limb_lower], left_elbow + s, standing[left_elbow + s]);
        add(arm[limb_upper], trunk, standing[trunk]);
    }
    for (int joint : {anatomy.hips, anatomy.head}) add(joint, trunk, standing[trunk]);
}

void SkinPoints::add_point(const Character& character, int vertex, int part) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    const Vec3d place = to_double(character.mesh.positions[vertex]);
    Point point{part, 0, static_cast<int>(influences_.size()), 0};
    for (std::size_t i = vertex * slots; i < (vertex + 1) * slots; ++i) {
        const double weight = character.weights.weights[i];
        if (!(weight > 0)) continue;
        const Joint& joint = character.joints[character.weights.joints[i]];
        influences_.push_back({joint.node, weight, transform_point(inverse(joint.rest), place)});
        ++point.count;
    }
    if (point.count > 0) points_.push_back(point);
}

void SkinPoints::add_rigid_point(const CharacterRest& rest, int node, Vec3d place, int part, double clearance) {
    points_.push_back({part, clearance, static_cast<int>(influences_.size()), 1});
    influences_.push_back({node, 1, transform_point(inverse(rest.world[node]), place)});
}

double SkinPoints::height_of(const Point& point, const std::vector<Affine>& world) const {
    double height = 0;
    for (int i = point.first; i < point.first + point.count; ++i) {
        const Influence& influence = influences_[i];
        height += influence.weight * dot(transform_point(world[influence.node], influence.place), up_);
    }
    return height;
}

PartHeights SkinPoints::lowest(const std::vector<Affine>& world) const {
    PartHeights lowest;
    lowest.fill(kInfinity);
    for (const Point& point : points_)
        lowest[point.part] = std::min(lowest[point.part], height_of(point, world) - point.clearance - floor_);
    return lowest;
}

}  // namespace fascia
