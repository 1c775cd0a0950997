// Whether the indices and numbers of a character are consistent: any program can assemble a character.
#include <cmath>
#include <string>

#include "fascia/make_character.h"

namespace fascia {

namespace {

constexpr std::size_t most_joints = 65535;  ///< weights name them in 16 bits
constexpr int most_influences = 8;

Status bad(const Character& character, const std::string& what) {
    return input_error("character '" + character.name + "' " + what);
}

bool finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Status check_mesh(const Character& character, const Mesh& mesh) {
    const std::size_t n = mesh.vertex_count();
    const auto fits = [&](std::size_t size) { return size == 0 || size == n; };
    if (!fits(mesh.normals.size()) || !fits(mesh.tangents.size()) || !fits(mesh.uvs.size()) ||
        !fits(mesh.colors.size()) || !fits(mesh.mask_colors.size()))
        return bad(character, "has fewer or more normals, tangents, uvs or colours than vertices");
    for (std::size_t v = 0; v < n; ++v)
        if (!finite(to_double(mesh.positions[v])))
            return bad(character, "has a non-finite position at vertex " + std::to_string(v));
    if (mesh.triangles.size() % 3 != 0) return bad(character, "has triangles of fewer than three corners");
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
        if (mesh.triangles[k] >= n)
            return bad(character, "has triangle " + std::to_string(k / 3) + " with a corner at vertex " +
                                      std::to_string(mesh.triangles[k]) + ", but only " + std::to_string(n) +
                                      " vertices");
    return ok_status();
}

/// Parents come first, which also rules out cycles.
bool comes_first(int parent, std::size_t item) {
    return parent >= -1 && (parent < 0 || std::size_t(parent) < item);
}

Status check_skeleton(const Character& character) {
    for (std::size_t k = 0; k < character.nodes.size(); ++k)
        if (!comes_first(character.nodes[k].parent, k))
            return bad(character, "has node '" + character.nodes[k].name + "' before its parent; list parents first");
    if (character.joints.empty() && !character.mesh.positions.empty())
        return bad(character, "has no joints; give it a skin with a skeleton");
    if (character.joints.size() > most_joints)
        return bad(character, "has more than " + std::to_string(most_joints) + " joints");
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Joint& joint = character.joints[j];
        if (!comes_first(joint.parent, j))
            return bad(character, "has joint '" + joint.name + "', number " + std::to_string(j) + ", with parent " +
                                      std::to_string(joint.parent) +
                                      ", which does not come before it; list parents before their children");
        if (joint.node < -1 || (joint.node >= 0 && std::size_t(joint.node) >= character.nodes.size()))
            return bad(character, "has joint '" + joint.name + "' at a node that does not exist");
        if (!is_invertible(joint.rest))
            return bad(character, "has joint '" + joint.name + "' with a singular rest matrix; repair its bind matrix");
        if (!finite(joint.tail)) return bad(character, "has joint '" + joint.name + "' with a non-finite tail");
    }
    return ok_status();
}

Status check_weights(const Character& character) {
    const SkinWeights& w = character.weights;
    if (w.joints.empty() && w.weights.empty()) return ok_status();
    if (w.influences < 1 || w.influences > most_influences)
        return bad(character, "has " + std::to_string(w.influences) + " influences per vertex; reduce them to 1..8");
    const std::size_t slots = character.mesh.vertex_count() * std::size_t(w.influences);
    if (w.joints.size() != slots || w.weights.size() != slots)
        return bad(character, "has weight arrays of the wrong length; give every vertex of the mesh its slots");
    for (std::size_t i = 0; i < slots; ++i) {
        const auto vertex = [&] { return "vertex " + std::to_string(i / std::size_t(w.influences)); };
        if (!(w.weights[i] >= 0) || !std::isfinite(w.weights[i]))
            return bad(character, "has a negative or non-finite weight at " + vertex() + "; repair the weights");
        if (w.joints[i] >= character.joints.size())
            return bad(character,
                       "weights " + vertex() + " to joint " + std::to_string(w.joints[i]) + ", which does not exist");
    }
    return ok_status();
}

}  // namespace

Status check_character(const Character& character) {
    for (const auto check : {check_skeleton, check_weights})
        if (Status status = check(character); !status) return status;
    return check_mesh(character, character.mesh);
}

}  // namespace fascia
