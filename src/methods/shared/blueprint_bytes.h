// What the rig files of methods with points inside the body have in common: their bytes, and the checks when reading.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "embed/trilinear.h"
#include "fascia/math.h"
#include "lattice/corners.h"
#include "lattice/grid.h"
#include "weights/influences.h"

namespace fascia {

void write_texts(const std::vector<std::string>& texts, ByteWriter& out);
std::vector<std::string> read_texts(ByteReader& in);

void write_grid(const lattice::Grid& grid, ByteWriter& out);
lattice::Grid read_grid(ByteReader& in);

inline constexpr int most_cells = 4096;  ///< along one side of a grid

template <class Values, class Test>
bool all_pass(const Values& values, Test&& test) {
    return std::all_of(values.begin(), values.end(), test);
}
/// Checks a grid that is to be filled, for a body of this size about this centre.
bool is_sound(const lattice::Grid& grid, double size, Vec3d centre);
/// Checks four slots for each of `points`, with joints below `joints`.
bool is_sound(const weights::Influences& influences, std::size_t points, std::size_t joints);
/// Checks that every point is held by some joint, the strongest first.
bool are_shares(const weights::Influences& influences);
/// Checks that corners are in order, those at the same place next to one another; that every cell is a cube, every
/// corner has a cell, and none has two cells on one side.
bool is_sound(const lattice::CornerLattice& corners, const lattice::Grid& grid);
/// Checks that each of `vertices` is carried by some of `points`.
bool is_sound(const embedding::Trilinear& bound, std::size_t vertices, std::size_t points);

}  // namespace fascia
