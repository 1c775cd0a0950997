// A tree of named joints with their rest positions: what a character's skeleton and a motion's have in common.
#pragma once

#include <string>
#include <vector>

#include "fascia/math.h"

namespace fascia {

struct JointTree {
    std::vector<std::string> names;
    std::vector<int> parents;      ///< parents come first; -1 for a root
    std::vector<Vec3d> positions;  ///< world, at rest

    int size() const { return static_cast<int>(names.size()); }
    int depth(int joint) const;
    /// Is `ancestor` the joint itself or above it?
    bool is_above(int ancestor, int joint) const;
    /// The lowest joint above both; -1 if there is none.
    int common_ancestor(int a, int b) const;
    /// Joints below `top` down to `bottom`, without `top`; empty if `top` is not above `bottom`.
    std::vector<int> path_down(int top, int bottom) const;
};

}  // namespace fascia
