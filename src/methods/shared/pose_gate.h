// Every method takes its joint matrices through this gate: per-frame verbs cannot fail, so bad matrices stay outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/character.h"
#include "fascia/method.h"

namespace fascia {

/// Refuses joint matrices that are not finite (or too large for float), singular, or mirrored against the rest pose.
/// A refused joint keeps its last accepted place relative to its parent; a refused root keeps its place in the world.
class PoseGate {
public:
    PoseGate() = default;
    explicit PoseGate(std::span<const Joint> joints);

    std::size_t size() const { return rest_.size(); }
    const std::vector<Affine>& rest() const { return rest_; }

    /// The rest pose as both last and previous pose.
    void make(State& state) const;
    /// previous_joints := joints, joints := what is accepted of `joints`. Missing joints count as refused.
    void advance(std::span<const Affine> joints, State& state) const;
    /// The same, but nothing is remembered as previous: both poses are the new one.
    void reset(std::span<const Affine> joints, State& state) const;

    bool accepts(std::size_t joint, const Affine& pose) const;

private:
    std::vector<Affine> rest_;
    std::vector<int> parent_;
    std::vector<bool> mirrored_;  ///< joints whose rest matrix is mirrored already
};

}  // namespace fascia
