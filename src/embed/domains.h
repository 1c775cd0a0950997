// Which part of a surface belongs to which bone, for embeddings that treat each bone's part separately
// (docs/formulas.md C12), and how parts blend into one another: at the border of two, both count, in shares that add up
// to 1 (a partition of unity).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/surface_samples.h"
#include "fascia/math.h"

namespace fascia::embedding {

struct DomainInput {
    std::span<const Vec3> positions;
    std::span<const std::uint32_t> triangles;
    std::span<const std::uint16_t> joints;  ///< [vertices] that each follows most
    std::span<const SurfaceSample> samples;
    std::span<const Vec3d> places;  ///< [samples] where samples are, for systems
    double width = 0;               ///< how far, along the surface, a domain reaches into its neighbours
};

/// A domain that counts at a vertex, and how much.
struct DomainShare {
    std::uint32_t domain = 0;
    double share = 1;
};

struct Domains {
    std::vector<std::vector<std::uint32_t>> samples;  ///< [domains] ascending; those at borders are in several
    std::vector<std::uint32_t> of_vertex;             ///< [vertices] the domain that each belongs to
    std::vector<std::uint32_t> first;                 ///< [vertices + 1] into `shares`
    std::vector<DomainShare> shares;                  ///< of each vertex, adding up to 1
};

/// Domains with too few samples for a system of their own go to the neighbour with the longest common border.
Domains find_domains(const DomainInput& input);

}  // namespace fascia::embedding
