// What the weights of a vertex say about a joint and its parent.
#pragma once

#include <cstddef>

#include "fascia/character.h"

namespace fascia {

struct PaintedPair {
    double share = 0;  ///< of both joints together
    double t = 0;      ///< the joint's part of that share

    /// How much turning by the pair differs from blending it linearly: 1 where each joint holds half of the vertex and
    /// no other joint holds any.
    double strength() const { return 4 * t * (1 - t) * share; }
};

inline PaintedPair painted_pair(const SkinWeights& weights, std::size_t vertex, int joint, int parent) {
    const auto slots = static_cast<std::size_t>(weights.influences);
    double sum = 0, own = 0, above = 0;
    for (std::size_t s = vertex * slots; s < (vertex + 1) * slots; ++s) {
        sum += double(weights.weights[s]);
        if (weights.joints[s] == joint) own += double(weights.weights[s]);
        if (weights.joints[s] == parent) above += double(weights.weights[s]);
    }
    if (!(own + above > 0)) return {};
    return {(own + above) / sum, own / (own + above)};
}

}  // namespace fascia
