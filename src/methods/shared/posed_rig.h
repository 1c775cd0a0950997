// A rig that follows the pose of each frame: skinning in its many forms. Shared by methods without steps; those with
// steps derive from SteppedRig.
#pragma once

#include "fascia/method.h"
#include "methods/shared/memory_layout.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/rest_surface.h"

namespace fascia {

class PosedRig : public Rig, public Clothes {
public:
    const Settings& settings() const final { return settings_; }
    std::size_t joint_count() const final { return gate_.size(); }
    std::uint64_t fingerprint() const final { return fingerprint_; }
    bool has_normals() const final { return !rest_surface().normals.empty(); }
    bool has_tangents() const final { return !rest_surface().tangents.empty(); }
    const SkinWeights* skin_weights() const final { return &rest_surface().weights; }
    const Clothes* clothes() const final { return this; }

    State make_state() const override;
    bool accepts(const State& state) const final;
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const final;
    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const final;
    void embed(const State& state, const Surface& out, Workspace& work) const final;
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const final;

protected:
    PosedRig(Settings settings, std::span<const Joint> joints) : settings_(std::move(settings)), gate_(joints) {}

    virtual const RestSurface& rest_surface() const = 0;
    /// Follows a new pose; `continues`: it is the next one of a motion. Adds its times to its own stages.
    virtual void follow(bool /*continues*/, State&, Workspace&) const {}
    /// The State has already been checked.
    virtual void show(const State& state, const Surface& out, Workspace& work) const = 0;
    virtual void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                               Workspace& work) const = 0;
    virtual bool fits(const State& state) const {
        return state.rig == fingerprint_ && state.joints.size() == gate_.size() && layout_.fits(state);
    }
    const std::vector<Affine>& rest_pose() const { return gate_.rest(); }

    MemoryLayout layout_;            ///< of the little that a method keeps; usually nothing
    std::uint64_t fingerprint_ = 0;  ///< set by the method once it is built

private:
    Settings settings_;
    PoseGate gate_;
};

}  // namespace fascia
