#include "skeleton.h"

namespace fascia::characters {

std::string other_side(const std::string& name) {
    return name.rfind("left", 0) == 0 ? "right" + name.substr(4) : name;
}

void Skeleton::add(const std::string& name, const std::string& parent, Vec3d head, Vec3d tail) {
    bones_.push_back({name, find(parent), head, tail});
}

void Skeleton::add_pair(const std::string& left_name, const std::string& parent, Vec3d head, Vec3d tail) {
    add(left_name, parent, head, tail);
    add(other_side(left_name), other_side(parent), {-head.x, head.y, head.z}, {-tail.x, tail.y, tail.z});
}

int Skeleton::find(const std::string& name) const {
    for (std::size_t i = 0; i < bones_.size(); ++i)
        if (bones_[i].name == name) return static_cast<int>(i);
    return -1;
}

void Skeleton::write_to(Character& character) const {
    Node root;
    root.name = "root";
    character.nodes.push_back(root);
    for (const Bone& b : bones_) {
        Node node;
        node.name = b.name;
        node.parent = node_of(b.parent);
        node.translation = b.parent < 0 ? b.head : b.head - bone(b.parent).head;
        character.nodes.push_back(node);

        Joint joint;
        joint.name = b.name;
        joint.node = static_cast<int>(character.nodes.size()) - 1;
        joint.parent = b.parent;
        joint.rest = compose(b.head, Quat{}, {1, 1, 1});
        joint.tail = b.tail;
        character.joints.push_back(joint);
    }
    Node mesh;
    mesh.name = character.name;
    character.nodes.push_back(mesh);
}

}  // namespace fascia::characters
