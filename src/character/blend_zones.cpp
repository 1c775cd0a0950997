#include "character/blend_zones.h"

#include <algorithm>
#include <cmath>

#include "base/glob.h"
#include "base/portable_math.h"
#include "character/blend_seams.h"
#include "character/joint_turns.h"
#include "fascia/pose.h"

namespace fascia {

namespace {

/// Share of a bone's length: the zones at its two ends leave a piece between them.
constexpr double longest_share = 0.45;

Vec3d head(const Joint& joint) {
    return translation_of(joint.rest);
}

double smallest_bone(const Character& character) {
    return 1e-6 * std::max(character.size(), 1e-30);
}

/// To the child that continues the bone, or to the tail of a leaf; otherwise straight on from the parent.
Vec3d bone_of(const Character& character, std::size_t j, double smallest) {
    const Joint& joint = character.joints[j];
    const Vec3d own = joint.tail - head(joint);
    if (length(own) > smallest) return own;
    for (int at = joint.parent; at >= 0; at = character.joints[at].parent) {
        const Vec3d step = head(joint) - head(character.joints[at]);
        if (length(step) > smallest) return step;
    }
    return {0, 1, 0};
}

double weight_of(const SkinWeights& weights, std::size_t vertex, int joint) {
    double sum = 0;
    for (std::size_t s = vertex * weights.influences; s < (vertex + 1) * weights.influences; ++s)
        if (weights.joints[s] == joint) sum += weights.weights[s];
    return sum;
}

double median(std::vector<double>& values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Median distance from the bone of the vertices that both joints hold, or, if there are none, of all that the joint
/// holds.
std::vector<double> limb_radii(const Character& character, std::span<const BlendZone> zones) {
    std::vector<std::vector<double>> bending(zones.size()), own(zones.size());
    const SkinWeights& weights = character.weights;
    constexpr float some = 0.05f;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        const Vec3d p = to_double(character.mesh.positions[v]);
        for (std::size_t s = v * weights.influences; s < (v + 1) * weights.influences; ++s) {
            if (!(weights.weights[s] > some)) continue;
            const std::size_t j = weights.joints[s];
            own[j].push_back(zones[j].off_axis(p));
            const int parent = character.joints[j].parent;
            if (parent >= 0 && weight_of(weights, v, parent) > some) bending[j].push_back(own[j].back());
        }
    }
    std::vector<double> out(zones.size());
    for (std::size_t j = 0; j < zones.size(); ++j) out[j] = median(bending[j].empty() ? own[j] : bending[j]);
    return out;
}

/// Warns if the zone of a joint begins before that of its parent has ended.
void warn_of_overlaps(const Character& character, std::span<const BlendZone> zones,
                      std::vector<std::string>& warnings) {
    for (std::size_t j = 0; j < zones.size(); ++j) {
        const int p = character.joints[j].parent;
        if (p < 0 || !zones[j].chosen || !zones[p].chosen) continue;
        const double between = dot(zones[j].at - zones[p].at, zones[p].along);
        if (between + zones[j].t_min < zones[p].t_max)
            warnings.push_back("the blending zones of '" + character.joints[p].name + "' and '" +
                               character.joints[j].name + "' overlap; a vertex in both follows the one whose middle " +
                               "is nearer (narrow them with joints.NAME.t_min and t_max)");
    }
}

double smooth_step(double from, double to, double x) {
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

// ---- attachment ------------------------------------------------------------------------------------------------

class Attacher {
public:
    Attacher(const Character& character, std::span<const BlendZone> zones)
        : character_(character), zones_(zones), children_(zones.size()), share_(zones.size()) {
        for (std::size_t j = 0; j < zones.size(); ++j)
            if (character.joints[j].parent >= 0) children_[character.joints[j].parent].push_back(int(j));
    }

    Attachment attach(std::size_t vertex) {
        point_ = to_double(character_.mesh.positions[vertex]);
        const int dominant = gather_weights(vertex);
        const int j = choose(dominant);
        clear_weights(vertex);
        return j < 0 ? Attachment{} : Attachment{j, zones_[j].t(point_), fade_};
    }

private:
    int gather_weights(std::size_t vertex) {
        const SkinWeights& weights = character_.weights;
        int dominant = -1;
        for (std::size_t s = vertex * weights.influences; s < (vertex + 1) * weights.influences; ++s) {
            const int j = weights.joints[s];
            share_[j] += weights.weights[s];
            if (dominant < 0 || share_[j] > share_[dominant] || (share_[j] == share_[dominant] && j < dominant))
                dominant = j;
        }
        return dominant;
    }
    void clear_weights(std::size_t vertex) {
        const SkinWeights& weights = character_.weights;
        for (std::size_t s = vertex * weights.influences; s < (vertex + 1) * weights.influences; ++s)
            share_[weights.joints[s]] = 0;
    }

    /// B5: a vertex stays with its own joint, unless the zone of a joint below takes it.
    int choose(int dominant) {
        int best = -1;
        if (dominant >= 0 && zones_[dominant].chosen) best = dominant;
        if (dominant >= 0)
            for (const int child : children_[dominant])
                if (zones_[child].chosen && (best < 0 || better(child, best, dominant))) best = child;
        if (best >= 0) fade_ = fade_of(best);
        return best;
    }

    bool better(int child, int best, int dominant) const {
        const double t = zones_[child].t(point_), t_best = zones_[best].t(point_);
        if (best != dominant) return pull(child) > pull(best);  // siblings
        if (t <= 0) return false;
        if (t_best >= 1) return true;
        return std::abs(t - 0.5) < std::abs(t_best - 0.5);  // overlapping zones
    }

    /// 1 near the bone, 0 where the trunk beside the limb begins.
    double beside(int j) const {
        const double r = zones_[j].radius;
        return r > 0 ? 1 - smooth_step(1.5, 2.5, zones_[j].off_axis(point_) / r) : 1.0;
    }

    /// How strongly a joint claims the vertex: both thighs reach into the crotch.
    double pull(int j) const { return beside(j) * zones_[j].t(point_) * (share_[j] + 0.05); }

    double fade_of(int j) const {
        const int parent = character_.joints[j].parent;
        // Weights of joints outside the zone count in favour of plain skinning.
        double explained = share_[j] + share_[parent];
        for (const int child : children_[j])
            if (zones_[child].chosen) explained += share_[child];
        const int grandparent = character_.joints[parent].parent;
        if (zones_[parent].chosen && grandparent >= 0) explained += share_[grandparent];
        double fade = smooth_step(0.6, 0.95, explained) * beside(j);
        // Plain skinning between two siblings that claim it equally.
        for (const int other : children_[parent]) {
            if (other == j || !zones_[other].chosen) continue;
            const double mine = pull(j), theirs = pull(other);
            if (theirs > 0) fade *= std::clamp(2 * (mine - theirs) / (mine + theirs), 0.0, 1.0);
        }
        fade *= zones_[j].blend;
        return fade > 0.999 ? 1 : fade < 0.001 ? 0 : fade;
    }

    const Character& character_;
    std::span<const BlendZone> zones_;
    std::vector<std::vector<int>> children_;
    std::vector<double> share_;  ///< [joints] for the current vertex
    Vec3d point_;
    double fade_ = 0;
};

// ---- wide joints -----------------------------------------------------------------------------------------------

/// Angles of swing and twist about `along` of a rotation.
struct SwingTwist {
    double swing = 0, twist = 0;
};
SwingTwist swing_twist(Quat q, Vec3d along) {
    const double on_axis = q.x * along.x + q.y * along.y + q.z * along.z;
    const double cos_half_swing = std::sqrt(q.w * q.w + on_axis * on_axis);
    const double off = std::sqrt(std::max(0.0, 1 - cos_half_swing * cos_half_swing));
    return {2 * portable::arc_tangent(off, cos_half_swing),
            2 * std::abs(portable::arc_tangent(on_axis * (q.w < 0 ? -1 : 1), std::abs(q.w)))};
}

}  // namespace

/// [Kavan 2003, eq. 6] [Kavan 2003, eq. 7]
double BlendZone::t(Vec3d v) const {
    const double along_bone = dot(v - at, along);
    if (!(t_max > t_min)) return along_bone >= t_min ? 1 : 0;
    return std::clamp((along_bone - t_min) / (t_max - t_min), 0.0, 1.0);
}

double BlendZone::off_axis(Vec3d v) const {
    const Vec3d off = v - at;
    return length(off - along * dot(off, along));
}

std::vector<bool> wide_joints(const Character& character, std::span<const Clip> clips, double limit) {
    const double smallest = smallest_bone(character);
    const std::size_t n = character.joints.size();
    std::vector<bool> wide(n, false);
    std::vector<Vec3d> along;
    for (std::size_t j = 0; j < n; ++j) along.push_back(normalized(bone_of(character, j, smallest)));
    const JointTurns turns(character);
    Pose pose;
    for (const Clip& clip : clips) {
        constexpr double samples_per_second = 15, most = 600;
        const int frames = int(std::clamp(clip.duration * samples_per_second, 1.0, most));
        for (int k = 0; k <= frames; ++k) {
            evaluate(character, &clip, clip.duration * k / frames, pose);
            for (std::size_t j = 0; j < n; ++j) {
                if (wide[j] || character.joints[j].parent < 0) continue;
                const SwingTwist angles = swing_twist(turns.of(j, pose), along[j]);
                wide[j] = angles.swing > limit || angles.twist > limit;
            }
        }
    }
    return wide;
}

/// [Kavan 2003, fig. 6]
std::vector<BlendZone> find_blend_zones(const Character& character, std::span<const JointZone> asked,
                                        const std::vector<bool>& wide, std::vector<std::string>& warnings) {
    const std::size_t n = character.joints.size();
    const double smallest = smallest_bone(character);
    std::vector<BlendZone> zones(n);
    for (std::size_t j = 0; j < n; ++j) {
        zones[j].at = head(character.joints[j]);
        zones[j].along = normalized(bone_of(character, j, smallest), {0, 1, 0});
    }
    const std::vector<double> radii = limb_radii(character, zones);
    for (std::size_t j = 0; j < n; ++j) {
        const Joint& joint = character.joints[j];
        BlendZone& zone = zones[j];
        zone.radius = radii[j];
        const double forward = length(bone_of(character, j, smallest));
        const double back = joint.parent >= 0 ? length(zone.at - zones[joint.parent].at) : 0;
        zone.t_max = std::min(zone.radius, longest_share * forward);
        zone.t_min = -(back > smallest ? std::min(zone.radius, longest_share * back) : zone.t_max);
        zone.blend = wide[j] ? 1 : 0;
        for (const JointZone& entry : asked) {
            if (!glob_match(entry.joint, joint.name)) continue;
            zone.t_min = entry.t_min.value_or(zone.t_min);
            zone.t_max = entry.t_max.value_or(zone.t_max);
            zone.blend = entry.blend.value_or(zone.blend);
            zone.asked = true;
        }
        zone.chosen = joint.parent >= 0 && zone.blend > 0;
    }
    warn_of_overlaps(character, zones, warnings);
    return zones;
}

/// [Kavan 2003, fig. 5]
std::vector<Attachment> attach_vertices(const Character& character, std::span<const BlendZone> zones) {
    Attacher attacher(character, zones);
    std::vector<Attachment> out;
    out.reserve(character.mesh.vertex_count());
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) out.push_back(attacher.attach(v));
    fade_towards_seams(character, zones, out);
    return out;
}

}  // namespace fascia
