// Regions of shape matching: the nodes of a box around each node that tissue connects to it inside the box.
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
///
/// With a spacing above 1 only some nodes anchor a region and the others have no members: in each block of spacing^3
/// cells the node nearest to its middle, plus as many more as are needed for every node of the block to be in one of
/// these regions.
Regions find_regions(const Tissue& tissue, int width, int spacing = 1);

/// Wide regions overlap so much that one per node would be redundant: with this spacing a node lies in about as many
/// regions as with width 3.
int region_spacing(int width);

}  // namespace fascia::lattice
