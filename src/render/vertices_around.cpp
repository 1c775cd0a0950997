#include <algorithm>

#include "base/glob.h"
#include "fascia/picture.h"
#include "fascia/settings.h"

namespace fascia {
namespace {

/// For each vertex, how much of it follows the chosen joints. [vertices]
std::vector<float> shares_of(const Character& character, const std::vector<bool>& chosen) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    std::vector<float> shares(character.mesh.vertex_count(), 0.0f);
    for (std::size_t v = 0; v < shares.size(); ++v)
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            if (chosen[character.weights.joints[k]]) shares[v] += character.weights.weights[k];
    return shares;
}

std::vector<std::string> names_of(const Character& character, bool with_flesh) {
    std::vector<bool> moves(character.joints.size(), !with_flesh);
    for (std::size_t k = 0; k < character.weights.joints.size(); ++k)
        if (character.weights.weights[k] > 0) moves[character.weights.joints[k]] = true;
    std::vector<std::string> names;
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (moves[j]) names.push_back(character.joints[j].name);
    return names;
}

}  // namespace

Result<std::vector<std::uint32_t>> vertices_around(const Character& character, const std::string& pattern) {
    std::vector<bool> chosen;
    for (const Joint& joint : character.joints) chosen.push_back(glob_match(pattern, joint.name));
    if (std::find(chosen.begin(), chosen.end(), true) == chosen.end())
        return usage_error("no joint matches '" + pattern + "'; did you mean '" +
                           nearest_name(pattern, names_of(character, false)) + "'?");
    const std::vector<float> shares = shares_of(character, chosen);
    const float most = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    if (!(most > 0))
        return usage_error("nothing of the surface follows the joint '" + pattern + "'; did you mean '" +
                           nearest_name(pattern, names_of(character, true)) + "'?");
    std::vector<std::uint32_t> vertices;
    for (std::size_t v = 0; v < shares.size(); ++v)
        if (shares[v] >= std::min(0.5f, most / 2)) vertices.push_back(static_cast<std::uint32_t>(v));
    return vertices;
}

}  // namespace fascia
