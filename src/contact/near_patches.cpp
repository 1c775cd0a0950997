#include "contact/near_patches.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr float most_way = 1.5f;    ///< within a frame, in spacings of points: faster things are met a frame later
constexpr float sooner = 1.5f;      ///< flesh is accelerated within a frame
constexpr float neighbourhood = 9;  ///< between the leads of patches at rest that count as side by side
constexpr float folded = 0.85f;     ///< share of that distance below which the body is folded between them

}  // namespace

void NearPatches::Boxes::clear() {
    for (auto* row : {&low_x, &low_y, &low_z, &high_x, &high_y, &high_z}) row->clear();
}
void NearPatches::Boxes::reserve(std::size_t count) {
    for (auto* row : {&low_x, &low_y, &low_z, &high_x, &high_y, &high_z}) row->reserve(count);
}
void NearPatches::Boxes::add(const FloatBox& box) {
    low_x.push_back(box.low.x), low_y.push_back(box.low.y), low_z.push_back(box.low.z);
    high_x.push_back(box.high.x), high_y.push_back(box.high.y), high_z.push_back(box.high.z);
}

void NearPatches::fit(const TouchingBody& body, const TouchedPoints& points, FleshPlaces& places, float reach,
                      float seconds) {
    const std::size_t count = body.patch_points.size(), patches = body.patches.size();
    boxes_.reserve(patches);
    others_.reserve(patches);
    met_.reserve(patches);
    is_met_.resize(patches);
    patches_.resize(patches);
    parts_.assign(body.part_first.size() - 1, {});
    part_fronts_.assign(parts_.size(), {});
    fronts_.resize(body.samples.size());
    x_.resize(count), y_.resize(count), z_.resize(count);
    Vec3 mean;
    for (std::size_t k = 0; k < patches; ++k) {
        const TouchingBody::Patch& patch = body.patches[k];
        PatchNow now;
        for (std::uint32_t i = patch.point_first; i < patch.point_first + patch.point_count; ++i) {
            const Vec3 p = points.positions.at(body.patch_points[i]);
            x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
            now.box.add(p);
        }
        now.lead = points.positions.at(patch.lead);
        now.speed = points.speed(patch.lead);
        mean += now.speed;
        parts_[patch.part].add(now.box);
        // Which way it looks need not be exact: a patch turns as one.
        if (patch.sample_count > 0) {
            const Turn turn = places.turn_of(body, patch.lead);
            for (std::uint32_t s = patch.sample_first; s < patch.sample_first + patch.sample_count; ++s) {
                const TouchingBody::Sample& sample = body.samples[s];
                fronts_[s] = points.positions.at(sample.home) + turn.forth(sample.front);
                now.front.add(fronts_[s]);
            }
            part_fronts_[patch.part].add(now.front);
        }
        patches_[k] = now;
    }
    mean = mean * (1.0f / float(std::max<std::size_t>(patches, 1)));
    float fastest = 0;
    for (const PatchNow& patch : patches_) fastest = std::max(fastest, dot(patch.speed - mean, patch.speed - mean));
    reach_ = reach;
    seconds_ = sooner * seconds;
    widest_ = reach + std::min(most_way, seconds_ * 2 * std::sqrt(fastest));
}

void NearPatches::begin_part(const TouchingBody& body, std::uint32_t part) {
    others_.clear();
    boxes_.clear();
    FloatBox wide = part_fronts_[part];
    wide.widen(widest_);
    for (std::uint32_t other = 0; other < parts_.size(); ++other) {
        if (!body.is_sampled_by(other, part) || !wide.meets(parts_[other])) continue;
        for (std::uint32_t b = body.part_first[other]; b < body.part_first[other + 1]; ++b) {
            if (!wide.meets(patches_[b].box)) continue;
            others_.push_back(b);
            boxes_.add(patches_[b].box);
        }
    }
}

/// Patches side by side at rest can only meet where the body folds, and then they come nearer.
bool NearPatches::has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const {
    const Vec3 then = body.patches[a].middle - body.patches[b].middle, now = patches_[a].lead - patches_[b].lead;
    const float square = dot(then, then);
    return square > neighbourhood * neighbourhood || dot(now, now) < folded * folded * square;
}

std::span<const NearPatches::Met> NearPatches::meet(const TouchingBody& body, std::uint32_t patch) {
    met_.clear();
    const PatchNow& own = patches_[patch];
    FloatBox wide = own.front;
    wide.widen(widest_);
    const Boxes& boxes = boxes_;
    for (std::size_t k = 0; k < others_.size(); ++k)
        is_met_[k] = std::uint32_t(wide.low.x <= boxes.high_x[k]) & std::uint32_t(boxes.low_x[k] <= wide.high.x) &
                     std::uint32_t(wide.low.y <= boxes.high_y[k]) & std::uint32_t(boxes.low_y[k] <= wide.high.y) &
                     std::uint32_t(wide.low.z <= boxes.high_z[k]) & std::uint32_t(boxes.low_z[k] <= wide.high.z);
    for (std::size_t k = 0; k < others_.size(); ++k) {
        const std::uint32_t b = others_[k];
        if (is_met_[k] == 0 || !has_come_nearer(body, patch, b) || body.is_deaf(patch, b)) continue;
        const float way = std::min(most_way, seconds_ * length(own.speed - patches_[b].speed));
        FloatBox there = patches_[b].box;
        there.widen(reach_ + way);
        if (own.front.meets(there)) met_.push_back({b, way});
    }
    return met_;
}

}  // namespace fascia::contact
