// Bone, flesh layers and skin: which layer each node belongs to, and how deep the flesh is there. docs/formulas.md A2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lattice/connectivity.h"
#include "lattice/grid.h"

namespace fascia::lattice {

/// A piece of the skeleton at rest.
struct Bone {
    Vec3d a, b;
    std::uint16_t part = 0;  ///< body part that it drives
};

/// What a body part is made of.
struct PartFlesh {
    double bone_width = 0;  ///< scene units around the bone that count as bone
    double muscle = 0.5;    ///< share of the first layer between bone and skin
};

struct LayerPlan {
    int flesh_layers = 2;        ///< layers between bone and skin: muscle, fat
    bool skin = true;            ///< an outermost layer, one cell thick
    std::vector<double> shares;  ///< [flesh_layers] relative thickness; the part's muscle share replaces the first's
    std::vector<PartFlesh> parts;
};

/// Layer numbers: bone 0, flesh 1 .. flesh_layers, skin flesh_layers + 1.
inline constexpr std::uint8_t bone_layer = 0;

struct Layers {
    std::vector<std::uint8_t> layer;      ///< [nodes]
    std::vector<std::uint16_t> part;      ///< [nodes] the part whose bone is nearest through the tissue
    std::vector<std::int32_t> to_core;    ///< [nodes] links to the nearest bone's own cells, -1 if there is no path
    std::vector<std::int32_t> to_bone;    ///< [nodes] links to the bone layer, -1 if there is no path
    std::vector<std::int32_t> to_skin;    ///< [nodes] steps to the nearest node that has an empty side
    std::vector<std::uint8_t> core;       ///< [nodes] 1 if a bone passes through the cell
    std::vector<std::uint32_t> boneless;  ///< nodes that no bone reaches through tissue; they are made bone
};

Layers find_layers(const Grid& grid, const Tissue& tissue, std::span<const Bone> bones, const LayerPlan& plan);

/// Nodes of the cells that each bone cuts, [bones]; the nearest node if it cuts none.
std::vector<std::vector<std::uint32_t>> find_cores(const Grid& grid, const Tissue& tissue, std::span<const Bone> bones);

/// Number of face links from the given nodes, [nodes]; -1 if there is no path.
std::vector<std::int32_t> steps_from(const Tissue& tissue, std::span<const std::uint32_t> sources);

/// Radius of the largest ball of tissue that covers each node, scene units, [nodes]: how thick the body is there.
std::vector<float> inscribed_radius(const Grid& grid, const Tissue& tissue);

/// Repeated averaging over the 26 neighbours until values have spread over `reach` scene units.
void smooth(const Grid& grid, const Tissue& tissue, double reach, std::span<float> values);

}  // namespace fascia::lattice
