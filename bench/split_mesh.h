// A finer mesh of the same shape, to measure what large ones cost.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "fascia/character.h"

namespace fascia::bench {

class MeshSplitter {
public:
    explicit MeshSplitter(Character& character) : mesh_(character.mesh), weights_(character.weights) {}

    /// Every triangle becomes four.
    void run() {
        const std::vector<std::uint32_t> old = mesh_.triangles;
        mesh_.triangles.clear();
        for (std::size_t t = 0; t < old.size(); t += 3) {
            const std::uint32_t a = old[t], b = old[t + 1], c = old[t + 2];
            const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
            for (const std::uint32_t v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) mesh_.triangles.push_back(v);
        }
    }

private:
    std::uint32_t between(std::uint32_t a, std::uint32_t b) {
        const auto [found, is_new] = middles_.try_emplace(std::minmax(a, b), std::uint32_t(mesh_.vertex_count()));
        if (!is_new) return found->second;
        mesh_.positions.push_back((mesh_.positions[a] + mesh_.positions[b]) * 0.5f);
        if (!mesh_.normals.empty()) mesh_.normals.push_back(normalized(mesh_.normals[a] + mesh_.normals[b], {0, 1, 0}));
        mix_weights(a, b);
        return found->second;
    }

    /// The mean of both, of the joints that hold most.
    void mix_weights(std::size_t a, std::size_t b) {
        const auto slots = std::size_t(weights_.influences);
        std::map<std::uint16_t, float> shares;
        for (const std::size_t v : {a, b})
            for (std::size_t k = v * slots; k < (v + 1) * slots; ++k) shares[weights_.joints[k]] += weights_.weights[k];
        std::vector<std::pair<std::uint16_t, float>> sorted(shares.begin(), shares.end());
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& x, const auto& y) { return x.second > y.second; });
        sorted.resize(slots);
        float sum = 0;
        for (const auto& [joint, share] : sorted) sum += share;
        for (const auto& [joint, share] : sorted) {
            weights_.joints.push_back(share > 0 ? joint : std::uint16_t{0});
            weights_.weights.push_back(share / sum);
        }
    }

    Mesh& mesh_;
    SkinWeights& weights_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles_;
};

/// The character with every triangle split into four, so many times. Nothing but what moves it is kept.
inline Character split_mesh(const Character& character, int times) {
    Character out = character;
    out.mesh.tangents.clear(), out.mesh.uvs.clear(), out.mesh.colors.clear(), out.mesh.mask_colors.clear();
    out.mesh.parts.clear();
    for (int k = 0; k < times; ++k) MeshSplitter(out).run();
    return out;
}

}  // namespace fascia::bench
