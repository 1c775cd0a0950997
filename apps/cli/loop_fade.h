// --loop: blends the end of a motion into its beginning.
#pragma once

#include <vector>

#include "fascia/character.h"
#include "fascia/pose.h"

namespace fascia::cli {

/// Compares and blends poses joint by joint. A root that travels (a walk across the room) keeps travelling; the cycle
/// then closes in the root's frame.
class LoopFade {
public:
    LoopFade(const Character& character, Pose first, const Pose& last);

    /// Largest distance between the two ends near any joint, divided by the size.
    double gap() const { return gap_; }
    /// From the start of a cycle to the start of the next: the identity unless the root travels.
    const Affine& travel() const { return travel_; }
    /// Blends `pose` towards the first one; share 0 leaves it, 1 reaches it.
    void apply(double share, Pose& pose) const;

private:
    bool keeps_local(std::size_t node) const { return travels_ && above_root_[node]; }

    const Character& character_;
    Pose first_;
    std::vector<bool> above_root_;  ///< [nodes] a root joint or one of its ancestors
    bool travels_ = false;
    Affine travel_;
    double gap_ = 0;
};

/// 0 to 1 with no kink at either end.
double smooth_share(double x);

}  // namespace fascia::cli
