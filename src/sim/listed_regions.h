// Shape matching over regions that are lists: any width, any shape, and fewer regions than points (docs/formulas.md
// A6).
//
// A region is fitted as in segment_step.h. Its rigid map goes into a record; a point adds up the records of the regions
// that hold it. Records are in double, so that maps about the common origin add up without loss of precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "sim/segment_step.h"

namespace fascia::sim {

/// Members next to one another along x.
struct RegionRun {
    std::uint32_t slot = 0;              ///< place of the first in a channel
    std::int8_t dx = 0, dy = 0, dz = 0;  ///< from the region's point to the first
    std::uint8_t count = 0;
};

struct ListedRegions {
    static constexpr std::size_t record = 16;  ///< doubles: T = t - R x0 (3), R by columns (9), relative rotation (4)

    std::vector<std::uint32_t> anchors;    ///< [regions] place of the point that each region belongs to
    std::vector<std::uint32_t> run_first;  ///< [regions + 1]
    std::vector<RegionRun> runs;
    std::vector<float> inverse_mass, pull;  ///< [regions] 1 / M; weight of the driven rotation in the fit
    std::vector<float> center;              ///< [3 * regions] rest centre of mass from the anchor, channel by channel
    std::vector<std::uint32_t> points;      ///< [points] places, ascending
    std::vector<std::uint32_t> owner_first, owners;  ///< [points + 1] regions that hold each point

    std::size_t size() const { return anchors.size(); }
};

/// What the two passes share: rest positions (3 channels), records, and the sums of goals minus the point (3 channels).
struct ListedStep {
    const ListedRegions* regions = nullptr;
    const float* rest = nullptr;
    double* records = nullptr;
    float* goals = nullptr;
};

/// Over groups of eight regions.
FASCIA_DECLARE_KERNEL(void fit_listed(const SegmentStep& step, const ListedStep& listed, const float* from,
                                      std::size_t begin, std::size_t end))
/// Over points. Also gives each point the mean of its regions' rotations.
FASCIA_DECLARE_KERNEL(void sum_listed(const SegmentStep& step, const ListedStep& listed, const float* from,
                                      std::size_t begin, std::size_t end))

}  // namespace fascia::sim
