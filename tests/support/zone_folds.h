// How sharply the surface folds where zones of bones blending begin, end or fade, against plain skinning.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace fascia::test {

/// Two triangles that share an edge.
struct Fold {
    std::uint32_t one, two;
};

inline std::vector<Fold> folds_of(const Mesh& mesh) {
    const Weld weld = weld_by_position(mesh.positions);
    std::map<std::array<std::uint32_t, 2>, std::vector<std::uint32_t>> sides;
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
        const std::uint32_t a = weld.id[mesh.triangles[k]], b = weld.id[mesh.triangles[k % 3 == 2 ? k - 2 : k + 1]];
        if (a != b) sides[{std::min(a, b), std::max(a, b)}].push_back(k / 3);
    }
    std::vector<Fold> out;
    for (const auto& [edge, triangles] : sides)
        if (triangles.size() == 2) out.push_back({triangles[0], triangles[1]});
    return out;
}

/// Those at the border of a zone: their corners turn with different joints, or some with none.
inline std::vector<Fold> border_folds(const Character& c, const std::vector<Clip>& more_clips = {}) {
    std::vector<std::string> warnings;
    const double limit = BonesBlendingSettings{}.wide_angle * std::numbers::pi / 180;
    std::vector<bool> wide = wide_joints(c, c.clips, limit);
    const std::vector<bool> more = wide_joints(c, more_clips, limit);
    for (std::size_t j = 0; j < wide.size(); ++j) wide[j] = wide[j] || more[j];
    const auto attached = attach_vertices(c, find_blend_zones(c, {}, wide, warnings));
    const auto owner = [&](std::uint32_t corner) {
        const Attachment& a = attached[c.mesh.triangles[corner]];
        return a.fade > 0 ? a.joint : -1;
    };
    std::vector<Fold> out;
    for (const Fold& fold : folds_of(c.mesh))
        for (std::uint32_t k = 0; k < 6; ++k)
            if (owner(3 * (k < 3 ? fold.one : fold.two) + k % 3) != owner(3 * fold.one)) {
                out.push_back(fold);
                break;
            }
    return out;
}

/// Degrees between the normals; negative where a triangle has no area.
inline double fold_angle(const Mesh& mesh, const Fold& fold, const std::vector<Vec3>& moved) {
    const auto normal = [&](std::uint32_t t) {
        const auto at = [&](std::uint32_t k) { return to_double(moved[mesh.triangles[3 * t + k]]); };
        return cross(at(1) - at(0), at(2) - at(0));
    };
    const Vec3d a = normal(fold.one), b = normal(fold.two);
    if (length(a) * length(b) < 1e-30) return -1;
    return std::atan2(length(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

/// A method without a memory, in any pose.
class PosedSurface {
public:
    PosedSurface(const Character& c, const Settings& settings, const BindInputs& inputs = {})
        : rig_(*bind(c, settings, inputs)), state_(make_state(*rig_)), positions_(c.mesh.vertex_count()) {}
    const std::vector<Vec3>& at(const Pose& pose) {
        reset(*rig_, pose.joints, state_, work_);
        embed(*rig_, state_, {positions_, {}, {}}, work_);
        return positions_;
    }

private:
    RigPtr rig_;
    State state_;
    Workspace work_{1};
    std::vector<Vec3> positions_;
};

/// Frames of a clip in which some joint is turned farthest against its parent, and all of them together.
inline std::vector<double> deepest_moments(const Character& c, const Clip& clip) {
    const int frames = std::clamp(int(clip.duration * 15), 1, 150);
    std::vector<double> most(c.joints.size() + 1, 0.1), when(c.joints.size() + 1, -1);
    Pose pose;
    for (int f = 0; f <= frames; ++f) {
        const double seconds = clip.duration * f / frames;
        evaluate(c, &clip, seconds, pose);
        double sum = 0;
        const auto deepen = [&](std::size_t j, double angle) {
            if (angle > most[j]) most[j] = angle, when[j] = seconds;
        };
        for (std::size_t j = 0; j < c.joints.size(); ++j) {
            const int p = c.joints[j].parent;
            if (p < 0) continue;
            const auto map = [&](std::size_t k) { return pose.joints[k] * inverse(c.joints[k].rest); };
            const Affine turn = inverse(map(std::size_t(p))) * map(j);
            const double angle = std::acos(std::clamp((turn.m[0][0] + turn.m[1][1] + turn.m[2][2] - 1) / 2, -1.0, 1.0));
            deepen(j, angle);
            sum += angle;
        }
        deepen(c.joints.size(), sum);
    }
    std::sort(when.begin(), when.end());
    when.erase(std::unique(when.begin(), when.end()), when.end());
    when.erase(std::remove(when.begin(), when.end(), -1), when.end());
    return when;
}

/// Folds at borders of zones in the deepest poses of a clip, and how many of them are sharper than 1.34 times plain
/// skinning's and 5 degrees above it.
struct BorderCount {
    std::size_t folds = 0, sharp = 0;
    double worst = 0;  ///< degrees beyond what is allowed
};
inline BorderCount count_sharp_borders(const Character& c, const Clip& clip, const BindInputs& inputs = {}) {
    const std::vector<Fold> folds = border_folds(c, inputs.clips);
    PosedSurface ours(c, BonesBlendingSettings{}, inputs), plain(c, LbsSettings{});
    BorderCount out;
    Pose pose;
    for (const double seconds : deepest_moments(c, clip)) {
        evaluate(c, &clip, seconds, pose);
        const std::vector<Vec3>& moved = ours.at(pose);
        const std::vector<Vec3>& skinned = plain.at(pose);
        for (const Fold& fold : folds) {
            const double sharp = fold_angle(c.mesh, fold, moved), before = fold_angle(c.mesh, fold, skinned);
            if (sharp < 0 || before < 0) continue;
            ++out.folds;
            const double beyond = sharp - std::max(1.34 * before, before + 5);
            if (beyond > 0) ++out.sharp;
            out.worst = std::max(out.worst, beyond);
        }
    }
    return out;
}

}  // namespace fascia::test
