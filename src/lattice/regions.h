// Regions of shape matching: the nodes of a box around each node, as far as tissue leads there inside the box.
#pragma once

#include <cstdint>
#include <vector>

#include "lattice/connectivity.h"

namespace fascia::lattice {

struct Regions {
    std::vector<std::uint32_t> member_first, members;  ///< [nodes + 1]: nodes of the region anchored at each node
    std::vector<std::uint32_t> owner_first, owners;    ///< [nodes + 1]: regions that hold each node; the transpose
};

/// `width` cells on a side: odd widths are centred; even ones reach one cell further up than down, so that width 2 is
/// the block of offsets 0..1 (docs/formulas.md A6). At most one node per cell, the first that the walk from the middle
/// meets; members are in the order of their cells.
Regions find_regions(const Tissue& tissue, int width);

}  // namespace fascia::lattice
