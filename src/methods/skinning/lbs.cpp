// Linear blend skinning with the file's weights (docs/formulas.md B2): what every engine does, and what the others are
// compared with.
#include "base/workspace.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/methods.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

class LbsRig final : public Rig {
public:
    explicit LbsRig(RestSurface rest)
        : rest_(std::move(rest)), gate_(rest_.joints), surface_(rest_.source(), gate_.rest()) {}

    const char* method() const override { return "lbs"; }
    std::size_t joint_count() const override { return gate_.size(); }
    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    PointCounts points() const override { return {.total = vertex_count()}; }
    std::vector<std::string> warnings() const override { return unweighted_warning(surface_.unweighted()); }

    State make_state() const override {
        State state;
        gate_.make(state);
        return state;
    }
    void reset(std::span<const Affine> joints, State& state, Workspace&) const override { gate_.reset(joints, state); }
    void advance(std::span<const Affine> joints, double, State& state, Workspace& work) const override {
        const StageTimer timer(work.times.pose);
        gate_.advance(joints, state);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        const StageTimer timer(work.times.embed);
        if (state.joints.size() == gate_.size()) surface_.skin(state.joints, out, work);
    }
    Result<std::shared_ptr<const AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<TiedMesh> tied = tie_mesh(rest_, mesh, size_of(rest_));
        if (!tied) return tied.error();
        return std::shared_ptr<const AttachedSurface>(
            std::make_shared<SkinnedAttachment<LbsSurface>>(*tied, gate_.rest()));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        const auto* own = dynamic_cast<const SkinnedAttachment<LbsSurface>*>(&attached);
        if (own != nullptr && state.joints.size() == gate_.size()) own->skin.skin(state.joints, out, work);
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_rest_surface(rest_, out);
        return out.take();
    }

private:
    RestSurface rest_;
    PoseGate gate_;
    LbsSurface surface_;
};

}  // namespace

Result<RigPtr> bind_lbs(const Character& character) {
    if (const Status checked = check_skinned(character, "lbs"); !checked) return checked.error();
    return RigPtr(std::make_shared<LbsRig>(RestSurface(character)));
}

Result<RigPtr> load_lbs(ByteReader& in) {
    Result<RestSurface> rest = read_rest_surface(in);
    if (!rest) return rest.error();
    return RigPtr(std::make_shared<LbsRig>(std::move(*rest)));
}

}  // namespace fascia
