// Every method takes its joint matrices through this gate: functions that run every frame cannot fail, so bad matrices
// are kept out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/character.h"
#include "fascia/method.h"

namespace fascia {

/// Refuses joint matrices that are non-finite (or too large for float), singular, or mirrored relative to the rest
/// pose. A refused joint keeps its last accepted transform relative to its parent; a refused root keeps its place in
/// the world.
class PoseGate {
public:
    PoseGate() = default;
    explicit PoseGate(std::span<const Joint> joints);

    std::size_t size() const { return rest_.size(); }
    const std::vector<Affine>& rest() const { return rest_; }

    /// The rest pose as both last and previous pose.
    void make(State& state) const;
    /// previous_joints := joints; joints := the new ones as far as they are accepted. Missing joints count as refused.
    /// Counts still_frames, as if there were nothing but joints.
    void advance(std::span<const Affine> joints, State& state) const;
    /// The same without a previous pose: both poses are the new one.
    void reset(std::span<const Affine> joints, State& state) const;

    bool accepts(std::size_t joint, const Affine& pose) const;
    /// Do the bones meet only if the matrices are transposed? Also true if everything is at the origin, where a matrix
    /// of row vectors puts its joint when read as rows of (A | t). False if a pose does not tell.
    bool looks_transposed(std::span<const Affine> pose) const;

private:
    std::vector<Affine> rest_;
    std::vector<int> parent_;
    std::vector<bool> mirrored_;  ///< joints whose rest matrix is mirrored already
    std::vector<Vec3d> arm_;      ///< [joints] from the parent, in the parent's axes; 0 for a root
};

}  // namespace fascia
