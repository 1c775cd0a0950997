#include "methods/shared/found_anatomy.h"

#include <algorithm>

#include "body/shells.h"

namespace fascia {

namespace {

constexpr double least_softness = 0.25;  ///< firmer parts are not worth a line
constexpr double least_share = 0.003;    ///< of the vertices

std::size_t holder_of(const SkinWeights& weights, std::size_t vertex) {
    const auto slots = std::ptrdiff_t(weights.influences);
    const auto first = weights.weights.begin() + std::ptrdiff_t(vertex) * slots;
    return weights.joints[vertex * std::size_t(slots) + std::size_t(std::max_element(first, first + slots) - first)];
}

/// A large shell that swings was given an amount by its mesh or material.
void drop_swinging(std::span<const float> softness, Shells& shells) {
    for (std::size_t v = 0; v < softness.size(); ++v)
        if (shells.is_stiff(v) && softness[v] > least_softness && shells.all[shells.of_vertex[v]].holds_flesh)
            shells.all[shells.of_vertex[v]].stiff = false;
}

std::vector<FoundAnatomy::Stiff> stiff_by_joint(const Shells& shells) {
    std::vector<FoundAnatomy::Stiff> out;
    for (const Shell& shell : shells.all) {
        if (!shell.stiff) continue;
        auto found = std::find_if(out.begin(), out.end(), [&](const auto& each) { return each.joint == shell.joint; });
        if (found == out.end()) found = out.insert(out.end(), {shell.joint, 0, 0});
        ++found->shells;
        found->vertices += shell.vertices;
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.vertices > b.vertices; });
    return out;
}

std::vector<FoundAnatomy::Soft> soft_by_joint(const RestSurface& surface, std::span<const float> softness) {
    std::vector<FoundAnatomy::Soft> all(surface.joints.size()), out;
    for (std::size_t v = 0; v < softness.size(); ++v) {
        FoundAnatomy::Soft& at = all[holder_of(surface.weights, v)];
        ++at.vertices;
        at.softness += double(softness[v]);
    }
    const auto enough = std::size_t(least_share * double(softness.size()));
    for (std::size_t j = 0; j < all.size(); ++j) {
        if (all[j].vertices == 0 || all[j].vertices < enough) continue;
        all[j].joint = j;
        all[j].softness /= double(all[j].vertices);
        if (all[j].softness >= least_softness) out.push_back(all[j]);
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.softness > b.softness; });
    return out;
}

}  // namespace

FoundAnatomy found_anatomy(const RestSurface& surface, std::span<const float> softness, bool by_shape) {
    FoundAnatomy out;
    out.soft = soft_by_joint(surface, softness);
    if (!by_shape) return out;
    Shells shells = find_shells({surface.positions, surface.triangles, surface.weights});
    drop_swinging(softness, shells);
    out.plates = shells.plates;
    out.stiff = stiff_by_joint(shells);
    return out;
}

}  // namespace fascia
