#include "methods/shared/skinned_character.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "skin/skin_source.h"

namespace fascia {

namespace {

bool finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Error bad(const Character& character, const char* method, const std::string& what) {
    return input_error(method + std::string(": character '") + character.name + "' " + what);
}

Status check_weights(const Character& character, const char* method) {
    const SkinWeights& w = character.weights;
    const std::size_t slots = character.mesh.vertex_count() * static_cast<std::size_t>(std::max(w.influences, 0));
    if (w.influences < 1 || w.influences > max_influences)
        return bad(character, method,
                   "has " + std::to_string(w.influences) + " influences per vertex; reduce them to 1..8");
    if (w.joints.size() != slots || w.weights.size() != slots)
        return bad(character, method, "has weight arrays of the wrong length; give every vertex of the mesh its slots");
    for (std::size_t i = 0; i < slots; ++i) {
        const auto vertex = [&] { return "vertex " + std::to_string(i / static_cast<std::size_t>(w.influences)); };
        if (!(w.weights[i] >= 0) || !std::isfinite(w.weights[i]))
            return bad(character, method,
                       "has a negative or non-finite weight at " + vertex() + "; repair the weights");
        if (w.joints[i] >= character.joints.size())
            return bad(character, method,
                       "weights " + vertex() + " to joint " + std::to_string(w.joints[i]) + ", which does not exist");
    }
    return ok_status();
}

}  // namespace

Status check_skinned(const Character& character, const char* method) {
    const Mesh& mesh = character.mesh;
    if (mesh.positions.empty()) return bad(character, method, "has no skinned vertices; give it a mesh with a skin");
    if (character.joints.empty()) return bad(character, method, "has no joints; give it a skin with a skeleton");
    if (!mesh.normals.empty() && mesh.normals.size() != mesh.vertex_count())
        return bad(character, method, "has fewer or more normals than vertices");
    if (!mesh.tangents.empty() && mesh.tangents.size() != mesh.vertex_count())
        return bad(character, method, "has fewer or more tangents than vertices");
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i)
        if (!finite(mesh.positions[i]))
            return bad(character, method, "has a non-finite position at vertex " + std::to_string(i));
    for (const Joint& joint : character.joints)
        if (!is_invertible(joint.rest))
            return bad(character, method,
                       "has joint '" + joint.name + "' with a singular rest matrix; repair its bind matrix");
    return check_weights(character, method);
}

std::vector<std::string> unweighted_warning(std::size_t vertices) {
    if (vertices == 0) return {};
    return {std::to_string(vertices) + " vertices have no weight and follow the first joint"};
}

}  // namespace fascia
