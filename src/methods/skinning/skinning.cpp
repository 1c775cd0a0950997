// Linear blend and dual quaternion skinning with the file's weights (docs/formulas.md B2, C1).
#include "methods/skinning/skinning.h"

#include "base/workspace.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// SkinnedSurface is LbsSurface or DqsSurface, Own the settings of the method.
template <class SkinnedSurface, class Own>
class SkinningRig final : public Rig, public Clothes {
public:
    explicit SkinningRig(RestSurface rest)
        : settings_(Own{}), rest_(std::move(rest)), gate_(rest_.joints), surface_(rest_.source(), gate_.rest()) {
        fingerprint_ = fingerprint_of(Own::method, *save_content());
    }

    const Settings& settings() const override { return settings_; }
    std::size_t joint_count() const override { return gate_.size(); }
    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return vertex_count(); }
    std::uint64_t fingerprint() const override { return fingerprint_; }
    bool has_normals() const override { return !rest_.normals.empty(); }
    bool has_tangents() const override { return !rest_.tangents.empty(); }
    std::vector<std::string> warnings() const override { return unweighted_warning(surface_.unweighted()); }

    State make_state() const override {
        State state;
        state.rig = fingerprint_;
        gate_.make(state);
        return state;
    }
    bool accepts(const State& state) const override { return is_sound_like(state, make_state()); }
    void reset(std::span<const Affine> joints, State& state, Workspace&) const override {
        if (!fits(state)) begin_as_own(*this, state);
        gate_.reset(joints, state);
    }
    void advance(std::span<const Affine> joints, double, State& state, Workspace& work) const override {
        const StageTimer timer(work.times["pose"]);
        if (!fits(state)) begin_as_own(*this, state);
        gate_.advance(joints, state);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        const StageTimer timer(work.times["embed"]);
        if (fits(state)) surface_.skin(state.joints, out, work);
    }
    bool embed_reads() const override { return false; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_rest_surface(rest_, out);
        return out.take();
    }

    const Clothes* clothes() const override { return this; }
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<TiedMesh> tied = tie_mesh(rest_, mesh, size_of(rest_));
        if (!tied) return tied.error();
        return std::shared_ptr<AttachedSurface>(std::make_shared<Attachment>(*tied, gate_.rest()));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        const auto* own = dynamic_cast<const Attachment*>(&attached);
        if (own != nullptr && fits(state)) own->skin.skin(state.joints, out, work);
    }

    static Result<RigPtr> bind(const Character& character, const Own&, const BindInputs&) {
        if (const Status checked = check_skinned(character, Own::method); !checked) return checked.error();
        return RigPtr(std::make_shared<SkinningRig>(RestSurface(character)));
    }
    static Result<RigPtr> load(const Own&, ByteReader& in) {
        Result<RestSurface> rest = read_rest_surface(in);
        if (!rest) return rest.error();
        return RigPtr(std::make_shared<SkinningRig>(std::move(*rest)));
    }

private:
    using Attachment = SkinnedAttachment<SkinnedSurface>;

    bool fits(const State& state) const { return state.rig == fingerprint_ && state.joints.size() == gate_.size(); }

    Settings settings_;
    RestSurface rest_;
    PoseGate gate_;
    SkinnedSurface surface_;
    std::uint64_t fingerprint_ = 0;
};

template <class SkinnedSurface, class Own>
Method skinning_method(const char* summary) {
    using Rig = SkinningRig<SkinnedSurface, Own>;
    MethodInfo info;
    info.from = "background";
    info.summary = summary;
    info.abilities.takes_clothes = true;
    info.abilities.can_be_rectified = true;
    info.stages = {"pose", "embed"};
    return make_method<Own>(std::move(info), FieldsOf<Own>(), 1, {&Rig::bind, &Rig::load});
}

}  // namespace

Method lbs_method() {
    return skinning_method<LbsSurface, LbsSettings>("linear blend skinning with the file's weights");
}

Method dqs_method() {
    return skinning_method<DqsSurface, DqsSettings>("dual quaternion skinning with the file's weights");
}

}  // namespace fascia
