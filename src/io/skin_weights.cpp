#include "io/skin_weights.h"

#include <algorithm>
#include <cmath>

namespace fascia::io {

namespace {

constexpr int most_influences = 8;
/// Smaller deviations come from rounding to 8 bits and are not reported.
constexpr double rounding = 0.01;

struct Influence {
    int joint;
    double weight;
};

/// The slots of one vertex that carry weight, joints merged.
std::vector<Influence> gather(const Primitive& primitive, std::size_t vertex, const BoundSkin& skin,
                              WeightFindings& findings) {
    std::vector<Influence> found;
    const auto slots = static_cast<std::size_t>(primitive.slots);
    for (std::size_t s = vertex * slots; s < (vertex + 1) * slots; ++s) {
        const double weight = primitive.weights[s];
        const bool carries = std::isfinite(weight) && weight > 0;
        if (primitive.joints[s] >= skin.joints.size()) {
            ++findings.out_of_range;
            findings.out_of_range_weighted += carries;
            continue;
        }
        if (!carries) continue;
        const int joint = skin.joints[primitive.joints[s]];
        const auto same =
            std::find_if(found.begin(), found.end(), [&](const Influence& i) { return i.joint == joint; });
        if (same != found.end()) {
            same->weight += weight;
        } else {
            found.push_back({joint, weight});
        }
    }
    return found;
}

/// In very large skins only the first thousand joints are searched; otherwise a file without weights would take hours.
int nearest_joint(const BoundSkin& skin, const std::vector<Joint>& joints, Vec3 position) {
    int best = skin.joints[0];
    double best_distance = INFINITY;
    for (std::size_t s = 0; s < skin.joints.size() && s < 1000; ++s) {
        const int j = skin.joints[s];
        const double distance = length(translation_of(joints[static_cast<std::size_t>(j)].rest) - to_double(position));
        if (distance < best_distance) {
            best_distance = distance;
            best = j;
        }
    }
    return best;
}

double sum_of(const std::vector<Influence>& influences) {
    double sum = 0;
    for (const Influence& i : influences) sum += i.weight;
    return sum;
}

void append_vertex(std::vector<Influence>& influences, SkinWeights& out) {
    std::stable_sort(influences.begin(), influences.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    if (influences.size() > most_influences) influences.resize(most_influences);
    const double sum = sum_of(influences);
    for (std::size_t i = 0; i < most_influences; ++i) {
        const bool used = i < influences.size();
        out.joints.push_back(used ? static_cast<std::uint16_t>(influences[i].joint) : std::uint16_t{0});
        out.weights.push_back(used ? static_cast<float>(influences[i].weight / sum) : 0.0f);
    }
}

}  // namespace

void append_weights(const Primitive& primitive, const BoundSkin& skin, const std::vector<Joint>& joints,
                    const std::vector<Vec3>& rest, SkinWeights& out, WeightFindings& findings) {
    out.influences = most_influences;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        std::vector<Influence> influences = gather(primitive, v, skin, findings);
        const double sum = sum_of(influences);
        if (!(sum > 1e-9) || !std::isfinite(sum)) {
            ++findings.missing;
            influences = {{nearest_joint(skin, joints, rest[v]), 1.0}};
        } else {
            findings.off_one += std::abs(sum - 1) > rounding;
            findings.cut += influences.size() > most_influences;
        }
        append_vertex(influences, out);
    }
}

void trim_weights(SkinWeights& weights) {
    if (weights.influences != 8) return;
    for (std::size_t slot = 4; slot < weights.weights.size(); slot += 8)
        if (weights.weights[slot] != 0) return;
    const std::size_t vertices = weights.weights.size() / 8;
    for (std::size_t v = 0; v < vertices; ++v) {
        for (std::size_t i = 0; i < 4; ++i) {
            weights.joints[v * 4 + i] = weights.joints[v * 8 + i];
            weights.weights[v * 4 + i] = weights.weights[v * 8 + i];
        }
    }
    weights.joints.resize(vertices * 4);
    weights.weights.resize(vertices * 4);
    weights.influences = 4;
}

void remark_weights(const WeightFindings& findings, Remarks& remarks) {
    remarks.add("weights-renormalised", "Vertices whose weights did not sum to 1 were scaled to do so.",
                findings.off_one);
    remarks.add("joints-out-of-range", "Weight slots name joints that do not exist; they were ignored.",
                findings.out_of_range);
    remarks.add("joints-out-of-range-weighted",
                "Weight slots of joints that do not exist carried weight; the other slots took it over.",
                findings.out_of_range_weighted);
    remarks.add("weights-missing", "Vertices without weights follow the nearest joint.", findings.missing);
    remarks.add("weights-cut", "Vertices with more than 8 influences keep their 8 largest.", findings.cut);
}

}  // namespace fascia::io
