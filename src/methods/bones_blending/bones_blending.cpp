// Bones blending (docs/formulas.md B): inside the zone of a joint, each vertex turns by a share of the joint's rotation
// that grows along the bone; vertices outside all zones are skinned plainly.
#include "methods/bones_blending/bones_blending.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "base/portable_math.h"
#include "base/workspace.h"
#include "character/blend_seams.h"
#include "character/blend_zones.h"
#include "character/trial_poses.h"
#include "methods/bones_blending/crease_limits.h"
#include "methods/bones_blending/painted_pair.h"
#include "methods/bones_blending/zone_vertices.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/posed_rig.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "skin/bones_blending.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// At either end of a zone a single joint moves the vertex: that joint; -1 in between.
int end_joint(const RestSurface& rest, const Attachment& a) {
    return a.t <= 0 ? rest.joints[std::size_t(a.joint)].parent : a.t >= 1 ? a.joint : -1;
}

/// The plainly skinned surface beneath the zones.
struct Beneath {
    SkinWeights weights;
    std::vector<Attachment> left;  ///< [vertices] what the zones still have to add on top of the weights
};

/// Adds `joint` with the weight `fade` and scales the existing weights by (1 - fade); false if no slot is left.
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

/// Adjusts the weights of a vertex beneath a zone that shares it with other joints: those keep their weights; the joint
/// and its parent keep what the zone does not take. Returns the weight of the zone on top of them.
double take_pair(const RestSurface& rest, const Attachment& a, std::size_t vertex, SkinWeights& weights) {
    const auto slots = static_cast<std::size_t>(weights.influences);
    const int parent = rest.joints[std::size_t(a.joint)].parent;
    const double share = painted_pair(rest.weights, vertex, a.joint, parent).share;
    const double taken = a.fade * (a.alone + (1 - a.alone) * share);
    for (std::size_t s = vertex * slots; taken < 1 && s < (vertex + 1) * slots; ++s) {
        const bool of_pair = weights.joints[s] == a.joint || weights.joints[s] == parent;
        weights.weights[s] = float(weights.weights[s] * (1 - (of_pair ? 1 : a.alone) * a.fade) / (1 - taken));
    }
    return taken;
}

/// At the ends of a zone, t = 0 and t = 1, a vertex moves with a single joint. Weights can express that, even where the
/// zone fades into linear blending, and cost next to nothing. A vertex that a zone moves alone gets one joint.
Beneath beneath_zones(const RestSurface& rest, std::span<const Attachment> attached, bool linear) {
    Beneath out{rest.weights, {attached.begin(), attached.end()}};
    const auto before = static_cast<std::size_t>(rest.weights.influences);
    const std::size_t slots = std::min(before + 1, std::size_t(max_influences));
    out.weights.influences = int(slots);
    out.weights.joints.assign(attached.size() * slots, 0);
    out.weights.weights.assign(attached.size() * slots, 0);
    for (std::size_t v = 0; v < attached.size(); ++v) {
        Attachment& a = out.left[v];
        for (std::size_t s = 0; s < before; ++s) {
            out.weights.joints[v * slots + s] = rest.weights.joints[v * before + s];
            out.weights.weights[v * slots + s] = rest.weights.weights[v * before + s];
        }
        if (a.joint < 0) continue;
        if (a.alone < 1) a.fade = rounded_fade(take_pair(rest, a, v, out.weights));
        const int end = end_joint(rest, a);
        if (a.fade >= 1) {
            std::fill_n(&out.weights.weights[v * slots], slots, 0.0f);
            out.weights.joints[v * slots] = static_cast<std::uint16_t>(end >= 0 ? end : a.joint);
            out.weights.weights[v * slots] = 1;
            if (end >= 0) a.joint = -1;
        } else if (linear && end >= 0 && a.fade > 0 && mix_in(out.weights, v, end, a.fade)) {
            a.joint = -1;
        }
    }
    return out;
}

/// Joints that turn some vertex, ascending.
std::vector<std::uint32_t> turning_joints(std::span<const Attachment> attached) {
    std::vector<std::uint32_t> out;
    for (const Attachment& a : attached)
        if (a.joint >= 0 && a.fade > 0) out.push_back(std::uint32_t(a.joint));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// The joints of `turning`, each with its vertices; vertices of other joints are left out.
std::vector<BlendedJoint> blended_joints(const RestSurface& rest, std::span<const std::uint32_t> turning,
                                         std::span<const Attachment> attached) {
    std::vector<BlendedJoint> out;
    for (const std::uint32_t j : turning)
        out.push_back({j, std::uint32_t(rest.joints[j].parent), translation_of(rest.joints[j].rest), {}});
    for (std::size_t v = 0; v < attached.size(); ++v) {
        const Attachment& a = attached[v];
        if (a.joint < 0 || !(a.fade > 0)) continue;
        const auto found = std::lower_bound(turning.begin(), turning.end(), std::uint32_t(a.joint));
        if (found != turning.end() && *found == std::uint32_t(a.joint))
            out[std::size_t(found - turning.begin())].vertices.push_back({std::uint32_t(v), float(a.t), float(a.fade)});
    }
    return out;
}

/// Does a zone mix a vertex with the surface beneath it?
bool is_mixed(const Attachment& a) {
    return a.joint >= 0 && a.fade > 0 && a.fade < 1;
}

/// [vertices] 1 where a zone overwrites the vertex without reading it.
std::vector<std::uint8_t> moved_wholly(std::span<const Attachment> attached) {
    std::vector<std::uint8_t> out;
    for (const Attachment& a : attached) out.push_back(a.joint >= 0 && a.fade >= 1);
    return out;
}

/// A plainly skinned surface with zones laid over it: the body's, or that of clothes.
class BlendedSkin {
public:
    BlendedSkin(const RestSurface& rest, const Beneath& beneath, std::span<const std::uint32_t> turning, bool linear,
                std::span<const Affine> joints) {
        SkinSource source = rest.source();
        source.joints = beneath.weights.joints;
        source.weights = beneath.weights.weights;
        source.influences = beneath.weights.influences;
        std::vector<Attachment> left = beneath.left;
        for (Attachment& a : left)
            if (a.joint >= 0 && !std::binary_search(turning.begin(), turning.end(), std::uint32_t(a.joint)))
                a.joint = -1;
        if (linear)
            surface_.emplace<LbsSurface>(source, joints).leave_out(moved_wholly(left));
        else
            surface_.emplace<DqsSurface>(source, joints);
        blending_ = BonesBlending({source.positions, source.normals, source.tangents, joints},
                                  blended_joints(rest, turning, left));
    }
    std::size_t vertex_count() const {
        return std::visit([](const auto& s) { return s.vertex_count(); }, surface_);
    }
    std::size_t unweighted() const {
        return std::visit([](const auto& s) { return s.unweighted(); }, surface_);
    }
    const BonesBlending& blending() const { return blending_; }
    void skin(std::span<const Affine> pose, std::span<const JointTurn> turns, const Surface& out,
              Workspace& work) const {
        std::visit([&](const auto& s) { s.skin(pose, out, work); }, surface_);
        blending_.apply(pose, turns, fitting(out), work);
    }

private:
    /// Spans that are too short are left alone, as the surface beneath does.
    Surface fitting(Surface out) const {
        const std::size_t n = vertex_count();
        if (out.positions.size() < n) out.positions = {};
        if (out.normals.size() < n) out.normals = {};
        if (out.tangents.size() < n) out.tangents = {};
        return out;
    }

    std::variant<LbsSurface, DqsSurface> surface_;
    BonesBlending blending_;
};

class BlendedAttachment final : public AttachedSurface {
public:
    BlendedAttachment(BlendedSkin skinned, std::vector<std::string> told) : skin(std::move(skinned)) {
        warnings = std::move(told);
    }
    std::size_t vertex_count() const override { return skin.vertex_count(); }
    BlendedSkin skin;
};

/// Everything a rig is made from, and everything a rig file holds.
struct BonesBlendingPlan {
    RestSurface rest;
    std::vector<Attachment> attached;  ///< [vertices]
    bool linear = true;                ///< beneath the zones: linear blending, otherwise dual quaternions
    std::vector<std::string> warnings;
};

/// How a zone moves the skin under a point of clothes: the joint that most of its triangle turns with, and how
/// strongly.
Attachment attachment_at(const BonesBlendingPlan& plan, const SurfacePoint& tie) {
    const std::uint32_t* corner = &plan.rest.triangles[3 * std::size_t(tie.triangle)];
    Attachment out;
    double most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Attachment& a = plan.attached[corner[k]];
        if (a.joint >= 0 && tie.share[k] > most) most = tie.share[k], out.joint = a.joint;
    }
    if (out.joint < 0) return out;
    double held = 0;
    out.alone = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Attachment& a = plan.attached[corner[k]];
        if (a.joint != out.joint) continue;
        held += tie.share[k];
        out.t += tie.share[k] * a.t;
        out.fade += tie.share[k] * a.fade;
        out.alone += tie.share[k] * a.alone;
    }
    out.t = std::clamp(out.t / held, 0.0, 1.0);
    out.alone = std::min(out.alone / held, 1.0);
    out.fade = out.fade > 0.999 ? 1 : out.fade;
    return out;
}

class BonesBlendingRig final : public PosedRig {
public:
    BonesBlendingRig(const BonesBlendingSettings& settings, BonesBlendingPlan plan)
        : PosedRig(settings, plan.rest.joints),
          plan_(std::move(plan)),
          beneath_(beneath_zones(plan_.rest, plan_.attached, plan_.linear)),
          turning_(turning_joints(beneath_.left)),
          skin_(plan_.rest, beneath_, turning_, plan_.linear, rest_pose()) {
        reads_ = !plan_.rest.tangents.empty() || std::any_of(beneath_.left.begin(), beneath_.left.end(), is_mixed);
        beneath_ = {};
        turns_ = layout_.add("turns", turning_.size() * turn_floats);
    }

    std::size_t vertex_count() const override { return skin_.vertex_count(); }
    std::size_t point_count() const override { return vertex_count(); }
    /// Not in the constructor: trial rigs at bind need no fingerprint.
    void find_fingerprint() { fingerprint_ = fingerprint_of(BonesBlendingSettings::method, *save_content()); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = plan_.warnings;
        for (const std::string& text : unweighted_warning(skin_.unweighted())) out.push_back(text);
        return out;
    }

    bool embed_reads() const override { return reads_; }
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<TiedMesh> tied = tie_mesh(plan_.rest, mesh, size_of(plan_.rest));
        if (!tied) return tied.error();
        std::vector<Attachment> attached;
        for (const SurfacePoint& tie : tied->ties) attached.push_back(attachment_at(plan_, tie));
        const Beneath beneath = beneath_zones(tied->surface, attached, plan_.linear);
        auto out = std::make_shared<BlendedAttachment>(
            BlendedSkin(tied->surface, beneath, turning_, plan_.linear, rest_pose()), tied->warnings);
        out->beneath = vertices_beneath(plan_.rest, *tied);
        return std::shared_ptr<AttachedSurface>(std::move(out));
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_rest_surface(plan_.rest, out);
        std::vector<std::int32_t> joints;
        std::vector<double> t, fade, alone;
        for (const Attachment& a : plan_.attached) {
            joints.push_back(a.joint);
            t.push_back(a.t), fade.push_back(a.fade), alone.push_back(a.alone);
        }
        out.array(joints);
        for (const std::vector<double>* values : {&t, &fade, &alone}) out.array(*values);
        out.value(std::uint8_t{plan_.linear});
        out.value(std::uint64_t{plan_.warnings.size()});
        for (const std::string& text : plan_.warnings) out.array(text);
        return out.take();
    }

private:
    const RestSurface& rest_surface() const override { return plan_.rest; }
    void show(const State& state, const Surface& out, Workspace& work) const override {
        skin_.skin(state.joints, turns(state), out, work);
    }
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override {
        if (const auto* own = dynamic_cast<const BlendedAttachment*>(&attached))
            own->skin.skin(state.joints, turns(state), out, work);
    }

    /// The axis and angle of every joint, once per frame (docs/formulas.md B4).
    void follow(bool continues, State& state, Workspace& work) const override {
        const StageTimer timer(work.times["pose"]);
        const std::span<const Affine> last = state.previous_joints;
        skin_.blending().find_turns(state.joints, continues ? last : last.first(0),
                                    {reinterpret_cast<JointTurn*>(layout_.of(state, turns_).data()), turning_.size()});
    }
    std::span<const JointTurn> turns(const State& state) const {
        return {reinterpret_cast<const JointTurn*>(layout_.of(state, turns_).data()), turning_.size()};
    }

    BonesBlendingPlan plan_;
    MemoryLayout::BlockNumber turns_ = 0;
    Beneath beneath_;  ///< only during construction
    std::vector<std::uint32_t> turning_;
    BlendedSkin skin_;
    bool reads_ = true;
};

RigPtr finished(const BonesBlendingSettings& settings, BonesBlendingPlan plan) {
    const auto rig = std::make_shared<BonesBlendingRig>(settings, std::move(plan));
    rig->find_fingerprint();
    return rig;
}

std::vector<bool> wide(const Character& character, double wide_angle, const std::vector<Clip>& clips) {
    if (character.clips.empty() && clips.empty()) return std::vector<bool>(character.joints.size(), true);
    const double limit = wide_angle * portable::pi / 180;
    std::vector<bool> out = wide_joints(character, character.clips, limit);
    const std::vector<bool> more = wide_joints(character, clips, limit);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = out[j] || more[j];
    return out;
}

std::vector<Attachment> attachments(std::span<const ZoneVertex> vertices) {
    std::vector<Attachment> out;
    for (const ZoneVertex& v : vertices) out.push_back(v.attachment());
    return out;
}

/// The surface of a rig in one pose, with all its zones at the same `fade` and `alone`.
class FadedSurface {
public:
    FadedSurface(const BonesBlendingSettings& settings, BonesBlendingPlan plan, std::vector<ZoneVertex> vertices,
                 double alone, double fade)
        : rig_(settings, with(std::move(plan), std::move(vertices), alone, fade)),
          state_(rig_.make_state()),
          positions_(rig_.vertex_count()) {}
    std::span<const Vec3> at(const Pose& pose) {
        rig_.reset(pose.joints, state_, work_);
        rig_.embed(state_, {positions_, {}, {}}, work_);
        return positions_;
    }

private:
    static BonesBlendingPlan with(BonesBlendingPlan plan, std::vector<ZoneVertex> vertices, double alone, double fade) {
        for (ZoneVertex& v : vertices) v.alone = v.asked ? 1 : alone, v.fade = fade;
        plan.attached = attachments(vertices);
        return plan;
    }
    BonesBlendingRig rig_;
    State state_;
    Workspace work_;
    std::vector<Vec3> positions_;
};

/// Weakens zones until the surface shows no crease in any trial pose. Zones that the settings ask for stay as they are.
void soften_borders(const Character& character, const BonesBlendingSettings& settings, std::span<const BlendZone> zones,
                    std::span<const Clip> clips, const BonesBlendingPlan& plan, std::vector<ZoneVertex>& vertices) {
    std::vector<int> joints;
    for (const std::uint32_t j : turning_joints(attachments(vertices))) joints.push_back(int(j));
    if (joints.empty()) return;
    const std::vector<Pose> poses = character.clips.empty() && clips.empty()
                                        ? turned_poses(character, joints, settings.wide_angle * portable::pi / 180)
                                        : trial_poses(character, joints, character.clips, clips);
    CreaseLimits limits(character.mesh, vertices, zones, poses.size());
    FadedSurface plain(settings, plan, vertices, 1, 0), shared(settings, plan, vertices, 0, 1),
        half(settings, plan, vertices, 0.5, 1), whole(settings, plan, vertices, 1, 1);
    for (const Pose& pose : poses) limits.add_pose({plain.at(pose), shared.at(pose), half.at(pose), whole.at(pose)});
    limits.lower(vertices);
}

bool is_sound(const Attachment& a, const RestSurface& rest) {
    if (a.joint == -1) return true;
    return a.joint >= 0 && std::size_t(a.joint) < rest.joints.size() && rest.joints[std::size_t(a.joint)].parent >= 0 &&
           a.t >= 0 && a.t <= 1 && a.fade >= 0 && a.fade <= 1 && a.alone >= 0 && a.alone <= 1;
}

Result<RigPtr> bind_bones_blending(const Character& character, const BonesBlendingSettings& settings,
                                   const BindInputs& inputs) {
    if (const Status checked = check_skinned(character, "bones-blending"); !checked) return checked.error();
    for (const Joint& joint : character.joints)
        if (joint.parent >= static_cast<int>(character.joints.size()))
            return input_error("bones-blending: joint '" + joint.name + "' has a parent that does not exist");
    BonesBlendingPlan plan{
        .rest = RestSurface(character), .attached = {}, .linear = settings.rest_method == "lbs", .warnings = {}};
    const std::vector<BlendZone> zones =
        find_blend_zones(character, settings.joints, wide(character, settings.wide_angle, inputs.clips), plan.warnings);
    std::vector<ZoneVertex> vertices = zone_vertices(character, zones);
    soften_borders(character, settings, zones, inputs.clips, plan, vertices);
    plan.attached = attachments(vertices);
    return finished(settings, std::move(plan));
}

Result<RigPtr> load_bones_blending(const BonesBlendingSettings& settings, ByteReader& in) {
    Result<RestSurface> rest = read_rest_surface(in);
    if (!rest) return rest.error();
    BonesBlendingPlan plan{.rest = std::move(*rest), .attached = {}, .linear = true, .warnings = {}};
    std::vector<std::int32_t> joints;
    std::vector<double> t, fade, alone;
    in.array(joints);
    for (std::vector<double>* values : {&t, &fade, &alone}) in.array(*values);
    plan.linear = in.value<std::uint8_t>() != 0;
    const auto warnings = in.value<std::uint64_t>();
    for (std::uint64_t k = 0; in.ok() && k < warnings; ++k) plan.warnings.push_back(in.text());
    const std::size_t n = plan.rest.positions.size();
    if (!in.ok() || joints.size() != n || t.size() != n || fade.size() != n || alone.size() != n)
        return input_error("it does not attach as many vertices as it has");
    for (std::size_t v = 0; v < n; ++v) {
        plan.attached.push_back({joints[v], t[v], fade[v], alone[v]});
        if (!is_sound(plan.attached.back(), plan.rest))
            return input_error("vertex " + std::to_string(v) + " is attached to a joint that cannot turn it");
    }
    return finished(settings, std::move(plan));
}

FieldsOf<BonesBlendingSettings> bones_blending_fields() {
    FieldsOf<JointZone> zones(FieldScope::joint);
    zones
        .number("t_min", &JointZone::t_min, {-1e6, 1e6}, Use::built_in, "scene units",
                "Where along the parent's bone the blend begins; unset: the limb's radius")
        .number("t_max", &JointZone::t_max, {-1e6, 1e6}, Use::built_in, "scene units",
                "Where along the joint's bone the blend ends; unset: the limb's radius")
        .number("blend", &JointZone::blend, {0, 1}, Use::built_in, "share",
                "1 blends this joint, 0 leaves it; unset: joints that a clip swings or twists by more than wide_angle");
    using S = BonesBlendingSettings;
    FieldsOf<S> fields;
    fields
        .choice("rest_method", &S::rest_method, {"lbs", "dqs"}, Use::built_in,
                "What skins everything outside the zones")
        .number("wide_angle", &S::wide_angle, {0, 180}, Use::built_in, "degrees",
                "Swing or twist in a clip above which a joint gets a zone; raised: fewer zones")
        .list(&S::joints, &JointZone::joint, zones);
    return fields;
}

}  // namespace

Method bones_blending_method() {
    MethodInfo info;
    info.from = "Kavan, Zara 2003";
    info.summary = "rotations blended along the bone";
    info.abilities.takes_clothes = true;
    info.abilities.can_be_rectified = true;
    info.abilities.blends_clips = true;
    info.stages = {"pose", "embed"};
    return make_method<BonesBlendingSettings>(std::move(info), bones_blending_fields(), 2,
                                              {&bind_bones_blending, &load_bones_blending});
}

}  // namespace fascia
