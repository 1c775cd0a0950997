// A skeleton to be posed: turn its joints, put its feet where they belong, read off what a clip needs.
#pragma once

#include <string>
#include <vector>

#include "skeleton.h"

namespace fascia::characters {

class Puppet {
public:
    explicit Puppet(const Skeleton& skeleton);

    Vec3d root_offset;
    Quat root_turn;
    Vec3d hips_offset;

    /// Turns a joint further, in its parent's axes. Names that the skeleton does not have are ignored, so that one
    /// dance serves bodies with and without a tail.
    void turn(const std::string& joint, Quat rotation);
    /// Turns the left joint by `rotation` and the right one by its mirror image.
    void turn_both(const std::string& left_joint, Quat rotation);

    /// Where a joint is, and how it is turned, relative to `root`.
    Vec3d position(const std::string& joint) const;
    Quat rotation(const std::string& joint) const;

    /// Bends two bones so that the end of the second comes to `target` (relative to `root`), or as near as it can;
    /// the middle joint moves towards `pole`.
    void reach(const std::string& upper, const std::string& lower, const std::string& end, Vec3d target, Vec3d pole);
    /// Turns a joint so that it stands at `rotation` relative to `root`, whatever its parents do.
    void stand(const std::string& joint, Quat rotation);

    const Skeleton& skeleton() const { return skeleton_; }
    Quat local_rotation(int bone) const { return turns_[static_cast<std::size_t>(bone)]; }

private:
    Vec3d position(int bone) const;
    Quat rotation(int bone) const;
    void stand(int bone, Quat rotation);

    const Skeleton& skeleton_;
    std::vector<Quat> turns_;
};

/// Mirror image of a rotation in the plane x = 0.
inline Quat mirrored(Quat q) {
    return {q.w, q.x, -q.y, -q.z};
}

}  // namespace fascia::characters
