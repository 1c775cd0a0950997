// The experiments of lattice skinning (docs/papers/003.md).
#pragma once

#include "rows.h"

namespace fascia::experiments {

/// The lattice's default flesh at a resolution.
LatticeSettings lattice_flesh(int resolution);
RigPtr lattice_rig(const Character& character, const LatticeSettings& flesh);
/// Cells of the body at a resolution.
std::size_t cells_at(const Character& character, int resolution);
/// The resolution that comes closest to this many cells.
int resolution_for(const Character& character, std::size_t cells);

void speed_table(const std::string& folder);
void low_resolution(const std::string& folder);
void volume_at_joints(const std::string& folder);
void two_deltas(const std::string& folder);
void pressed_body(const std::string& folder);
void beside_layers(const std::string& folder);

}  // namespace fascia::experiments
