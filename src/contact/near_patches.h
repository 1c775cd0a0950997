// Which patches of a body may touch one another soon, told by boxes: one around the points of each, and one around the
// places before its samples, where the flesh is that they may touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/box_tree.h"
#include "contact/contact_sums.h"
#include "contact/flesh_place.h"
#include "contact/touching_body.h"

namespace fascia::contact {

class NearPatches {
public:
    struct Met {
        std::uint32_t patch = 0;
        float way = 0;  ///< how much nearer it may come within the frame
    };

    /// points, places: as they are now; reach: how far points may be from a place before a sample that they touch
    void fit(const TouchingBody& body, const TouchedPoints& points, FleshPlaces& places, float reach, float seconds);

    /// Patches that may touch this part soon.
    void begin_part(const TouchingBody& body, std::uint32_t part);
    /// Those of them that may touch this one of its patches, ascending.
    std::span<const Met> meet(const TouchingBody& body, std::uint32_t patch);

    const FloatBox& box(std::uint32_t patch) const { return patches_[patch].box; }
    /// Points of a patch: places in rows, in the order of the patch.
    struct Rows {
        const float *x, *y, *z;
    };
    Rows rows(const TouchingBody::Patch& patch) const {
        return {&x_[patch.point_first], &y_[patch.point_first], &z_[patch.point_first]};
    }
    /// The places before its samples, in their order.
    Rows fronts(const TouchingBody::Patch& patch) const {
        return {&front_x_[patch.sample_first], &front_y_[patch.sample_first], &front_z_[patch.sample_first]};
    }

private:
    struct PatchNow {
        FloatBox box, front;  ///< of its points, and of what is before its samples
        Vec3 lead, speed;     ///< of its lead
    };
    /// Boxes in rows, so that many are compared at once.
    struct Boxes {
        std::vector<float> low_x, low_y, low_z, high_x, high_y, high_z;
        void clear();
        void reserve(std::size_t count);
        void add(const FloatBox& box);
    };
    void consider(const TouchingBody& body, std::uint32_t patch, std::uint32_t other);
    bool has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const;

    float reach_ = 0, seconds_ = 0, widest_ = 0;
    std::vector<PatchNow> patches_;
    std::vector<FloatBox> parts_, part_fronts_;
    std::vector<float> x_, y_, z_;
    std::vector<float> front_x_, front_y_, front_z_;  ///< [samples]
    Boxes boxes_;                                     ///< as others_
    std::vector<std::uint32_t> others_;               ///< of one part, ascending
    std::vector<Met> met_;
};

}  // namespace fascia::contact
