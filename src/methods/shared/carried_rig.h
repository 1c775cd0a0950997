// A rig whose surface is first skinned by its own weights and then carried by points: each point shifts and turns its
// surroundings by its motion beyond where the skeleton drives it.
#pragma once

#include <optional>

#include "embed/tauten.h"
#include "embed/unfold.h"
#include "methods/shared/flesh_rig.h"
#include "methods/shared/rest_surface.h"
#include "skin/carriers.h"
#include "skin/skinned_surface.h"

namespace fascia {

class CarriedRig : public FleshRig {
public:
    bool embed_reads() const final { return soft_skin_.has_value(); }
    void embed(const State& state, const Surface& out, Workspace& work) const final;
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const final;
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const final;
    /// Bone, and the layers of flesh from the inside out.
    std::vector<std::string> layer_names() const final;

protected:
    using FleshRig::FleshRig;

    /// The body's own surface, or an attached one.
    struct Carried {
        const DqsSurface& surface;
        const LbsSurface& linear;  ///< used instead if points are driven by linear blending
        const Carriers& carriers;
        std::span<const std::uint32_t> drivers = {};  ///< see driven_carriers
    };
    struct CarriedBody {
        int turn = 0;  ///< of the points' axes
        std::size_t stride = 0;
        bool linear = false;  ///< points are driven by linear blending
        PointWeights weights;
    };
    struct DrivenPoints {
        std::span<const float> positions;  ///< [3 * stride]
        std::span<const float> rotations;  ///< [4 * stride], at points that carry the surface
    };

    // ---- what a method adds ----
    virtual Carried own_surface() const = 0;
    virtual CarriedBody carried_body() const = 0;
    virtual std::span<const LayerSettings> flesh_layers() const = 0;
    /// Where the skeleton carries the points; valid in the workspace until its next use.
    virtual DrivenPoints driven_points(std::span<const float> duals, Workspace& work) const = 0;
    /// The same, limited to the points that carry a surface. drivers: what the method listed for that surface
    virtual DrivenPoints driven_carriers(std::span<const std::uint32_t> drivers, std::span<const float> duals,
                                         Workspace& work) const {
        (void)drivers;
        return driven_points(duals, work);
    }
    /// Channel: the share of its fitted rotation by which a point turns the surface.
    virtual std::span<const float> followed_turns() const = 0;

    // ---- what it may use ----
    /// From now on, skin that is stretched out is tautened, and triangles that flip relative to the skinned surface are
    /// flattened.
    void keep_skin_smooth(const RestSurface& rest) { soft_skin_.emplace(rest); }

private:
    bool is_skinned_first() const final { return true; }
    bool is_skinned_linearly() const final { return carried_body().linear; }
    void embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const;
    void skin_about_frame(const Carried& carried, std::span<const JointPlace> now, const State& state,
                          const Surface& out, const Carry* carry, Workspace& work) const;
    std::span<const float> carrier_rows(const Carried& carried, std::span<const JointPlace> now, const State& state,
                                        Workspace& work) const;
    std::span<const float> shown_places(const Carriers& carriers, const State& state, Workspace& work) const;
    void stretch_rows(const Carriers& carriers, std::span<const JointPlace> now, const State& state,
                      const CarrierTask& task, Workspace& work) const;
    void smooth_skin(const State& state, std::span<Vec3> surface, Workspace& work) const;

    /// What very soft flesh needs.
    struct SoftSkin {
        embedding::Fans fans;
        embedding::Tautening tautening;
        embedding::Unfolding unfolding;
        explicit SoftSkin(const RestSurface& rest)
            : fans(rest.positions, rest.triangles), tautening(rest.positions, fans), unfolding(fans) {}
        SoftSkin(const SoftSkin&) = delete;  // its parts point to one another
    };
    std::optional<SoftSkin> soft_skin_;
};

}  // namespace fascia
