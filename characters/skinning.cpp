#include "skinning.h"

#include <algorithm>
#include <numeric>

#include "trig.h"

namespace fascia::characters {
namespace {

/// Shares of a chain's joints at p: each joint takes over beyond its plane.
void chain_shares(const BodyPart& part, const Skeleton& skeleton, Vec3d p, std::vector<double>& share) {
    share.assign(part.chain.size(), 0);
    share[0] = 1;
    for (std::size_t i = 1; i < part.chain.size(); ++i) {
        const Bone& before = skeleton.bone(part.chain[i - 1].joint);
        const Bone& here = skeleton.bone(part.chain[i].joint);
        Vec3d normal = part.chain[i].normal;
        if (dot(normal, normal) == 0) normal = normalized(here.head - before.head) + normalized(here.tail - here.head);
        const double s = dot(p - here.head, normalized(normal));
        const double taken = smooth_step(-part.chain[i].half_width, part.chain[i].half_width, s);
        for (std::size_t j = 0; j < i; ++j) share[j] *= 1 - taken;
        share[i] = taken;
    }
}

/// Averages over the neighbours, `rounds` times, all joints of a vertex side by side.
void smooth_over_surface(const SurfaceMesh& mesh, std::size_t joints, int rounds, std::vector<double>& weights) {
    std::vector<double> next(weights.size());
    for (int round = 0; round < rounds; ++round) {
        for (int v = 0; v < mesh.vertex_count(); ++v) {
            double* to = &next[static_cast<std::size_t>(v) * joints];
            std::fill(to, to + joints, 0.0);
            int count = 0;
            mesh.around(v, [&](int h) {
                const double* from = &weights[static_cast<std::size_t>(mesh.to(h)) * joints];
                for (std::size_t j = 0; j < joints; ++j) to[j] += from[j];
                ++count;
            });
            const double* own = &weights[static_cast<std::size_t>(v) * joints];
            for (std::size_t j = 0; j < joints; ++j) to[j] = 0.4 * own[j] + 0.6 * to[j] / count;
        }
        weights.swap(next);
    }
}

SkinWeights four_largest(const std::vector<double>& weights, std::size_t joints) {
    SkinWeights out;
    out.influences = 4;
    std::vector<std::size_t> order(joints);
    for (std::size_t first = 0; first < weights.size(); first += joints) {
        const double* w = &weights[first];
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return w[a] != w[b] ? w[a] > w[b] : a < b; });
        double kept[4], sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            kept[k] = w[order[k]] < 0.004 ? 0 : w[order[k]];
            sum += kept[k];
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out.weights.push_back(static_cast<float>(kept[k] / sum));
            out.joints.push_back(kept[k] > 0 ? static_cast<std::uint16_t>(order[k]) : std::uint16_t{0});
        }
    }
    return out;
}

}  // namespace

void Skinning::add(const std::string& part, std::vector<Link> chain, double seam) {
    parts_.push_back({part, std::move(chain), seam});
}

void Skinning::add_pair(const std::string& left_part, std::vector<Link> chain, double seam) {
    add(left_part, chain, seam);
    for (Link& link : chain) {
        link.joint = other_side(link.joint);
        link.normal.x = -link.normal.x;
    }
    add(other_side(left_part), std::move(chain), seam);
}

void Skinning::soft_spot(const std::string& part, const std::string& joint, const Shape& shape, double inner,
                         double outer, double strength) {
    spots_.push_back({part, joint, shape, inner, outer, strength});
}

std::vector<double> Skinning::raw_weights(const Skeleton& skeleton, const Field& field, const SurfaceMesh& mesh) const {
    const std::size_t joints = skeleton.bones().size();
    std::vector<double> weights(mesh.points.size() * joints, 0);
    std::vector<const BodyPart*> part_of_field;
    for (const std::string& name : field.parts()) {
        const auto found = std::find_if(parts_.begin(), parts_.end(), [&](const auto& p) { return p.name == name; });
        part_of_field.push_back(found == parts_.end() ? nullptr : &*found);
    }
    std::vector<double> distance, share;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const Vec3d p = mesh.points[v];
        double* w = &weights[v * joints];
        field.part_distances(p, distance);
        const double nearest = *std::min_element(distance.begin(), distance.end());
        double total = 0;
        for (std::size_t i = 0; i < distance.size(); ++i) {
            const BodyPart* part = part_of_field[i];
            if (!part) continue;
            const double fade = 1 - std::min(1.0, (distance[i] - nearest) / part->seam);
            if (fade <= 0) continue;
            double left = fade * fade;
            total += left;
            for (const SoftSpot& spot : spots_) {
                if (spot.part != part->name) continue;
                const double s = spot.strength * (1 - smooth_step(spot.inner, spot.outer, spot.shape.distance(p)));
                w[static_cast<std::size_t>(skeleton.find(spot.joint))] += left * s;
                left *= 1 - s;
            }
            chain_shares(*part, skeleton, p, share);
            for (std::size_t k = 0; k < share.size(); ++k)
                w[static_cast<std::size_t>(skeleton.find(part->chain[k].joint))] += left * share[k];
        }
        for (std::size_t j = 0; j < joints; ++j) w[j] /= total;
    }
    return weights;
}

SkinWeights Skinning::weights(const Skeleton& skeleton, const Field& field, const SurfaceMesh& mesh) const {
    std::vector<double> weights = raw_weights(skeleton, field, mesh);
    smooth_over_surface(mesh, skeleton.bones().size(), smoothing, weights);
    return four_largest(weights, skeleton.bones().size());
}

}  // namespace fascia::characters
