// Volumes of parts of a surface (docs/formulas.md 0.6, E10 to E12). The surface is divided among parts by edges; where
// parts meet, and where the surface has a hole, each part is closed by a fan to a point that the skeleton carries. The
// fans of neighbours cancel, so that the parts add up to the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "fascia/math.h"

namespace fascia::sim {

struct SubVolumes {
    /// A fan's middle.
    struct Apex {
        Vec3d rest;
        std::uint16_t joint = 0;
    };
    std::vector<Apex> apexes;
    std::vector<double> rest_volume;          ///< [parts]
    std::vector<std::uint32_t> first_entry;   ///< [parts + 1] vertices of each part, then its apexes
    std::vector<std::uint32_t> entries;       ///< vertex, or `is_apex` + number of the apex
    std::vector<std::uint32_t> first_corner;  ///< [parts + 1] into corners
    std::vector<std::uint32_t> corners;       ///< triangles of each part, fans included, as entries of the part
    std::vector<std::uint32_t> first_use;     ///< [vertices + 1]
    std::vector<std::uint32_t> uses;          ///< entries of each vertex: more than one where parts meet
    std::vector<std::uint32_t> part_of;       ///< [entries]

    static constexpr std::uint32_t is_apex = 0x80000000u;
    std::size_t parts() const { return rest_volume.size(); }
};

/// part: [triangles] in 0..parts, or `no_part`: triangles that belong to no part.
inline constexpr std::uint32_t no_part = 0xffffffffu;
struct DividedSurface {
    std::span<const Vec3d> positions;          ///< [vertices] rest
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    std::span<const std::uint32_t> part;       ///< [triangles]
    std::size_t parts = 0;
};
/// `place_apex(vertices)` returns the middle of the fan of a border with these vertices, and the joint that carries it.
template <class PlaceApex>
SubVolumes divide_volume(const DividedSurface& surface, PlaceApex&& place_apex);

/// Connected borders, each once. [borders] the vertices of each, ascending
std::vector<std::vector<std::uint32_t>> find_borders(const DividedSurface& surface);
SubVolumes close_parts(const DividedSurface& surface, const std::vector<std::vector<std::uint32_t>>& borders,
                       std::vector<SubVolumes::Apex> apexes);

template <class PlaceApex>
SubVolumes divide_volume(const DividedSurface& surface, PlaceApex&& place_apex) {
    const std::vector<std::vector<std::uint32_t>> borders = find_borders(surface);
    std::vector<SubVolumes::Apex> apexes;
    for (const auto& border : borders) apexes.push_back(place_apex(border));
    return close_parts(surface, borders, std::move(apexes));
}

/// Where the vertices and apexes are. Channels of `stride` floats, from place `first` on.
struct VolumePlaces {
    const float* channels = nullptr;
    std::size_t stride = 0;
    std::span<const Vec3> apexes;
};
/// What a pass computes about the parts.
struct VolumeState {
    std::span<double> volume;   ///< [parts]
    std::span<Vec3> gradients;  ///< [entries] dV/dx
};
/// V = 1/6 sum x_a . (x_b x x_c), dV/dx = a sixth of the normals around x (twice their area).
void measure_volumes(const SubVolumes& volumes, const VolumePlaces& places, const VolumeState& out, ThreadPool& pool);

/// x -= share * w g (V - V0) / sum w |g|^2, for all parts at once. weights: [vertices] inverse masses; 0: stays
void correct_volumes(const SubVolumes& volumes, const VolumeState& state, std::span<const float> weights, float share,
                     std::span<double> scratch, float* channels, std::size_t stride);
/// v -= w g (sum g . v) / sum w |g|^2: the parts neither grow nor shrink. The apexes move at their own speeds.
void remove_divergence(const SubVolumes& volumes, const VolumeState& state, std::span<const float> weights,
                       std::span<const Vec3> apex_speeds, std::span<double> scratch, float* velocities,
                       std::size_t stride);

}  // namespace fascia::sim
