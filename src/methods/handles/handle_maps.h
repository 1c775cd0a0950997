// From the pose of the joints to the maps of handles: where they are dragged to, and how they turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fascia/character.h"
#include "methods/handles/edge_turns.h"

namespace fascia {

/// The turn of each handle on top of being dragged. [handles * 4] w, x, y, z
using OwnTurns = std::span<const float>;

/// Where a link is and how it has turned.
struct LinkMap {
    Vec3d from, to;                ///< its ends
    Vec3d axis;                    ///< its direction at rest
    Quat turn;                     ///< from rest, without the twists
    std::array<double, 2> scales;  ///< of its ends
    std::array<double, 2> twists;  ///< about itself, of its ends, in radians
};

class HandleMaps {
public:
    HandleMaps() = default;
    /// The pseudo-edges are the links to parents. how: no value: handles turn as the joints do
    HandleMaps(std::span<const Joint> handles, std::optional<TurnMean> how);

    const std::vector<Affine>& rest() const { return rest_; }
    const std::vector<Affine>& inverse_rest() const { return inverse_rest_; }
    /// [handles] at rest
    const std::vector<Vec3d>& places() const { return places_; }
    const std::vector<PseudoEdge>& links() const { return links_; }

    struct Scratch {
        std::vector<Affine> pose;
        std::vector<Vec3d> places, level;
        std::vector<Quat> turns;
        std::vector<double> shares;
        std::vector<LinkMap> links;
        std::vector<Vec3d> sums, moves;
    };
    /// The pose that the handles carry the surface to; joints scale uniformly. pose: [joints], the first handles;
    /// further handles move with their parents. enabled: [handles]; the others go where these take them, wherever their
    /// joints are. out: [handles], and scratch.links
    void find(std::span<const Affine> pose, OwnTurns own, std::span<const std::uint8_t> enabled, Scratch& scratch,
              std::span<Affine> out) const;

private:
    void move_disabled(std::span<const std::uint8_t> enabled, Scratch& scratch) const;
    void find_links(OwnTurns own, Quat body, Scratch& scratch) const;
    Quat body_turn(std::span<const Vec3d> places, std::vector<double>& shares) const;

    std::vector<Affine> rest_, inverse_rest_;
    std::vector<Vec3d> places_;
    std::vector<int> parents_;
    std::vector<PseudoEdge> links_;
    double size_ = 1;
    std::optional<TurnMean> how_;
    EdgeTurns turns_;
};

}  // namespace fascia
