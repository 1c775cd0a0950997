// Where a surface goes through itself: pairs of triangles that cross, and how deep. What crosses at rest does not
// count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fascia/api.h"
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
    Crossings measure(std::span<const Vec3> positions) const;

private:
    std::vector<std::uint32_t> triangles_;
    Weld weld_;
    double size_ = 1;
    struct Search;
    std::shared_ptr<const Search> search_;                          ///< what lies near what
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at_rest_;  ///< ascending
};

/// Does an edge of one triangle pass through the inside of the other?
bool triangles_cross(const Vec3d (&a)[3], const Vec3d (&b)[3]);
/// How far apart two crossing triangles would have to be moved along the normal of one of them, whichever is less.
double crossing_depth(const Vec3d (&a)[3], const Vec3d (&b)[3]);

}  // namespace fascia
FASCIA_API_END
