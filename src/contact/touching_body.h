// What bind knows about a body that touches itself: samples of its outer surface, its points in patches, which of them
// form one piece of flesh with which samples, and how deep places are at rest. Lengths are in the spacing of the
// points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "contact/rest_distance.h"

namespace fascia::contact {

/// What a body is made of. Points go by number, channels by their places.
struct TouchingInput {
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;   ///< [points] places in channels
    std::span<const float> rest;            ///< [3 * stride] on a grid of edge 1
    Links links;                            ///< which points are connected
    std::span<const std::uint32_t> linked;  ///< [points] bit k: nothing foreign at place k of the 27 around it
    std::span<const std::uint32_t> around;  ///< [points * 27] the point at each of these places, or TouchingBody::none
    std::span<const std::uint16_t> joints;  ///< [4 * stride] joints that carry a point ...
    std::span<const float> shares;          ///< [4 * stride] ... and how much
    std::span<const std::uint16_t> part;    ///< [points]
    std::span<const std::uint32_t> homes;   ///< [samples] point in whose cell a sample lies
    std::span<const Vec3> places;           ///< [samples] at rest
    std::span<const Vec3> normals;          ///< [samples] at rest, outward
    std::span<const std::uint32_t> carriers;  ///< [samples * 8] points
    std::span<const float> weights;           ///< [samples * 8]
};

struct TouchingBody {
    static constexpr std::size_t slots = 8;
    static constexpr std::uint32_t most_in_patch = 64;  ///< points, so that one word holds a bit for each
    static constexpr float least_weight = 0.06f;        ///< what carries a place by less is left out
    static constexpr std::uint32_t none = 0xffffffffu;

    TouchingBody(const TouchingInput& input, RestDistance distance);

    /// A place on the surface, carried by the points around it. Points are places in channels.
    struct Sample {
        std::uint32_t carriers[slots];
        float weights[slots];
        Vec3 place, normal;
        Vec3 front;       ///< from its home to a place before it: the flesh there is what it may touch
        Vec3 arm;         ///< from the mean of its carriers at rest to the sample
        float depth = 0;  ///< of the sample itself at rest, as the grid sees it: 0 or less
        std::uint32_t home = 0;
    };
    /// Points of one part in a block of cells.
    struct Patch {
        std::uint32_t point_first = 0, point_count = 0;    ///< in patch_points
        std::uint32_t sample_first = 0, sample_count = 0;  ///< in samples
        std::uint32_t part = 0;
        std::uint32_t lead = 0;  ///< a point in the middle
        Vec3 middle{};           ///< where it is at rest
    };
    /// Points of a patch that are too closely connected to a sample to touch it.
    struct Near {
        std::uint32_t patch = 0;
        std::uint64_t points = 0;  ///< bit k: point k of the patch
    };
    struct Point {
        Vec3 rest;
        std::uint32_t linked = 0;
        float shares[4]{};
        std::uint16_t joints[4]{};
        std::uint32_t patch = 0, in_patch = 0;
    };

    /// Of two parts, the smaller one's samples are compared with the flesh of the other.
    bool is_sampled_by(std::uint32_t part, std::uint32_t sampling) const {
        return part_size[sampling] < part_size[part] || (part_size[sampling] == part_size[part] && sampling < part);
    }
    /// The points around one, itself in the middle: places in channels, or none. [27]
    const std::uint32_t* around(std::size_t point) const { return &neighbours[27 * point]; }
    /// Bit k: point k of the patch is Near the sample.
    std::uint64_t near_points(std::size_t sample, std::uint32_t patch) const {
        for (const Near& some : near_of(sample))
            if (some.patch == patch) return some.points;
        return 0;
    }
    /// Is the point Near the sample?
    bool are_near(std::size_t sample, std::size_t point) const {
        return (near_points(sample, points[point].patch) >> points[point].in_patch & 1u) != 0;
    }
    std::span<const Near> near_of(std::size_t sample) const {
        return {near.data() + near_first[sample], near.data() + near_first[sample + 1]};
    }
    /// Are all points of the other patch Near all samples of this one? Then the two need never be compared.
    bool is_deaf(std::uint32_t patch, std::uint32_t other) const;

    std::size_t stride = 0;
    RestDistance distance;
    std::vector<Point> points;              ///< [stride]
    std::vector<std::uint32_t> neighbours;  ///< [27 * stride] see around
    std::vector<Sample> samples;            ///< by patch
    std::vector<Patch> patches;             ///< by part
    std::vector<std::uint32_t> patch_points;
    std::vector<std::uint32_t> part_first;        ///< [parts + 1] patches
    std::vector<std::uint32_t> part_size;         ///< [parts] points
    std::vector<std::uint32_t> near_first;        ///< [samples + 1]
    std::vector<Near> near;                       ///< of each sample by patch
    std::vector<std::uint32_t> deaf_first, deaf;  ///< [patches + 1], ascending

private:
    std::vector<std::uint32_t> add_patches(const TouchingInput& input);
    void add_samples(const TouchingInput& input, std::span<const std::uint32_t> patch_of);
    void find_deaf();
};

}  // namespace fascia::contact
