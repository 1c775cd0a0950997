// Shells: pieces of the surface that hang together, and which of them are stiff. Eyes, teeth, a tongue, buttons, armour
// and props are modelled as shells of their own that follow one joint: whoever made them did not want them to bend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/character.h"

namespace fascia {

struct Shell {
    std::uint16_t joint = 0;  ///< that holds most of it
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

/// For each joint how much of what it holds it shares with others, 0..1: near 0 for a limb, near 1/2 for a joint that
/// rigs put into a belly or a breast to steer it, whose weights fall off to all sides. [joints]
std::vector<double> shared_holds(const ShellInput& surface, std::size_t joints);

}  // namespace fascia
