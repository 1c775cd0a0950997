// Something solid that flesh may touch: how far outside it a place is, and which way is out.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/box_tree.h"
#include "contact/rest_distance.h"
#include "fascia/math.h"

namespace fascia::contact {

/// The half space dot(normal, p) <= height.
struct HalfSpace {
    Vec3 normal;
    float height = 0;
};

/// The half spaces that form the smallest convex body around some points; empty if that has no volume.
std::vector<HalfSpace> convex_hull(std::span<const Vec3> points);
/// Its triangles, facing outwards. [triangles * 3]
std::vector<std::uint32_t> hull_triangles(std::span<const Vec3> points);

/// Is every edge shared by two triangles that face the same way?
bool is_closed(std::span<const std::uint32_t> triangles);

/// In its own coordinates, in which it never moves.
class Solid {
public:
    static Solid plane();
    static Solid sphere(float radius);
    static Solid capsule(float radius, float length);  ///< along y
    static Solid box(Vec3 size);
    static Solid hull(std::vector<HalfSpace> sides, std::span<const Vec3> points);
    static Solid mesh(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles);

    /// Distance to its surface, negative inside, and the direction out, of length 1. Outside it may be less than the
    /// true distance, but it is 0 only at the surface.
    float distance(Vec3 p, Vec3& out) const;
    /// How far along the way from `from` (outside) to `to` it is first met; 1: never.
    float first_met(Vec3 from, Vec3 to) const;

    bool is_endless() const { return kind_ == Kind::plane; }
    const FloatBox& box() const { return box_; }  ///< empty if it is infinite

private:
    enum class Kind { plane, sphere, capsule, box, hull, mesh };
    /// A closed mesh as distances on a grid.
    struct Field {
        RestDistance distance;  ///< in cells
        Vec3 first;
        float cell = 1;
    };

    Kind kind_ = Kind::plane;
    float radius_ = 0, half_length_ = 0;
    Vec3 half_;
    std::vector<HalfSpace> sides_;
    std::shared_ptr<const Field> field_;
    FloatBox box_;
};

}  // namespace fascia::contact
