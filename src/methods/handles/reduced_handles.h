// Handles that pose a few frames instead of all points, which skin the surface (sim/reduced_arap.h): for crowds and for
// dragging large meshes.
#pragma once

#include <span>
#include <vector>

#include "methods/handles/handle_points.h"
#include "methods/handles/link_hold.h"
#include "sim/reduced_arap.h"
#include "skin/skinned_surface.h"

namespace fascia {

/// What one set of enabled handles needs.
struct ReducedFactor {
    sim::ReducedHold hold;
    LinkHold links;            ///< of the chosen points, by their number among them
    LinkHold links_at_frames;  ///< of the centres of frames
};

class ReducedHandles {
public:
    ReducedHandles() = default;
    ReducedHandles(const RestSurface& rest, const HandlePoints& points);

    std::size_t frame_count() const { return arap_.frame_count(); }
    /// The points that are frames.
    const std::vector<std::uint32_t>& centres() const { return arap_.spread().centres; }
    ReducedFactor factor(std::span<const std::uint8_t> held, const LinkHold& links) const;

    struct Scratch {
        sim::ReducedScratch arap;
        std::vector<Vec3> targets;
        std::vector<float> places, centres;
        std::vector<Affine> pose;
    };
    /// carried: [handles] from rest. turns: [4 * frames] channels, a guess that links improve. frames: [12 * frames] in
    /// units about the origin
    void follow(const ReducedFactor& factor, const HandlePoints& points, std::span<const LinkMap> links,
                std::span<const Affine> carried, std::span<const std::uint8_t> enabled, Vec3d origin,
                std::span<float> turns, int rounds, Scratch& scratch, std::span<float> frames) const;
    void show(std::span<const float> frames, Vec3d origin, double unit, Scratch& scratch, const Surface& out,
              Workspace& work) const;
    /// Where the frames carry a point, in units about the origin, and what they do to directions there.
    Affine at_point(std::span<const float> frames, std::uint32_t point) const;

private:
    sim::ReducedArap arap_;
    LbsSurface skin_;  ///< of the vertices
    std::vector<Vec3> rest_;
};

}  // namespace fascia
