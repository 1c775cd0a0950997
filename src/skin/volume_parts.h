// Hierarchical volume preservation (docs/formulas.md D5): each part of a lattice of cells is moved along given
// directions until it has its rest volume again, from the root to the leaves.
//
// The volume of a particle is that of the octants of its cells (docs/formulas.md 0.5), so that the particles' volumes
// add up to those of the cells. Moved by lambda along fixed directions, the volume of a part is a cubic in lambda.
//
// Lengths are in cells. Channels: x..., y..., z... of `stride` floats.
#pragma once

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

/// Octants around one particle that together are a box: det of half the differences of opposite neighbours. The sum of
/// octants equals that product if they are all combinations of the same sides along x, y and z.
struct BoxVolume {
    std::uint32_t ends[6];  ///< places -x +x -y +y -z +z; the particle itself on sides without an octant
};

struct VolumePart {
    int joint = -1;
    std::uint32_t box_first = 0, box_last = 0;
    std::uint32_t moved_first = 0, moved_last = 0;  ///< into VolumeParts::moved
    double rest_volume = 0;                         ///< in cells
    double furthest_in = 2, furthest_out = 2;       ///< how far lambda may go below and above 0
};

/// Parts in the order in which they are solved: root to leaves. Moving one of them changes no volume of a part before
/// it; particles of parts below it may move along.
struct VolumeParts {
    std::vector<VolumePart> parts;
    std::vector<std::uint32_t> places;  ///< of all particles
    std::vector<BoxVolume> boxes;
    std::vector<std::uint32_t> moved;  ///< places, by the part that moves them: some lie in a part below it
    std::vector<float> directions;     ///< [3 * stride] where lambda = 1 moves a particle at rest
    std::vector<std::uint16_t> mover;  ///< [stride] the part that moves it; parts.size() if none does
};

/// Per place: the particle's position, and its move for lambda = 1, as two vectors of four floats.
inline constexpr std::size_t volume_record = 8;

/// Volume of a part as a polynomial in lambda. records: [volume_record * stride]
Cubic volume_polynomial(const VolumeParts& all, const VolumePart& part, std::span<const float> records);
double part_volume(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                   std::span<const float> positions);

/// The root of V(lambda) = volume that Newton's method finds from 0, between `least` and `most`; 0 if no step brings
/// the volume nearer.
double nearest_root(const Cubic& cubic, double volume, double least, double most);

/// How far each part has to go, lambdas: [parts]. rotations: [4 * stride] by which the directions have turned.
/// records: [volume_record * stride]; afterwards holds the particles' positions, and no moves. Returns how far the
/// worst part is still off, as a share of its rest volume.
double solve_volumes(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                     std::span<const float> positions, std::span<float> records, std::span<float> lambdas);

/// Moves the particles that far.
void move_parts(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                std::span<const float> lambdas, std::span<float> positions);

}  // namespace fascia
