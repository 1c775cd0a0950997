// A body that touches itself: places on its surface against the flesh of other parts, wherever these have gone.
//
//     bind:   TouchingBody     samples of the surface, patches, distances at rest
//     frame:  find_candidates  which points may come near which samples
//     step:   rotations of the points in `turning`, then press
//
// Lengths are in the spacing of the points. A sample q that comes near the points B of another part is led back into
// the rest pose by the position and rotation of each: there the distance field says how deep it lies and where out is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "base/thread_pool.h"
#include "contact/box_tree.h"
#include "contact/contact_sums.h"
#include "contact/rest_distance.h"

namespace fascia::contact {

/// What a body is made of. Points go by number, channels by their places.
struct TouchingInput {
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;     ///< [points] places in channels
    std::span<const float> rest;              ///< [3 * stride] on a grid of edge 1
    Links links;                              ///< which points are connected
    std::span<const std::uint32_t> linked;    ///< [points] bit k: nothing foreign at place k of the 27 around it
    std::span<const std::uint16_t> part;      ///< [points]
    std::span<const std::uint32_t> homes;     ///< [samples] point in whose cell a sample lies
    std::span<const Vec3> places;             ///< [samples] at rest
    std::span<const Vec3> normals;            ///< [samples] at rest, outward
    std::span<const std::uint32_t> carriers;  ///< [samples * 8] points
    std::span<const float> weights;           ///< [samples * 8]
};

class TouchingBody {
public:
    static constexpr std::size_t slots = 8;

    TouchingBody(const TouchingInput& input, RestDistance distance);

    std::size_t sample_count() const { return samples_.size(); }

private:
    friend class SelfContact;

    /// A place on the surface, carried by the points around it. Points are places in channels.
    struct Sample {
        std::uint32_t carriers[slots];
        float weights[slots];
        Vec3 place, normal;
        Vec3 arm;         ///< from the mean of its carriers at rest to the sample
        float depth = 0;  ///< of the sample itself at rest, as the grid sees it: 0 or less
        std::uint32_t home = 0;
        std::uint32_t patch = 0;
    };
    /// Points of one part in a block of 3x3x3 cells.
    struct Patch {
        std::uint32_t point_first = 0, point_count = 0;    ///< in patch_points_
        std::uint32_t sample_first = 0, sample_count = 0;  ///< in samples_
        std::uint32_t part = 0;
    };

    bool is_near(std::size_t sample, std::uint32_t point) const;
    Vec3 place_of(const Sample& sample, const TouchedPoints& points, std::span<const float> rotations) const;

    std::size_t stride_ = 0;
    RestDistance distance_;
    std::vector<float> rest_;            ///< [3 * stride]
    std::vector<std::uint32_t> linked_;  ///< [stride]
    std::vector<Sample> samples_;        ///< by patch
    std::vector<Patch> patches_;         ///< by part
    std::vector<Vec3> patch_middles_;    ///< at rest
    std::vector<std::uint32_t> patch_points_;
    std::vector<std::uint32_t> part_first_;         ///< [parts + 1] patches
    std::vector<std::uint32_t> near_first_, near_;  ///< [samples + 1]: connected too closely to touch, ascending
    std::vector<std::uint32_t> deaf_first_, deaf_;  ///< [patches + 1]: patches of which all points are near
};

/// The lists of one frame, and the scratch memory of its steps.
class SelfContact {
public:
    /// Which points may come near which samples within `seconds`. points: as they are before the steps
    void find_candidates(const TouchingBody& body, const TouchedPoints& points, float seconds);

    /// Points whose rotations `press` reads, ascending.
    std::span<const std::uint32_t> turning() const { return turning_; }

    /// Asks points to part. rotations: [4 * stride] w x y z from rest to now, of those in `turning`
    void press(const TouchingBody& body, const TouchedPoints& points, std::span<const float> rotations,
               float most_depth, ThreadPool& pool, ContactSums& sums);

    std::size_t hit_count() const { return hit_count_; }

private:
    struct Listed {
        std::uint32_t sample = 0, first = 0, count = 0;  ///< candidates
    };
    struct Pressed {
        std::uint32_t point = 0;
        float share = 0;
    };
    static constexpr std::size_t most_pressed = 16;
    struct Hit {
        float depth = 0;
        Vec3 out;
        std::uint32_t count = 0;
        Pressed pressed[most_pressed];
    };

    void fit_boxes(const TouchingBody& body, const TouchedPoints& points);
    bool has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const;
    void find_met(const TouchingBody& body, float seconds, std::uint32_t a);
    void list_samples(const TouchingBody& body, const TouchedPoints& points, std::uint32_t a);
    void touch(const TouchingBody& body, const TouchedPoints& points, std::span<const float> rotations,
               const Listed& listed, float most_depth, Hit& hit) const;
    void ask(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, const Hit& hit,
             ContactSums& sums) const;

    struct Met {
        std::uint32_t patch = 0;
        float way = 0;  ///< how much nearer it may come within the frame
    };
    struct PatchSpeed {
        Vec3 middle;
        float radius = 0;
    };

    std::vector<FloatBox> patch_boxes_, part_boxes_;
    std::vector<PatchSpeed> patch_speeds_;
    std::vector<Vec3> patch_middles_;
    std::vector<Met> met_;
    std::vector<Listed> listed_;
    std::vector<std::uint32_t> candidates_, turning_;
    std::vector<std::uint8_t> turns_;  ///< [stride]
    std::vector<Hit> hits_;            ///< [listed]
    std::size_t hit_count_ = 0;
};

}  // namespace fascia::contact
