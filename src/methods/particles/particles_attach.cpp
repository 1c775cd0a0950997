#include "methods/particles/particles_attach.h"

#include <algorithm>

#include "methods/shared/carried_attachment.h"

namespace fascia {

namespace {

constexpr std::size_t slots = embedding::Trilinear::slots;

/// The points that carry a point of the body's surface: the strongest eight of those that carry the corners of its
/// triangle.
void mix_carriers(const ParticlesBody& body, const SurfacePoint& tie, std::uint32_t* points, float* weights) {
    std::vector<std::pair<std::uint32_t, double>> sum;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t v = body.blueprint->surface.triangles[3 * std::size_t(tie.triangle) + c];
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k) {
            const double w = tie.share[c] * double(body.bound.weights[k]);
            if (!(w > 0)) continue;
            const std::uint32_t point = body.bound.points[k];
            const auto found = std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.first == point; });
            if (found != sum.end())
                found->second += w;
            else
                sum.emplace_back(point, w);
        }
    }
    std::sort(sum.begin(), sum.end(), [](const auto& a, const auto& b) {
        return a.second > b.second || (a.second == b.second && a.first < b.first);
    });
    if (sum.size() > slots) sum.resize(slots);
    double total = 0;
    for (const auto& [point, w] : sum) total += w;
    std::fill(points, points + slots, sum[0].first);
    std::fill(weights, weights + slots, 0.0f);
    for (std::size_t k = 0; k < sum.size(); ++k) points[k] = sum[k].first, weights[k] = float(sum[k].second / total);
}

}  // namespace

Result<std::shared_ptr<AttachedSurface>> attach_to_particles(const ParticlesBody& body, const Mesh& mesh) {
    const ParticlesBlueprint& plan = *body.blueprint;
    Result<TiedMesh> tied = tie_mesh(plan.surface, mesh, body.size);
    if (!tied) return tied.error();
    embedding::Trilinear held;
    held.points.resize(mesh.vertex_count() * slots);
    held.weights.resize(mesh.vertex_count() * slots);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
        mix_carriers(body, tied->ties[v], &held.points[v * slots], &held.weights[v * slots]);
    return std::shared_ptr<AttachedSurface>(
        carried_attachment({plan.surface, body.gate.rest(), plan.linear}, std::move(*tied), held));
}

}  // namespace fascia
