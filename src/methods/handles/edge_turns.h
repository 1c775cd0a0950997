// Rotations of handles that are only dragged, from the pseudo-edges that link them (docs/formulas.md C17). Each edge
// has turned from rest by a shortest rotation; a handle turns by the mean of its edges.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fascia/math.h"

namespace fascia {

enum class TurnMean {
    eigenvector,  ///< of the largest eigenvalue of the mean of q q^T, which is the same for q and -q
    slerp,        ///< one edge after the other, each with its share
    fast,         ///< the sum of all, with matching signs
    printed,      ///< the fast one as printed: not a mean; later edges count for more
};

/// turns: unit quaternions, at least one
Quat mean_turn(std::span<const Quat> turns, TurnMean how);

/// The shortest rotation that takes the direction of a to that of b; the identity if one of them is zero. Opposite
/// directions: half a turn about some axis perpendicular to a.
Quat turn_between(Vec3d a, Vec3d b);

using PseudoEdge = std::pair<std::uint32_t, std::uint32_t>;

class EdgeTurns {
public:
    EdgeTurns() = default;
    /// rest: [handles]
    EdgeTurns(std::span<const Vec3d> rest, std::span<const PseudoEdge> edges, TurnMean how);

    /// A handle without edges does not turn. places, out: [handles]
    void find(std::span<const Vec3d> places, std::span<Quat> out) const;

private:
    TurnMean how_ = TurnMean::eigenvector;
    std::vector<std::uint32_t> first_, to_;  ///< [handles + 1] and the other ends
    std::vector<Vec3d> arms_;                ///< [ends] at rest
};

}  // namespace fascia
