#include "methods/particles/particles_contact.h"

#include <algorithm>
#include <cmath>

#include "contact/box_tree.h"
#include "methods/particles/particles_body.h"

namespace fascia {

namespace {

constexpr float thickness = 0.12f;  ///< of the depth of flesh: what stays between parts that meet
constexpr float noise = 5e-3f;      ///< of the depth of flesh: what rounding and the table may be wrong by
constexpr float apart = 0.05f;      ///< lead at rest of flesh that does not belong to the same joint
constexpr float least_gain = 0.1f, full_gain = 0.4f;  ///< lead that flesh wins by going to its bone: less is no contact
constexpr float most_given = 0.95f;                   ///< of the way to the bone
constexpr float slope = 1.0f;                         ///< at which flesh around a dent gives way, too
constexpr int halvings = 8, sweeps = 4, smoothing = 2;

std::uint16_t strongest_joint(const weights::Influences& influences, std::size_t vertex) {
    std::size_t best = 4 * vertex;
    for (std::size_t k = best; k < 4 * vertex + 4; ++k)
        if (influences.weights[k] > influences.weights[best]) best = k;
    return influences.joints[best];
}

/// From each joint to the joint below it that moves most of the skin; a bone without one ends in its own flesh.
std::vector<Vec3> bone_tails(const ParticlesBlueprint& plan, std::span<const Vec3d> skin, std::span<const Vec3d> heads,
                             const std::vector<std::vector<std::uint32_t>>& own) {
    constexpr double into_flesh = 0.7;
    const std::vector<Joint>& joints = plan.surface.joints;
    std::vector<std::size_t> below(joints.size(), 0);
    for (std::size_t j = 0; j < joints.size(); ++j) below[j] = own[j].size();
    for (std::size_t j = joints.size(); j-- > 0;)
        if (joints[j].parent >= 0) below[std::size_t(joints[j].parent)] += below[j];
    std::vector<int> next(joints.size(), -1);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const int parent = joints[j].parent;
        if (parent < 0 || below[j] == 0 || !(length(heads[j] - heads[std::size_t(parent)]) > 0)) continue;
        int& known = next[std::size_t(parent)];
        if (known < 0 || below[j] > below[std::size_t(known)]) known = int(j);
    }
    std::vector<Vec3> out;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        Vec3d tail = heads[j];
        if (next[j] >= 0) {
            tail = heads[std::size_t(next[j])];
        } else if (!own[j].empty()) {
            Vec3d middle;
            for (const std::uint32_t v : own[j]) middle += skin[v] * (1 / double(own[j].size()));
            const Vec3d way = normalized(middle - heads[j]);
            double far = 0;
            for (const std::uint32_t v : own[j]) far = std::max(far, dot(skin[v] - heads[j], way));
            tail = heads[j] + way * (into_flesh * far);
        }
        out.push_back(to_float(tail));
    }
    return out;
}

}  // namespace

ParticlesContact find_contact(const ParticlesBlueprint& plan, std::span<const Vec3d> skin,
                              std::span<const Vec3d> heads) {
    ParticlesContact out;
    const std::size_t n = plan.vertex_count(), joints = heads.size();
    std::vector<std::vector<std::uint32_t>> own(joints);
    std::vector<std::uint16_t> joint_of(n);
    for (std::uint32_t v = 0; v < n; ++v) {
        joint_of[v] = strongest_joint(plan.influences, v);
        own[joint_of[v]].push_back(v);
    }
    const std::vector<Vec3> tails = bone_tails(plan, skin, heads, own);
    out.first = {0};
    for (std::size_t j = 0; j < joints; ++j) {
        out.bones.emplace_back(to_float(heads[j]), tails[j]);
        out.vertices.insert(out.vertices.end(), own[j].begin(), own[j].end());
        out.first.push_back(std::uint32_t(out.vertices.size()));
    }
    for (std::size_t v = 0; v < n; ++v) out.bones[joint_of[v]].add(to_float(skin[v]));
    for (std::size_t t = 0; t + 2 < plan.triangles.size(); t += 3) {
        const std::uint32_t* c = &plan.triangles[t];
        if (joint_of[c[0]] != joint_of[c[1]] || joint_of[c[0]] != joint_of[c[2]]) continue;
        out.bones[joint_of[c[0]]].add(to_float((skin[c[0]] + skin[c[1]] + skin[c[2]]) * (1.0 / 3)));
    }
    for (contact::BoneField& bone : out.bones) bone.finish();
    out.rest_first = {0};
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3 p = to_float(skin[v]);
        out.distance.push_back(std::max(out.bones[joint_of[v]].distance(p), 1e-3f));
        for (std::size_t j = 0; j < joints; ++j) {
            const contact::BoneField& bone = out.bones[j];
            if (j == joint_of[v] || !(bone.reach() > 0) || bone.distance(p) > (1 + apart) * bone.reach()) continue;
            // Around a joint flesh of both bones lies equally deep without touching.
            const float lead = bone.depth(p) - 1;
            if (lead < apart) out.at_rest.push_back({std::uint16_t(j), lead < 0 ? lead : thickness * lead / apart});
        }
        out.rest_first.push_back(std::uint32_t(out.at_rest.size()));
    }
    const LinkLists edges = edges_of(plan.triangles, n);
    out.edge_first = edges.first;
    out.edge_to = edges.to;
    for (std::size_t v = 0; v < n; ++v)
        for (const std::uint32_t w : edges.view().of(v)) out.edge_length.push_back(float(length(skin[v] - skin[w])));
    return out;
}

namespace {

/// Rigid ways of the joints, and back.
struct JointWay {
    const Vec3* axes;
    Vec3 back(Vec3 p) const {
        const Vec3 d = p - axes[3];
        return {dot(d, axes[0]), dot(d, axes[1]), dot(d, axes[2])};
    }
    Vec3 forth(Vec3 p) const { return axes[3] + axes[0] * p.x + axes[1] * p.y + axes[2] * p.z; }
};

/// p + 2 u x (u x p + w p) + 2 (w d - dw u + u x d)
Vec3 carried_by_dual(const float* q, Vec3 p) {
    const Vec3 u{q[1], q[2], q[3]}, d{q[5], q[6], q[7]};
    const Vec3 way = cross(u, cross(u, p) + p * q[0]) + (d * q[0] - u * q[4]) + cross(u, d);
    return p + way + way;
}

void store_axes(std::span<const float> duals, std::vector<Vec3>& axes) {
    axes.resize(duals.size() / 2);
    for (std::size_t j = 0; j < duals.size() / 8; ++j) {
        Vec3* own = &axes[4 * j];
        own[3] = carried_by_dual(&duals[8 * j], {0, 0, 0});
        own[0] = carried_by_dual(&duals[8 * j], {1, 0, 0}) - own[3];
        own[1] = carried_by_dual(&duals[8 * j], {0, 1, 0}) - own[3];
        own[2] = carried_by_dual(&duals[8 * j], {0, 0, 1}) - own[3];
    }
}

float lead_at_rest(const ParticlesContact& contact, std::uint32_t vertex, std::size_t joint) {
    for (std::uint32_t k = contact.rest_first[vertex]; k < contact.rest_first[vertex + 1]; ++k)
        if (contact.at_rest[k].joint == joint) return contact.at_rest[k].lead;
    return thickness;
}

/// A vertex's flesh, from its core to its skin, against the flesh of another bone.
struct Column {
    Vec3 core, skin;
    const contact::BoneField *own, *other;
    JointWay own_way, other_way;
    float distance;

    /// How much deeper the point is in its own flesh than in the other's.
    float lead(float share) const {
        const Vec3 p = core + (skin - core) * share;
        return other->depth(other_way.back(p)) - own->distance(own_way.back(p)) / distance;
    }
    /// 0: going to its bone does not take it away from the other one, as around a joint; 1: it does.
    float gain() const {
        constexpr float some = 0.75f;
        const float won = (lead(some) - lead(1)) / (1 - some);
        return std::fmin(std::fmax((won - least_gain) / (full_gain - least_gain), 0.0f), 1.0f);
    }
    /// The largest share of the column that leads by `least`.
    float room(float least) const {
        float low = 1 - most_given, high = 1;
        if (lead(low) < least) return low;
        for (int k = 0; k < halvings; ++k) {
            const float middle = 0.5f * (low + high);
            (lead(middle) < least ? high : low) = middle;
        }
        return low;
    }
};

/// Flesh around a dent gives way, too, so that it has no steep walls.
void widen_dents(const ParticlesContact& contact, std::vector<float>& given) {
    const std::size_t n = given.size();
    const auto visit = [&](std::size_t v) {
        float most = given[v];
        for (std::uint32_t k = contact.edge_first[v]; k < contact.edge_first[v + 1]; ++k)
            most = std::max(most, given[contact.edge_to[k]] - slope * contact.edge_length[k]);
        const bool grew = most > given[v];
        given[v] = most;
        return grew;
    };
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        bool grew = false;
        for (std::size_t v = 0; v < n; ++v) grew = visit(v) || grew;
        for (std::size_t v = n; v-- > 0;) grew = visit(v) || grew;
        if (!grew) return;
    }
}

void smooth_dents(const ParticlesContact& contact, ContactScratch& scratch) {
    for (int round = 0; round < smoothing; ++round) {
        for (std::size_t v = 0; v < scratch.given.size(); ++v) {
            float sum = 0;
            const std::uint32_t first = contact.edge_first[v], last = contact.edge_first[v + 1];
            for (std::uint32_t k = first; k < last; ++k) sum += scratch.given[contact.edge_to[k]];
            const float mean = last > first ? sum / float(last - first) : 0;
            scratch.next[v] = std::max(scratch.least[v], 0.5f * (scratch.given[v] + mean));
        }
        scratch.given.swap(scratch.next);
    }
}

}  // namespace

bool find_giving(const ParticlesContact& contact, std::span<const float> duals, const ContactPlaces& places,
                 ContactScratch& scratch) {
    const std::size_t joints = contact.bones.size(), n = contact.distance.size();
    store_axes(duals, scratch.axes);
    for (std::vector<float>* each : {&scratch.least, &scratch.given, &scratch.next}) each->assign(n, 0);
    const auto load = [&](const float* channels, std::size_t i) {
        return Vec3{channels[i], channels[places.stride + i], channels[2 * places.stride + i]};
    };
    // Where the skeleton drives the skin, or farther out, where it bulges.
    const auto skin_at = [&](std::uint32_t v) {
        const Vec3 core = load(places.driven, places.core + v), skin = load(places.driven, places.skin + v);
        const Vec3 out = normalized(skin - core);
        return skin + out * std::fmax(dot(load(places.positions, places.skin + v) - skin, out), 0.0f);
    };
    const auto way = [&](std::size_t j) { return JointWay{&scratch.axes[4 * j]}; };
    bool any = false;
    for (std::size_t j = 0; j < joints; ++j) {
        contact::FloatBox flesh;
        for (std::uint32_t k = contact.first[j]; k < contact.first[j + 1]; ++k) flesh.add(skin_at(contact.vertices[k]));
        for (std::size_t other = 0; other < joints && contact.first[j] < contact.first[j + 1]; ++other) {
            const contact::BoneField& bone = contact.bones[other];
            if (other == j || !(bone.reach() > 0)) continue;
            contact::FloatBox reach;
            reach.add(way(other).forth(bone.head()));
            reach.add(way(other).forth(bone.tail()));
            reach.widen((1 + thickness) * bone.reach());
            if (!reach.meets(flesh)) continue;
            for (std::uint32_t k = contact.first[j]; k < contact.first[j + 1]; ++k) {
                const std::uint32_t v = contact.vertices[k];
                const Vec3 skin = skin_at(v);
                contact::FloatBox point;
                point.add(skin);
                if (!reach.meets(point)) continue;
                const Column column{load(places.driven, places.core + v),
                                    skin,
                                    &contact.bones[j],
                                    &bone,
                                    way(j),
                                    way(other),
                                    contact.distance[v]};
                const float least = lead_at_rest(contact, v, other) - noise;
                if (!(column.lead(1) < least)) continue;
                const float gain = column.gain();
                if (!(gain > 0)) continue;
                // Counted from where it is driven: what bulges beyond that is cut off anyway.
                const float whole = length(skin - column.core),
                            given = length(load(places.driven, places.skin + v) - column.core) -
                                    (1 - gain * (1 - column.room(least))) * whole;
                scratch.least[v] = std::max(scratch.least[v], given);
                any = true;
            }
        }
    }
    if (!any) return false;
    scratch.given = scratch.least;
    widen_dents(contact, scratch.given);
    smooth_dents(contact, scratch);
    return true;
}

}  // namespace fascia
