// A body among solids: places on its surface, which follow the flesh, are pushed out of whatever they get into.
//
//     frame:  begin    where the solids are at its beginning
//     step:   press    right after the method's own step
//
// A place is a vertex: for each point, the outermost of those that it carries. It follows the drawn surface: skinned by
// its own weights and carried further by the offsets of the points around it, or carried by these alone if the surface
// is not skinned. The stretch of scaled bones is left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/solid_press.h"
#include "embed/trilinear.h"
#include "methods/shared/joint_places.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/world_impl.h"

namespace fascia {

/// What is needed of a body. Points go by number, channels by their places.
struct TouchableBody {
    double h = 1;
    Vec3d centre;
    int turn = 0;
    double size = 1;  ///< scene units
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;  ///< [points]
    const RestSurface* surface = nullptr;
    const embedding::Trilinear* bound = nullptr;
    std::span<const float> shown;  ///< [stride] share of an offset that is shown; empty: all of it
    std::span<const float> reach;  ///< [points] largest offset, in h; 0: bone
    bool skinned = false;          ///< see above
    bool linear = false;           ///< skinned by linear blending
};

/// One instance right after a step.
struct TouchingBodyNow {
    contact::TouchedPoints points;  ///< its limits are ignored
    PointFrame frame;
    std::span<const float> duals;  ///< [joints * 8] from rest to the frame, or empty if nothing is skinned
    std::span<const JointPlace> joints;
};

class WorldTouch {
public:
    explicit WorldTouch(const TouchableBody& body);

    std::size_t place_count() const { return places_.size(); }

    /// Where each solid is at a moment. joints: the body's
    SolidPlace place_of(const World::Impl& world, std::size_t solid, double share,
                        std::span<const JointPlace> joints) const;

    /// Does it take part: is it near the body, and does it know the joint that it moves with?
    void find_near(const World::Impl& world, const PointFrame& frame, contact::ConstChannels positions,
                   std::vector<std::uint32_t>& out) const;

    struct Moving {
        Vec3 at, speed;
    };
    struct Scratch {
        std::vector<std::uint32_t> near;
        std::vector<SolidPlace> before, now;  ///< [solids]
        contact::PressSums sums;
        std::vector<Moving> moving;        ///< [places] those that were checked in this step
        std::vector<std::uint64_t> known;  ///< [places] the step in which it was last checked
        std::uint64_t step = 0;
        std::vector<Vec4> leads;  ///< [patches] where the lead of each is, and how far its patch may reach in this step
    };
    /// From scratch.before to scratch.now. Returns whether anything was pressed.
    bool press(const World::Impl& world, const TouchingBodyNow& body, Scratch& scratch) const;
    /// A body that has fallen asleep wakes when this changes.
    std::uint64_t tag(const World::Impl& world, std::span<const std::uint32_t> near) const;

private:
    static constexpr std::size_t slots = embedding::Trilinear::slots;
    struct Place {
        Vec3 rest;
        std::uint16_t joints[4];
        float skin[4];                  ///< weights of the joints
        std::uint32_t carriers[slots];  ///< places in channels
        float weights[slots];           ///< of the carriers, with the sum 1
        float shares[slots];            ///< of their offsets
        float yield = 1;                ///< how far it goes if all movable carriers go one way
    };
    struct Patch {
        std::uint32_t first = 0, count = 0;  ///< in places_
        std::uint32_t lead = 0;              ///< a point among them, in channels
        float radius = 0;                    ///< around it, at rest
    };
    /// A solid in the units of the points.
    struct SolidFrame {
        Vec3 rows[3];
        Vec3 shift;
        float scale = 1;  ///< scene units to a unit of the points
        Vec3 in_solid(Vec3 p) const { return Vec3{dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)} + shift; }
        /// A direction in the solid, to the axes of the points.
        Vec3 out_of_solid(Vec3 d) const { return (rows[0] * d.x + rows[1] * d.y + rows[2] * d.z) * (1 / scale); }
    };

    int main_joint(const Place& place) const;
    Moving moving_place(const Place& place, const contact::TouchedPoints& points, std::span<const float> duals) const;
    SolidFrame frame_of(const SolidPlace& place, const PointFrame& frame) const;
    Vec3 skinned_place(const Place& place, std::span<const float> duals) const;
    void press_one(const World::Impl& world, std::uint32_t solid, const TouchingBodyNow& body,
                   const contact::TouchedPoints& points, Scratch& scratch) const;
    int joint_of(const World::Impl& world, std::size_t solid) const;

    std::vector<Place> places_;
    std::vector<Patch> patches_;
    std::vector<float> limit_;  ///< [stride]
    std::vector<std::string> joint_names_;
    std::vector<Vec3d> joint_rests_;  ///< places at rest, scene
    float push_out_ = 0;              ///< units of the points per second
    float largest_patch_ = 0;
    bool skinned_ = false, linear_ = false;
};

}  // namespace fascia
