// A hand that pulls at flesh, for every method whose points have a memory: which points it holds, and how it moves them
// in a step.
#pragma once

#include <optional>
#include <span>

#include "base/links.h"
#include "fascia/method.h"
#include "methods/shared/joint_places.h"

namespace fascia {

/// What a hand needs to know about a body. Points go by number unless stated otherwise.
struct GripBody {
    double size = 1, h = 1;
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;     ///< [points] places in channels
    std::span<const float> rest;              ///< [3 * stride]
    std::span<const std::uint8_t> flesh;      ///< [points] 0 for bone
    Links links;                              ///< which points are connected
    std::span<const std::uint32_t> carriers;  ///< places that carry the surface, ascending
    std::span<const float> shown;             ///< [stride] share of an offset that is shown; empty: all of it
    std::span<const std::uint16_t> joints;    ///< [4 * stride] joints that carry a point
    std::span<const float> weights;           ///< [4 * stride]
};

/// The frame of the points at the moment, and how scaled bones stretch it.
struct GripPlace {
    PointFrame frame;
    std::span<const Affine> stretch;  ///< [joints] from the skeleton without bone scale to the true pose; or empty
    std::span<const float> driven;    ///< [3 * stride]
};

/// Takes hold of the flesh nearest to a position in the scene; false if there is none, or the body is further away than
/// a quarter of its size. `give`: [points] 0..1, how far the settings let a point move at all.
bool grip_flesh(const GripBody& body, const GripPlace& place, Vec3d point, std::span<const float> give, State& state);

bool is_held(const State& state, std::size_t stride);

/// Change of velocity of the held points, in the step that ends at `t` (0..1) of the frame. out: [3 * stride], zero
/// elsewhere.
void push_of_grip(const GripBody& body, const GripPlace& place, const State& state, double t, double dt,
                  std::span<float> out);

/// Where a ray first meets the surface as it is now.
std::optional<Vec3d> pick_surface(const Rig& rig, std::span<const std::uint32_t> triangles, const Ray& ray,
                                  const State& state, Workspace& work);

}  // namespace fascia
