// Joints by name: where each begins and ends at rest. Frames are parallel to the axes, so a rotation means what it
// says.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"

namespace fascia::characters {

struct Bone {
    std::string name;
    int parent;  ///< -1: hangs on the node `root`
    Vec3d head, tail;
};

class Skeleton {
public:
    void add(const std::string& name, const std::string& parent, Vec3d head, Vec3d tail);
    /// Both sides; names and parents that begin with "left" are mirrored to "right".
    void add_pair(const std::string& left_name, const std::string& parent, Vec3d head, Vec3d tail);

    const std::vector<Bone>& bones() const { return bones_; }
    int size() const { return static_cast<int>(bones_.size()); }
    /// Index of a bone, -1 where there is none of that name.
    int find(const std::string& name) const;
    const Bone& bone(int index) const { return bones_[static_cast<std::size_t>(index)]; }
    const Bone& bone(const std::string& name) const { return bone(find(name)); }

    /// Fills nodes (root, the joints, a node for the mesh) and joints.
    void write_to(Character& character) const;
    /// Node of a bone in what write_to fills in; node 0 is `root`.
    static int node_of(int bone) { return bone + 1; }

private:
    std::vector<Bone> bones_;
};

/// "left_hand" -> "right_hand"; other names stay.
std::string other_side(const std::string& name);

}  // namespace fascia::characters
