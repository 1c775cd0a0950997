#include "body/fineness.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fascia {

namespace {

/// Features are measured at this resolution, which a lean figure keeps.
constexpr int probed_resolution = 32;
/// As a share of the size: skin this far from its bone is soft; skin over flesh this deep swings visibly.
constexpr double soft_skin = 0.06, deep_flesh = 0.12;
constexpr double least_deep = 0.05;      ///< of all skin: less deep flesh than this does not count
constexpr double least_together = 0.01;  ///< of the soft skin
/// Cells across: limbs that follow their bone, up to the resolution that is enough for a lean figure, and deep flesh.
constexpr double cells_across_limb = 3, cells_across_flesh = 8;
/// Flesh in close contact asks for cells as wide as the gap, but not for many more than it needs anyway.
constexpr double most_for_gaps = 1.25;

double quantile(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Predicts how many points a filling at another resolution has: cells inside grow with its cube, those that the
/// surface passes through with its square.
class PointModel {
public:
    PointModel(std::size_t points, const lattice::Tissue& tissue) {
        const auto skin = double(std::count(tissue.on_surface.begin(), tissue.on_surface.end(), std::uint8_t(1)));
        // A filling consists of the volume and a layer of half the surface's cells; corners add as much again.
        shell_ = 0.5 * skin + std::max(0.0, double(points) - double(tissue.size()));
        inside_ = std::max(0.0, double(points) - shell_);
    }
    double at(int resolution) const {
        const double finer = double(resolution) / probed_resolution;
        return (inside_ * finer + shell_) * finer * finer;
    }
    /// The finest resolution that the budget allows.
    int finest(int wanted, double budget) const {
        while (wanted > coarsest_choice && at(wanted) > budget) --wanted;
        return wanted;
    }

private:
    double inside_, shell_;
};

/// Distance of each node from the bone that is the fewest links away, scene units; 0 if there is no bone. [nodes]
std::vector<double> distance_to_bone(const BodyCells& body, std::span<const lattice::Bone> bones) {
    constexpr std::uint32_t none = 0xffffffffu;
    const lattice::Tissue& tissue = body.tissue;
    std::vector<std::uint32_t> core(tissue.size(), none), queue;
    for (const auto& of_bone : lattice::find_cores(body.grid, tissue, bones))
        for (const std::uint32_t n : of_bone)
            if (core[n] == none) core[n] = n, queue.push_back(n);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const std::uint32_t n = queue[k];
        for (std::uint32_t l = tissue.link_first[n * 6]; l < tissue.link_first[n * 6 + 6]; ++l)
            if (core[tissue.links[l]] == none) core[tissue.links[l]] = core[n], queue.push_back(tissue.links[l]);
    }
    std::vector<double> out(tissue.size(), 0);
    for (std::size_t n = 0; n < out.size(); ++n)
        if (core[n] != none)
            out[n] = length(body.grid.center(tissue.cells[n]) - body.grid.center(tissue.cells[core[n]]));
    return out;
}

}  // namespace

FleshFeatures flesh_features(const BodyCells& body, const BodySurface& surface, std::span<const lattice::Bone> bones) {
    const lattice::Tissue& tissue = body.tissue;
    const double h = body.grid.h, size = h * body.resolution;
    const std::vector<double> to_bone = distance_to_bone(body, bones);
    const std::vector<float> radius = lattice::inscribed_radius(body.grid, tissue);
    const auto is_soft = [&](std::uint32_t node) { return to_bone[node] >= soft_skin * size; };

    std::vector<double> all, deep, gaps;
    std::size_t soft = 0, together = 0;
    for (std::uint32_t first = 0, last = 0; first < tissue.size(); first = last) {
        for (last = first + 1; last < tissue.size() && tissue.cells[last] == tissue.cells[first];) ++last;
        if (!tissue.on_surface[first]) continue;
        for (std::uint32_t n = first; n < last; ++n) {
            // Cells that the surface only touches make everything a cell thicker.
            all.push_back((2.0 * radius[n] - h) / size);
            if (to_bone[n] >= deep_flesh * size) deep.push_back(all.back());
            soft += is_soft(n);
            together += is_soft(n) && last - first > 1;
            for (std::uint32_t m = first; m < n; ++m)
                if (is_soft(n) || is_soft(m))
                    gaps.push_back(surface.distance(tissue.triangles_of(n), tissue.triangles_of(m)) / size);
        }
    }
    FleshFeatures out;
    out.limbs = quantile(all, 0.25);
    if (double(deep.size()) >= least_deep * double(all.size())) out.deep = quantile(deep, 0.5);
    out.gap = quantile(gaps, 0.5);
    if (soft > 0) out.together = double(together) / double(soft);
    return out;
}

int resolution_for(const FleshFeatures& features) {
    double out = features.limbs > 0 ? std::min(cells_across_limb / features.limbs, double(probed_resolution))
                                    : double(probed_resolution);
    out = std::max(out, double(coarsest_choice));
    if (features.deep > 0) out = std::max({out, double(probed_resolution), cells_across_flesh / features.deep});
    if (features.deep > 0 && features.together >= least_together)
        out = std::max(out, std::min(most_for_gaps * out, features.gap > 0 ? 1 / features.gap : 1e9));
    return int(std::ceil(std::min(out, double(finest_choice)) - 1e-6));
}

BodyCells fill_body(const BodySurface& surface, std::span<const lattice::Bone> bones, const Fineness& fineness,
                    const PointCount& count) {
    if (fineness.resolution > 0) return surface.fill(fineness.resolution);
    BodyCells probe = surface.fill(probed_resolution);
    if (probe.tissue.size() == 0) return probe;
    const PointModel model(count(probe.tissue), probe.tissue);
    int chosen = model.finest(resolution_for(flesh_features(probe, surface, bones)), fineness.budget);
    while (true) {
        BodyCells filled = chosen == probed_resolution ? std::move(probe) : surface.fill(chosen);
        // The model may be a little off.
        if (chosen == coarsest_choice || count(filled.tissue) <= std::size_t(fineness.budget)) return filled;
        --chosen;
    }
}

}  // namespace fascia
