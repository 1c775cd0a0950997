// Linear blend and dual quaternion skinning with the file's weights (docs/formulas.md B2, C1).
#include "methods/skinning/skinning.h"

#include "base/workspace.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/posed_rig.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/skinned_character.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// SkinnedSurface is LbsSurface or DqsSurface, Own the settings of the method.
template <class SkinnedSurface, class Own>
class SkinningRig final : public PosedRig {
public:
    explicit SkinningRig(RestSurface rest)
        : PosedRig(Own{}, rest.joints), rest_(std::move(rest)), surface_(rest_.source(), rest_pose()) {
        fingerprint_ = fingerprint_of(Own::method, *save_content());
    }

    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return vertex_count(); }
    std::vector<std::string> warnings() const override { return unweighted_warning(surface_.unweighted()); }
    bool embed_reads() const override { return false; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_rest_surface(rest_, out);
        return out.take();
    }
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<TiedMesh> tied = tie_mesh(rest_, mesh, size_of(rest_));
        if (!tied) return tied.error();
        return std::shared_ptr<AttachedSurface>(std::make_shared<Attachment>(rest_, *tied, rest_pose()));
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

    const RestSurface& rest_surface() const override { return rest_; }
    void show(const State& state, const Surface& out, Workspace& work) const override {
        surface_.skin(state.joints, out, work);
    }
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override {
        if (const auto* own = dynamic_cast<const Attachment*>(&attached)) own->skin.skin(state.joints, out, work);
    }

    RestSurface rest_;
    SkinnedSurface surface_;
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
