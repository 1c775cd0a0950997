// What the rig files of methods with points inside the body have in common: their bytes, and the checks when reading.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
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

/// exchange(bytes, members...): writes the members (ByteWriter) or reads them (ByteReader), so that one list serves
/// both.
template <class Bytes, class... Members>
void exchange(Bytes& bytes, Members&... members);

template <class Bytes, class T>
void exchange_one(Bytes& bytes, T& member) {
    using Value = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Value, lattice::Grid>)
        exchange(bytes, member.origin, member.h, member.nx, member.ny, member.nz);
    else if constexpr (std::is_same_v<Value, lattice::CornerLattice>)
        exchange(bytes, member.places, member.of_cell);
    else if constexpr (std::is_same_v<Value, weights::Influences>)
        exchange(bytes, member.joints, member.weights);
    else if constexpr (std::is_same_v<Value, embedding::Trilinear>)
        exchange(bytes, member.points, member.weights);
    else if constexpr (requires { member.data(); })
        bytes.array(member);
    else if constexpr (std::is_same_v<Value, bool> && std::is_same_v<Bytes, ByteReader>)
        member = bytes.template value<std::uint8_t>() != 0;  // a byte that is not a bool must not become one
    else if constexpr (std::is_same_v<Bytes, ByteReader>)
        member = bytes.template value<Value>();
    else
        bytes.value(member);
}

template <class Bytes, class... Members>
void exchange(Bytes& bytes, Members&... members) {
    (exchange_one(bytes, members), ...);
}

inline constexpr int most_cells = 4096;  ///< along one side of a grid

template <class Values, class Test>
bool all_pass(const Values& values, Test&& test) {
    return std::all_of(values.begin(), values.end(), test);
}
/// Checks a grid to be filled, for a body of this size about this centre.
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
