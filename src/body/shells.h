// Shells: connected pieces of the surface, and which of them are stiff. Eyes, teeth, a tongue, buttons, armour and
// props are modelled as separate shells that follow one joint: their maker did not want them to bend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/character.h"

namespace fascia {

struct Shell {
    std::uint16_t joint = 0;  ///< the one that holds most of it
    double held = 0;          ///< share of its weights that is this joint's
    double area = 0;
    Vec3d centre;       ///< of its area
    double radius = 0;  ///< farthest vertex from the centre
    std::size_t vertices = 0;
    bool stiff = false;
    /// Large enough to make the flesh below it stiff; a smaller one rides on it (an eye on a cheek, a button on a
    /// belly).
    bool holds_flesh = false;
};

struct Shells {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::vector<Shell> all;
    std::vector<std::uint32_t> of_vertex;  ///< [vertices] or none where no triangle uses the vertex
    /// The body is a machine of rigid plates: most of its surface is stiff.
    bool plates = false;

    bool is_stiff(std::size_t vertex) const { return of_vertex[vertex] != none && all[of_vertex[vertex]].stiff; }
};

struct ShellInput {
    std::span<const Vec3> positions;
    std::span<const std::uint32_t> triangles;
    const SkinWeights& weights;
};
Shells find_shells(const ShellInput& surface);

/// [vertices] 0 on large stiff shells, else 1; empty where there are none.
std::vector<float> softness_of_shells(const Shells& shells);

/// For each joint, the share of its hold that other joints have too, 0..1: near 0 for a limb, near 1/2 for a joint that
/// steers a belly or a breast, whose weights fall off on all sides. [joints]
std::vector<double> shared_holds(const ShellInput& surface, std::size_t joints);

}  // namespace fascia
