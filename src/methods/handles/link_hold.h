// The flesh along a link between two handles, carried as by a bone: it turns with the link, stretches only along it,
// and a twist of one end fades towards the other. Around a handle flesh is left free to bend, except for the points
// that the handle itself holds, which follow it alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/handles/handle_maps.h"
#include "methods/handles/handle_points.h"

namespace fascia {

class LinkHold {
public:
    LinkHold() = default;
    LinkHold(const HandlePoints& points, const HandleMaps& maps, double proximal);

    /// Adds the points that links between enabled handles hold. held: [points]
    void add_held(std::span<const std::uint8_t> enabled, std::span<std::uint8_t> held) const;
    /// The same for these points alone, numbered by their order here.
    LinkHold only(std::span<const std::uint32_t> chosen, std::size_t points) const;
    /// Whether a link may hold a point. Such points are not smoothed: a link may stretch them.
    bool may_hold(std::uint32_t point) const { return !of_links_.empty() && of_links_[point]; }
    /// Puts those points where the links carry them, and those that a handle holds where it carries them; free points
    /// near a link start near there. places: of the solver, in units about `origin`. turns: [4 * stride] channels, of
    /// free points; if empty, only held points are placed. of_handles: [handles] from rest
    void place(std::span<const LinkMap> links, std::span<const Affine> of_handles,
               std::span<const std::uint8_t> enabled, Vec3d origin, double unit, std::span<float> places,
               std::span<float> turns, std::size_t stride) const;

private:
    struct Point {
        std::uint32_t point, link;
        float along;  ///< 0 at the first end of the link, 1 at the other
        Vec3 off;     ///< from there to the point
        float share;  ///< 1: held; less: nearly held, only a start for the search
    };
    struct Near {
        std::uint32_t point, handle;
        Vec3 rest;
    };
    std::vector<Point> points_;
    std::vector<Near> near_;
    std::vector<std::uint8_t> of_links_;  ///< [points]
    std::vector<PseudoEdge> ends_;        ///< [links]
};

}  // namespace fascia
