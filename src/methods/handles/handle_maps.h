// From the pose of the joints to the maps of handles: where they are dragged to, and how they turn.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fascia/character.h"
#include "methods/handles/edge_turns.h"

namespace fascia {

/// The turn of each handle on top of being dragged. [handles * 4] w, x, y, z
using OwnTurns = std::span<const float>;

class HandleMaps {
public:
    HandleMaps() = default;
    /// The pseudo-edges are the links to parents. how: no value: handles turn as the joints do
    HandleMaps(std::span<const Joint> handles, std::optional<TurnMean> how);

    const std::vector<Affine>& rest() const { return rest_; }
    const std::vector<Affine>& inverse_rest() const { return inverse_rest_; }

    struct Scratch {
        std::vector<Affine> pose;
        std::vector<Vec3d> places, level;
        std::vector<Quat> turns;
        std::vector<double> shares;
    };
    /// The pose that the handles carry the surface to; joints scale uniformly. pose: [joints], the first handles;
    /// further handles move with their parents. out: [handles]
    void find(std::span<const Affine> pose, OwnTurns own, Scratch& scratch, std::span<Affine> out) const;

private:
    Quat body_turn(std::span<const Vec3d> places, std::vector<double>& shares) const;

    std::vector<Affine> rest_, inverse_rest_;
    std::vector<Vec3d> places_;
    std::vector<int> parents_;
    double size_ = 1;
    std::optional<TurnMean> how_;
    EdgeTurns turns_;
};

}  // namespace fascia
