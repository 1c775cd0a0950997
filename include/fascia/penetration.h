// Where a surface passes through itself: pairs of triangles that cross and how deep, the volume that it covers twice,
// and vertices inside other flesh. Crossings that exist at rest do not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/math.h"
#include "fascia/measure.h"

FASCIA_API_BEGIN
namespace fascia {

struct Crossings {
    std::size_t pairs = 0;
    double depth = 0;  ///< of the deepest pair, divided by the size
};

class CrossingMeter {
public:
    CrossingMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, double size);

    /// Pairs that cross and do not share a (welded) vertex, each once, the lower triangle first; ascending.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(std::span<const Vec3> positions) const;
    /// Those of them that do not cross at rest.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> new_pairs(std::span<const Vec3> positions) const;
    Crossings measure(std::span<const Vec3> positions) const;

private:
    std::vector<std::uint32_t> triangles_;
    Weld weld_;
    double size_ = 1;
    struct Search;
    std::shared_ptr<const Search> search_;                          ///< finds triangles near one another
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at_rest_;  ///< ascending
};

struct Overlap {
    double twice_volume = 0;          ///< where at least two parts of the body are, over its volume at rest
    std::size_t vertices_inside = 0;  ///< of other flesh; those at one place count once
};

/// Columns along z through the surface: within one, the stretches between triangles are exact.
class OverlapMeter {
public:
    /// columns: their number along the longer side of the area they cover. Holes are closed by fans; sheets that are
    /// mostly hole are not flesh.
    OverlapMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, int columns = 256);

    Overlap measure(std::span<const Vec3> positions) const;

private:
    struct FASCIA_INSIDE Flesh;
    std::shared_ptr<const Flesh> flesh_;
};

/// Each vertex moved to where its flesh meets the bone: `share` of the way to the nearest point of the bone that moves
/// it most.
std::vector<Vec3> bone_interface(const Character& character, double share = 0.8);

/// Counts the pairs that the motion forces to cross: those that would cross even if all flesh gave way down to its
/// bones. Around a joint, where neighbours belong to different bones, the interface is not a surface, so pairs count
/// only if their skin was farther apart at rest than their flesh is deep.
class BoneCrossings {
public:
    explicit BoneCrossings(const Character& character);
    /// bones: bone_interface, carried by plain skinning
    std::size_t measure(std::span<const Vec3> bones) const;

private:
    CrossingMeter meter_;
    std::vector<Vec3d> skin_;    ///< [triangles] middles at rest
    std::vector<double> depth_;  ///< [triangles] from the skin to the bone
};

/// Does an edge of one triangle pass through the inside of the other?
bool triangles_cross(const Vec3d (&a)[3], const Vec3d (&b)[3]);
/// How far apart two crossing triangles would have to be moved along the normal of one of them, whichever is less.
double crossing_depth(const Vec3d (&a)[3], const Vec3d (&b)[3]);

}  // namespace fascia
FASCIA_API_END
