// Bones blending (docs/formulas.md B): each vertex turns with one joint by a share of its rotation that grows along the
// bone; what no zone holds is skinned plainly.
#include "skin/bones_blending.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "base/portable_math.h"
#include "base/workspace.h"
#include "character/blend_zones.h"
#include "methods/methods.h"
#include "methods/pose_gate.h"
#include "methods/rest_surface.h"
#include "methods/skinned_character.h"
#include "methods/stage_timer.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// The joint that moves a vertex at the ends of its zone; -1 in between.
int end_joint(const Character& character, const Attachment& a) {
    return a.t <= 0 ? character.joints[a.joint].parent : a.t >= 1 ? a.joint : -1;
}

/// The surface beneath the zones.
struct Beneath {
    SkinWeights weights;
    std::vector<Attachment> left;  ///< [vertices] what the zones still have to do
};

/// Adds `fade` of `joint` to (1 - fade) of what is there; false where no slot is left.
bool mix_in(SkinWeights& weights, std::size_t vertex, int joint, double fade) {
    const auto slots = static_cast<std::size_t>(weights.influences);
    std::uint16_t* const joints = &weights.joints[vertex * slots];
    float* const values = &weights.weights[vertex * slots];
    std::size_t place = slots;
    double sum = 0;
    for (std::size_t s = 0; s < slots; ++s) {
        sum += values[s];
        if (values[s] > 0 ? joints[s] == joint : place == slots) place = s;
    }
    if (place == slots || !(sum > 0)) return false;
    for (std::size_t s = 0; s < slots; ++s) values[s] = float(values[s] / sum * (1 - fade));
    joints[place] = static_cast<std::uint16_t>(joint);
    values[place] += float(fade);
    return true;
}

/// Where a zone is at its end, t = 0 or t = 1, it moves vertices with one joint: that is a matter of weights, also
/// where it fades into linear blending, and costs next to nothing. Vertices that zones move alone hold one joint.
Beneath beneath_zones(const Character& character, std::span<const Attachment> attached, bool linear) {
    Beneath out{character.weights, {attached.begin(), attached.end()}};
    const auto before = static_cast<std::size_t>(character.weights.influences);
    const std::size_t slots = std::min(before + 1, std::size_t(max_influences));
    out.weights.influences = int(slots);
    out.weights.joints.assign(attached.size() * slots, 0);
    out.weights.weights.assign(attached.size() * slots, 0);
    for (std::size_t v = 0; v < attached.size(); ++v) {
        const Attachment& a = attached[v];
        if (a.joint >= 0 && a.fade >= 1) {
            const int end = end_joint(character, a);
            out.weights.joints[v * slots] = static_cast<std::uint16_t>(end >= 0 ? end : a.joint);
            out.weights.weights[v * slots] = 1;
            if (end >= 0) out.left[v].joint = -1;
            continue;
        }
        for (std::size_t s = 0; s < before; ++s) {
            out.weights.joints[v * slots + s] = character.weights.joints[v * before + s];
            out.weights.weights[v * slots + s] = character.weights.weights[v * before + s];
        }
        if (a.joint < 0 || !linear) continue;
        if (const int end = end_joint(character, a); end >= 0 && a.fade > 0 && mix_in(out.weights, v, end, a.fade))
            out.left[v].joint = -1;
    }
    return out;
}

std::vector<BlendedJoint> blended_joints(const Character& character, std::span<const BlendZone> zones,
                                         std::span<const Attachment> attached) {
    std::vector<BlendedJoint> by_joint(zones.size());
    for (std::size_t v = 0; v < attached.size(); ++v) {
        const Attachment& a = attached[v];
        if (a.joint >= 0 && a.fade > 0)
            by_joint[a.joint].vertices.push_back({std::uint32_t(v), float(a.t), float(a.fade)});
    }
    std::vector<BlendedJoint> out;
    for (std::size_t j = 0; j < zones.size(); ++j) {
        if (by_joint[j].vertices.empty()) continue;
        by_joint[j].joint = std::uint32_t(j);
        by_joint[j].parent = std::uint32_t(character.joints[j].parent);
        by_joint[j].at = zones[j].at;
        out.push_back(std::move(by_joint[j]));
    }
    return out;
}

/// [vertices] 1 where a zone writes the vertex without looking at what is there.
std::vector<std::uint8_t> moved_wholly(std::span<const Attachment> attached) {
    std::vector<std::uint8_t> out;
    for (const Attachment& a : attached) out.push_back(a.joint >= 0 && a.fade >= 1);
    return out;
}

class BonesBlendingRig final : public Rig {
public:
    BonesBlendingRig(const Character& character, const BonesBlendingSettings& settings) : gate_(character.joints) {
        const std::vector<BlendZone> zones =
            find_blend_zones(character, settings.joints, wide(character, settings), warnings_);
        const std::vector<Attachment> attached = attach_vertices(character, zones);
        const Beneath beneath = beneath_zones(character, attached, settings.rest_method == "lbs");
        const RestSurface rest(character);
        SkinSource source = rest.source();
        source.joints = beneath.weights.joints;
        source.weights = beneath.weights.weights;
        source.influences = beneath.weights.influences;
        if (settings.rest_method == "dqs")
            surface_.emplace<DqsSurface>(source, gate_.rest());
        else
            surface_.emplace<LbsSurface>(source, gate_.rest()).leave_out(moved_wholly(beneath.left));
        blending_ = BonesBlending({source.positions, source.normals, source.tangents, gate_.rest()},
                                  blended_joints(character, zones, beneath.left));
        for (const std::string& text :
             unweighted_warning(std::visit([](const auto& s) { return s.unweighted(); }, surface_)))
            warnings_.push_back(text);
    }

    const char* method() const override { return "bones-blending"; }
    std::size_t joint_count() const override { return gate_.size(); }
    std::size_t vertex_count() const override {
        return std::visit([](const auto& s) { return s.vertex_count(); }, surface_);
    }
    PointCounts points() const override { return {.total = vertex_count()}; }
    std::vector<std::string> warnings() const override { return warnings_; }

    State make_state() const override {
        State state;
        gate_.make(state);
        state.driven.assign(blending_.joint_count() * turn_floats, 0);
        return state;
    }
    void reset(std::span<const Affine> joints, State& state, Workspace&) const override {
        gate_.reset(joints, state);
        store_turns(state, false);
    }
    void advance(std::span<const Affine> joints, double, State& state, Workspace& work) const override {
        const StageTimer timer(work.times.pose);
        gate_.advance(joints, state);
        store_turns(state, true);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        const StageTimer timer(work.times.embed);
        if (state.joints.size() != gate_.size()) return;
        std::visit([&](const auto& s) { s.skin(state.joints, out, work); }, surface_);
        blending_.apply(state.joints, turns(state), fitting(out), work);
    }

private:
    static std::vector<bool> wide(const Character& character, const BonesBlendingSettings& settings) {
        if (character.clips.empty() && settings.clips.empty()) return std::vector<bool>(character.joints.size(), true);
        const double limit = settings.wide_angle * portable::pi / 180;
        std::vector<bool> out = wide_joints(character, character.clips, limit);
        const std::vector<bool> more = wide_joints(character, settings.clips, limit);
        for (std::size_t j = 0; j < out.size(); ++j) out[j] = out[j] || more[j];
        return out;
    }

    /// The axis and angle of every joint, once per frame (docs/formulas.md B4).
    void store_turns(State& state, bool continues) const {
        const std::size_t floats = blending_.joint_count() * turn_floats;
        if (state.driven.size() != floats) state.driven.assign(floats, 0), continues = false;
        blending_.find_turns(state.joints, continues,
                             {reinterpret_cast<JointTurn*>(state.driven.data()), blending_.joint_count()});
    }
    std::span<const JointTurn> turns(const State& state) const {
        return {reinterpret_cast<const JointTurn*>(state.driven.data()), blending_.joint_count()};
    }
    /// Spans that are too short are left alone, as the surface beneath does.
    Surface fitting(Surface out) const {
        const std::size_t n = vertex_count();
        if (out.positions.size() < n) out.positions = {};
        if (out.normals.size() < n) out.normals = {};
        if (out.tangents.size() < n) out.tangents = {};
        return out;
    }

    PoseGate gate_;
    std::variant<LbsSurface, DqsSurface> surface_;
    BonesBlending blending_;
    std::vector<std::string> warnings_;
};

}  // namespace

Result<RigPtr> bind_bones_blending(const Character& character, const BonesBlendingSettings& settings) {
    if (const Status checked = check_skinned(character, "bones-blending"); !checked) return checked.error();
    if (settings.rest_method != "lbs" && settings.rest_method != "dqs")
        return usage_error("bones-blending: rest_method must be lbs or dqs, not '" + settings.rest_method + "'");
    for (const Joint& joint : character.joints)
        if (joint.parent >= static_cast<int>(character.joints.size()))
            return input_error("bones-blending: joint '" + joint.name + "' has a parent that does not exist");
    return RigPtr(std::make_shared<BonesBlendingRig>(character, settings));
}

}  // namespace fascia
