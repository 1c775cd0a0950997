#include "methods/shared/attached_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "weights/influences.h"

namespace fascia {

namespace {

constexpr double far_away = 0.25;  ///< of the size: a mesh further away does not belong to this body

Status check_mesh_arrays(const Mesh& mesh) {
    const std::size_t n = mesh.vertex_count();
    if (n == 0) return input_error("the mesh to attach has no vertices");
    if (!mesh.normals.empty() && mesh.normals.size() != n)
        return input_error("the mesh to attach has fewer or more normals than vertices");
    for (std::size_t v = 0; v < n; ++v)
        if (!std::isfinite(mesh.positions[v].x + mesh.positions[v].y + mesh.positions[v].z))
            return input_error("the mesh to attach has a non-finite position at vertex " + std::to_string(v));
    return ok_status();
}

/// Weights at a point of the body's surface.
void mix_weights(const RestSurface& body, const SurfacePoint& tie, weights::Mixture& mixture) {
    const auto slots = std::size_t(body.weights.influences);
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t v = body.triangles[3 * std::size_t(tie.triangle) + c];
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            if (body.weights.weights[k] > 0)
                mixture.add(body.weights.joints[k], tie.share[c] * body.weights.weights[k]);
    }
}

}  // namespace

double size_of(const RestSurface& surface) {
    Vec3 low = surface.positions[0], high = low;
    for (const Vec3 p : surface.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return std::max({double(high.x) - low.x, double(high.y) - low.y, double(high.z) - low.z});
}

Result<TiedMesh> tie_mesh(const RestSurface& body, const Mesh& mesh, double size) {
    if (const Status checked = check_mesh_arrays(mesh); !checked) return checked.error();
    if (body.triangles.empty()) return input_error("nothing can be attached to a surface without triangles");
    TiedMesh out;
    out.surface.positions = mesh.positions;
    out.surface.normals = mesh.normals;
    out.surface.triangles = mesh.triangles;
    out.surface.joints = body.joints;
    SkinWeights& weights = out.surface.weights;
    weights.influences = max_influences;
    weights.joints.resize(mesh.vertex_count() * max_influences);
    weights.weights.resize(weights.joints.size());
    const ClosestTriangle closest(body.positions, body.triangles);
    weights::Mixture mixture;
    double nearest = 1e300;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const SurfacePoint tie = closest.find(to_double(mesh.positions[v]));
        mixture.clear();
        mix_weights(body, tie, mixture);
        mixture.store({&weights.joints[v * max_influences], max_influences},
                      {&weights.weights[v * max_influences], max_influences});
        nearest = std::min(nearest, tie.distance);
        out.ties.push_back(tie);
    }
    if (nearest > far_away * size)
        out.warnings.push_back("the attached mesh comes no nearer to the body than " + number_text(nearest / size, 3) +
                               " of its size: it should be in the character's scene space, in its rest pose");
    return out;
}

std::vector<std::uint32_t> vertices_beneath(const RestSurface& body, const TiedMesh& tied) {
    std::vector<std::uint32_t> out;
    out.reserve(tied.ties.size());
    for (const SurfacePoint& tie : tied.ties) {
        const auto nearest = std::max_element(tie.share.begin(), tie.share.end()) - tie.share.begin();
        out.push_back(body.triangles[3 * std::size_t(tie.triangle) + std::size_t(nearest)]);
    }
    return out;
}

Result<AttachedMesh> attach(const RigPtr& rig, const Mesh& mesh) {
    const Clothes* clothes = rig->clothes();
    if (!clothes)
        return usage_error(std::string("the method '") + rig->method() +
                           "' cannot carry further meshes here; use layers");
    Result<std::shared_ptr<AttachedSurface>> surface = clothes->attach(mesh);
    if (!surface) return surface.error();
    (*surface)->has_normals = !mesh.normals.empty();
    (*surface)->rig = rig->fingerprint();
    return AttachedMesh{rig, std::move(*surface)};
}

}  // namespace fascia
