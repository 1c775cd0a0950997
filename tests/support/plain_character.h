// Bodies that tests put together vertex by vertex: bones that only move, vertices that one joint holds.
#pragma once

#include <string>

#include "fascia/character.h"

namespace fascia::test {

inline void add_bone(Character& out, const std::string& name, int parent, Vec3d head, Vec3d tail) {
    Node node;
    node.name = name;
    node.parent = parent;
    node.translation = parent < 0 ? head : head - translation_of(out.joints[std::size_t(parent)].rest);
    Joint joint;
    joint.name = name;
    joint.node = int(out.nodes.size());
    joint.parent = parent;
    joint.rest = compose(head, {}, {1, 1, 1});
    joint.tail = tail;
    out.nodes.push_back(node);
    out.joints.push_back(joint);
}

inline void add_vertex(Character& out, Vec3d p, std::uint16_t joint) {
    out.mesh.positions.push_back(to_float(p));
    out.weights.joints.insert(out.weights.joints.end(), {joint, 0, 0, 0});
    out.weights.weights.insert(out.weights.weights.end(), {1, 0, 0, 0});
}

/// One part for all triangles; normals that no test looks at.
inline void finish_character(Character& out, const std::string& name) {
    out.name = name;
    out.weights.influences = 4;
    out.mesh.normals.assign(out.mesh.positions.size(), Vec3{0, 1, 0});
    Part part;
    part.name = name;
    part.vertex_count = int(out.mesh.positions.size());
    part.triangle_count = int(out.mesh.triangle_count());
    out.mesh.parts.push_back(part);
}

}  // namespace fascia::test
