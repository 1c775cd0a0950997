// A body that touches itself: places on its surface against the flesh of other parts, wherever those are now.
//
//     frame:  find_candidates  which points may come near which samples
//     step:   press            the first one of a frame also drops the samples that will touch nothing in it
//
// A sample q that comes near the points B of another part is mapped back into the rest pose by the position and
// rotation of each: there the distance field says how deep it is and which way is out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "contact/box_tree.h"
#include "contact/contact_sums.h"
#include "contact/touching_body.h"

namespace fascia::contact {

/// How points have turned: with the joints that carry them, then relative to those.
struct PointTurns {
    std::span<const float> duals;   ///< [joints * 8] from rest to now
    std::span<const float> fitted;  ///< [4 * stride] w x y z
};

/// The lists of one frame, and the scratch memory of its steps.
class SelfContact {
public:
    /// Which points may come near which samples within `seconds`. points: as they are before the steps
    void find_candidates(const TouchingBody& body, const TouchedPoints& points, float seconds);

    /// Asks points to part.
    void press(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns, float most_depth,
               ThreadPool& pool, ContactSums& sums);

    std::size_t hit_count() const { return hit_count_; }

private:
    /// A sample and the points that it may meet.
    struct Listed {
        std::uint32_t sample = 0, first = 0, count = 0;  ///< in candidates_
        std::uint32_t home = 0;                          ///< in turning_
        float way = 0;                                   ///< how far they may come nearer within the frame
    };
    struct Pressed {
        std::uint32_t point = 0;
        float share = 0;
    };
    static constexpr std::size_t most_pressed = 16;
    struct Hit {
        float depth = 0;
        float nearest = -1e30f;  ///< how close the sample is to touching: below 0 it does not touch
        Vec3 out;
        std::uint32_t count = 0;
        Pressed pressed[most_pressed];
    };
    struct Turn {
        float w = 1;
        Vec3 u;
        Vec3 forth(Vec3 v) const {
            const Vec3 t = cross(u, v) * 2;
            return v + t * w + cross(u, t);
        }
        Vec3 back(Vec3 v) const {
            const Vec3 t = cross(v, u) * 2;
            return v + t * w + cross(t, u);
        }
    };
    /// A point in one step: all that samples need of it, side by side in memory.
    struct PointNow {
        Vec3 place;
        std::uint32_t linked = 0;
        Turn turn;
        Vec3 rest;
    };
    struct PatchNow {
        FloatBox box;
        Vec3 middle;
        Vec3 speed;
        float spread = -1;  ///< of the speeds of its points; below 0: not computed in this frame
    };
    /// Boxes in rows, so that many are compared at once.
    struct Boxes {
        std::vector<float> low_x, low_y, low_z, high_x, high_y, high_z;
        std::size_t size() const { return low_x.size(); }
        void clear();
        void reserve(std::size_t count);
        void add(const FloatBox& box);
    };
    /// Patches that one patch may meet in this frame, ascending.
    struct Met {
        Boxes boxes;
        std::vector<std::uint32_t> patches;
        std::vector<float> ways;  ///< how much nearer each may come
    };

    void make_room(const TouchingBody& body);
    void fit_boxes(const TouchingBody& body, const TouchedPoints& points);
    void find_others(const TouchingBody& body, std::uint32_t part);
    bool has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const;
    const PatchNow& with_speed(const TouchingBody& body, const TouchedPoints& points, std::uint32_t patch);
    void find_met(const TouchingBody& body, const TouchedPoints& points, float seconds, std::uint32_t a);
    void list_samples(const TouchingBody& body, const TouchedPoints& points, std::uint32_t a);
    std::uint64_t points_within(const TouchingBody::Patch& patch, Vec3 middle, float square) const;
    std::uint32_t turning_at(std::uint32_t point);

    void place_points(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns);
    void touch(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, float most_depth,
               Hit& hit) const;
    void ask(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, const Hit& hit,
             ContactSums& sums) const;
    void drop_idle();

    std::vector<PatchNow> patches_;
    std::vector<FloatBox> part_boxes_;
    std::vector<float> x_, y_, z_;  ///< of points in the order of patches
    Boxes other_boxes_;
    std::vector<std::uint32_t> others_;  ///< patches that one part may meet, ascending
    Met met_;
    std::vector<std::uint32_t> is_met_;
    std::vector<float> squares_;

    std::vector<Listed> listed_;
    std::vector<std::uint32_t> candidates_;  ///< in turning_
    std::vector<std::uint32_t> turning_;     ///< points whose rotation is needed: places in channels
    std::vector<std::uint32_t> turning_of_;  ///< [stride] or none
    std::vector<std::uint32_t> before_;      ///< turning_ before some were dropped
    bool is_first_ = true;

    std::vector<PointNow> now_;  ///< as turning_
    std::vector<Hit> hits_;      ///< [listed]
    std::size_t hit_count_ = 0;
};

}  // namespace fascia::contact
