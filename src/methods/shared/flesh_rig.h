// A rig whose points are flesh: it has an inside, can be tuned, pulled and dressed. The common ground of such methods;
// each adds its points, its step and its surface.
#pragma once

#include <memory>
#include <mutex>

#include "embed/trilinear.h"
#include "methods/shared/flesh_pull.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/stepped_rig.h"
#include "methods/shared/world_touch.h"

namespace fascia {

class FleshRig : public SteppedRig, public Inside, public Live, public Clothes {
public:
    const Inside* inside() const final { return this; }
    const Live* live() const final { return this; }
    const Clothes* clothes() const final { return this; }
    bool has_normals() const final { return !rest_surface().normals.empty(); }
    bool has_tangents() const final { return !rest_surface().tangents.empty(); }
    const SkinWeights* skin_weights() const final { return &rest_surface().weights; }
    std::shared_ptr<const PointSurface> point_surface() const final;

    std::vector<std::string> joint_names() const final { return names_of_joints(rest_surface()); }
    Status fade(const std::string& joints, double amount, double seconds, State& state) const final;
    std::optional<Vec3d> pick(const Ray& ray, const State& state, Workspace& work) const final;
    bool grip(Vec3d point, State& state) const final;
    std::vector<float> vertex_softness() const final;
    FoundAnatomy anatomy() const final;
    std::vector<LayerFrequency> layer_frequencies() const override;

protected:
    using SteppedRig::SteppedRig;

    // ---- what a method adds ----
    virtual const RestSurface& rest_surface() const = 0;
    virtual const FleshSettings& flesh_settings() const = 0;
    virtual GripBody grip_body() const = 0;
    /// How far the settings let each point move, [points] 0..1.
    virtual std::span<const float> give() const = 0;
    /// How far each point swings by its settings and by the depth of its flesh, [points] 0 stiff, 1 deep.
    virtual std::vector<float> point_softness() const = 0;
    /// The surface as it was bound: by number of point.
    virtual embedding::Trilinear bound_surface() const = 0;
    /// Do the points around each vertex form a cell?
    virtual bool bound_in_cells() const { return true; }
    /// Share of the size (deep_flesh).
    virtual double flesh_depth() const = 0;

    /// How much each point feels of outer forces, and how far it may go.
    struct PointNumbers {
        std::vector<float> reach;  ///< [points] largest offset, in spacings; 0: bone
        std::vector<float> felt;   ///< [points] share of an outer acceleration
    };
    virtual PointNumbers point_numbers() const = 0;
    /// Is the surface skinned by its own weights, then carried by its points' offsets? By linear blending?
    virtual bool is_skinned_first() const { return false; }
    virtual bool is_skinned_linearly() const { return false; }

    /// Change of velocity by the hand and the world in the step that ends in this pose, at `share` of the frame, [3 *
    /// stride] in `memory`; empty if there is none.
    std::span<const float> push_on_flesh(std::span<const JointPlace> places, double share, const State& state,
                                         Floats& memory, Workspace& work) const;

private:
    PointWeights point_weights() const final { return {grip_body().joints, grip_body().weights}; }
    GripPlace grip_place(const State& state, Workspace& work) const;

    std::uint64_t world_tag(const State& state, Workspace& work) const final;
    bool enter_world(std::span<const JointPlace> before, double earlier, const State& state,
                     Workspace& work) const final;
    void touch_world(std::span<const JointPlace> places, double share, State& state, sim::Motion& motion,
                     Workspace& work) const final;
    contact::TouchedPoints touched_points(State& state) const;
    void add_weight(Vec3d gravity, std::span<const JointPlace> places, const State& state, std::span<float> push,
                    Workspace& work) const;

    /// What a world needs to know about the body: computed when the first one is entered, then shared by all instances.
    struct InWorld {
        std::once_flag once;
        std::unique_ptr<const WorldTouch> touch;
        std::vector<float> felt;  ///< [points]
    };
    const InWorld& in_world() const;
    std::unique_ptr<InWorld> in_world_ = std::make_unique<InWorld>();
};

}  // namespace fascia
