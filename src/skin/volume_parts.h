// Hierarchical volume preservation (docs/formulas.md D5): each part of a lattice of cells is moved along given
// directions until it has its rest volume again, from the root to the leaves.
//
// The volume of a particle is that of the octants of its cells (0.5 OCTANT), so that the particles' volumes add up to
// those of the cells. Moved by lambda along fixed directions, the volume of a part is a cubic in lambda.
//
// Lengths are in cells. Channels: x..., y..., z... of `stride` floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fascia {

/// V(lambda) = a[0] + a[1] lambda + a[2] lambda^2 + a[3] lambda^3
struct Cubic {
    double a[4] = {0, 0, 0, 0};
    double at(double lambda) const { return a[0] + lambda * (a[1] + lambda * (a[2] + lambda * a[3])); }
};

/// Volume around one particle that all eight cells surround: det of half the differences of opposite neighbours.
struct WholeVolume {
    std::uint32_t neighbours[6];  ///< -x +x -y +y -z +z
};
/// Volume of one octant: det of half the edges from its corner.
struct OctantVolume {
    std::uint32_t corner, along[3];
    float sign = 1;  ///< -1 where an odd number of edges run downwards
};

struct VolumePart {
    int joint = -1;
    std::uint32_t member_first = 0, member_last = 0;  ///< into VolumeParts::members
    std::uint32_t whole_first = 0, whole_last = 0;
    std::uint32_t octant_first = 0, octant_last = 0;
    double rest_volume = 0;  ///< in cells
};

/// Parts in the order in which they are solved: root to leaves.
struct VolumeParts {
    std::vector<VolumePart> parts;
    std::vector<std::uint32_t> members;
    std::vector<WholeVolume> wholes;
    std::vector<OctantVolume> octants;
    std::vector<float> directions;  ///< [3 * stride] s_p u_p at rest, zero where nothing moves
};

/// Volume of a part as a polynomial: where the particles are, and where lambda = 1 would move them from there.
Cubic volume_polynomial(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                        std::span<const float> positions, std::span<const float> moves);
double part_volume(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                   std::span<const float> positions);

/// The root of V(lambda) = volume that Newton's method finds from 0, at most `limit` away; 0 where no step brings it
/// nearer.
double nearest_root(const Cubic& cubic, double volume, double limit);

/// Moves the particles of all parts. rotations: [4 * stride] by which the directions have turned. moves: [3 * stride]
/// scratch, all zero before and after. lambdas: [parts]
void preserve_volumes(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                      std::span<float> moves, std::span<float> positions, std::span<float> lambdas);

/// What preserve_volumes does once its lambdas are known.
void move_parts(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                std::span<const float> lambdas, std::span<float> positions);

/// How far a part may move, in cells.
inline constexpr double furthest_move = 2;

}  // namespace fascia
