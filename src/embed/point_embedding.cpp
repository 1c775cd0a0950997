#include "embed/point_embedding.h"

#include <cmath>

namespace fascia::embedding {

std::optional<How> how_named(std::string_view name) {
    if (name == "trilinear") return How::trilinear;
    if (name == "blend") return How::blend;
    if (name == "dq") return How::dq;
    if (name == "rbf") return How::rbf;
    if (name == "domains") return How::domains;
    return std::nullopt;
}

std::unique_ptr<const PointEmbedding> make_embedding(const EmbeddingInput& input) {
    if (input.how == How::domains || input.bound == nullptr) return system_per_domain(input);
    return input.how == How::rbf ? single_system(input) : blended_cells(input);
}

RestDirections::RestDirections(const EmbeddingInput& input)
    : normals_(input.normals.begin(), input.normals.end()), tangents_(input.tangents.begin(), input.tangents.end()) {
    for (const Vec3 normal : normals_) {
        const Vec3d n = normalized(to_double(normal), Vec3d{0, 0, 1});
        const Vec3d aside = std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d first = normalized(cross(aside, n), Vec3d{1, 0, 0});
        along_.push_back({first, cross(n, first)});
    }
}

void RestDirections::write(std::size_t v, Vec3d first, Vec3d second, const EmbeddedSurface& out) const {
    // Adding +0 turns negative zeros into positive ones.
    const auto stored = [](Vec3d a) { return to_float(a) + Vec3{0, 0, 0}; };
    if (!out.normals.empty()) out.normals[v] = stored(normalized(cross(first, second), to_double(normals_[v])));
    if (out.tangents.empty() || tangents_.empty()) return;
    const TangentPair rest = along(v);
    const Vec4 t = tangents_[v];
    const Vec3d at_rest{t.x, t.y, t.z};
    const Vec3d moved = first * dot(rest.first, at_rest) + second * dot(rest.second, at_rest);
    const Vec3 unit = stored(normalized(moved, at_rest));
    out.tangents[v] = {unit.x, unit.y, unit.z, t.w};
}

}  // namespace fascia::embedding
