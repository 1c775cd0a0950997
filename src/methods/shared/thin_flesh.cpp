#include "methods/shared/thin_flesh.h"

#include <algorithm>

#include "base/glob.h"
#include "body/shells.h"
#include "methods/shared/body_ends.h"
#include "methods/shared/flesh_settings.h"

namespace fascia {

namespace {

using lattice::Tissue;

constexpr double depth_of_bone = 0.03;        ///< of the size: taken off a depth for the skin's and bone's own cells
constexpr double depth_smoothing = 0.06;      ///< of the size
constexpr double depth_of_free_flesh = 0.12;  ///< of the size: deeper flesh swings freely
constexpr double depth_of_limp_flesh = 0.09;  ///< of the size: thin flesh far from its bone counts as this deep
constexpr double usual_cell = 1.0 / 32;       ///< of the size: a voxel of the default resolution
constexpr double reach = 0.25;                ///< of the size: limit of travel, times the depth of the flesh
constexpr double farthest = 0.12;      ///< of the size: limit of travel at any depth, at usual_hz; half of it is free
constexpr double usual_hz = 4;         ///< softer flesh goes farther
constexpr double always_free = 0.012;  ///< of the size: travel that no amount limits

/// Shared part of what a joint holds, from which on it steers flesh that others hold, too; a cone of weights has 1/2.
constexpr double least_shared = 0.4;

/// Nodes on the surface of parts that are clearly not flesh, by the names that modellers give them. [nodes]
std::vector<std::uint8_t> horny_nodes(const Mesh& mesh, const Tissue& tissue) {
    std::vector<std::uint8_t> horny(mesh.triangle_count(), 0), out(tissue.size(), 0);
    for (const Part& part : mesh.parts)
        for (const char* hard : {"*horn*", "*antler*", "*tooth*", "*teeth*", "*claw*", "*eye*"})
            if (glob_match(hard, part.name))
                std::fill_n(horny.begin() + part.first_triangle, part.triangle_count, std::uint8_t(1));
    for (std::size_t i = 0; i < out.size(); ++i)
        for (const std::uint32_t t : tissue.triangles_of(i)) out[i] |= horny[t];
    return out;
}

}  // namespace

std::vector<std::uint8_t> handle_joints(const Character& character, const FleshSettings& flesh) {
    std::vector<std::uint8_t> handle(character.joints.size(), 0), leaf(character.joints.size(), 1);
    for (const Joint& joint : character.joints)
        if (joint.parent >= 0) leaf[joint.parent] = 0;
    if (flesh.anatomy == Anatomies::shape) {
        const std::vector<BodyEnd> ends = find_body_ends(character.joints);
        const std::vector<double> shared = shared_holds(
            {character.mesh.positions, character.mesh.triangles, character.weights}, character.joints.size());
        for (std::size_t j = 0; j < handle.size(); ++j)
            handle[j] = leaf[j] && ends[j] == BodyEnd::none && shared[j] > least_shared;
    }
    for (std::size_t j = 0; j < handle.size(); ++j) {
        const std::string& name = character.joints[j].name;
        for (const char* soft : {"*belly*", "*breast*", "*bust*", "*jiggle*", "*butt*"})
            if (leaf[j] && glob_match(soft, name)) handle[j] = 1;
        const double width = at_joint(flesh.parts, name, &PartSettings::bone_width, -1);
        if (width >= 0) handle[j] = width <= 0;
    }
    return handle;
}

std::vector<float> find_thinness(const Mesh& mesh, const LayeredTissue& body, double size) {
    const auto& [grid, tissue, layers, plan] = body;
    const std::vector<std::uint8_t> horny = horny_nodes(mesh, tissue);
    const std::vector<float> radius = lattice::inscribed_radius(grid, tissue);
    std::vector<float> depth(tissue.size());
    for (std::size_t i = 0; i < depth.size(); ++i) {
        // As much bone as was asked for, or less if the skin came first.
        const int core = std::max(layers.to_core[i], 0), bone_cells = core - std::max(layers.to_bone[i], 0);
        const double asked = plan.parts[layers.part[i]].bone_width;
        const double bone = bone_cells == int(asked / grid.h + 0.5) ? asked : bone_cells * grid.h;
        const double between = (core + layers.to_skin[i]) * grid.h - bone;
        // Cells that the surface only touches make everything a cell thicker.
        const double thick = 2.0 * radius[i] - grid.h + usual_cell * size;
        // Flesh that stands out far from its bone (an ear, the tip of a wing) bends however thin it is.
        const double off_bone = horny[i] ? 0 : layers.to_bone[i] * grid.h - 1.5 * thick;
        const double bends = std::min(off_bone, depth_of_limp_flesh * size);
        depth[i] =
            float(std::max(std::min(between - depth_of_bone * size, std::max(thick, bends)), 0.5 * usual_cell * size));
    }
    lattice::smooth(grid, tissue, depth_smoothing * size, depth);
    for (float& d : depth) d = float(std::min(1.0, d / (depth_of_free_flesh * size)));
    return depth;
}

double flesh_reach(double g, double amount, double hz, bool by_depth) {
    const double depth = std::clamp(g, 0.1, 1.0), deep = reach * depth;
    const double share = amount * amount * (1 + amount) / 2;
    // Depth bounds the reach after the amount has been applied. If the bound itself were multiplied by it, half the
    // amount would give far less than half the motion.
    const double far = farthest * (by_depth ? depth : std::max(1.0, usual_hz / hz));
    return std::max(std::min(deep * std::min(share, 1.0), far), std::min(deep, always_free));
}

}  // namespace fascia
