// Hierarchical volume preservation (docs/formulas.md D5): each part of a lattice of cells is moved along given
// directions until it has its rest volume again, from the root to the leaves.
//
// The volume of a particle is that of the octants of its cells (0.5 OCTANT), so that the particles' volumes add up to
// those of the cells. Moved by lambda along fixed directions, the volume of a part is a cubic in lambda.
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
/// octants is that product wherever they are all combinations of some sides along x, y and z.
struct BoxVolume {
    std::uint32_t ends[6];  ///< places -x +x -y +y -z +z; the particle itself on sides without an octant
};

struct VolumePart {
    int joint = -1;
    std::uint32_t member_first = 0, member_last = 0;  ///< into VolumeParts::members
    std::uint32_t box_first = 0, box_last = 0;
    double rest_volume = 0;  ///< in cells
    double furthest = 2;     ///< how far lambda may go, in cells
};

/// Parts in the order in which they are solved: root to leaves.
struct VolumeParts {
    std::vector<VolumePart> parts;
    std::vector<std::uint32_t> members;  ///< places; every particle is in one part
    std::vector<BoxVolume> boxes;
    std::vector<float> directions;       ///< [3 * stride] s_p u_p at rest, zero where nothing moves
    std::vector<std::uint16_t> part_at;  ///< [stride] which part; parts.size() where no particle is
};

/// Per place where a particle is, where lambda = 1 would move it from there if its part is being solved, and if it
/// will be: three vectors of four floats.
inline constexpr std::size_t volume_record = 12;

/// Volume of a part as a polynomial in lambda. records: [volume_record * stride]
Cubic volume_polynomial(const VolumeParts& all, const VolumePart& part, std::span<const float> records);
double part_volume(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                   std::span<const float> positions);

/// The root of V(lambda) = volume that Newton's method finds from 0, at most `limit` away; 0 where no step brings it
/// nearer.
double nearest_root(const Cubic& cubic, double volume, double limit);

/// How far each part has to go, lambdas: [parts]. rotations: [4 * stride] by which the directions have turned.
/// records: [volume_record * stride] scratch
void solve_volumes(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                   std::span<const float> positions, std::span<float> records, std::span<float> lambdas);

/// Moves the particles of all parts that far.
void move_parts(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                std::span<const float> lambdas, std::span<float> positions);

}  // namespace fascia
