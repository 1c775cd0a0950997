#include "contact/near_patches.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr float most_way = 1.5f;     ///< within a frame, in spacings of points: faster things are met a frame later
constexpr float sooner = 1.5f;       ///< flesh is accelerated within a frame
constexpr float neighbourhood = 9;   ///< between the leads of patches at rest that count as side by side
constexpr std::size_t together = 8;  ///< boxes that are compared at once
constexpr float folded = 0.85f;      ///< share of that distance below which the body is folded between them

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
    boxes_.reserve(patches + together);
    others_.reserve(patches);
    met_.reserve(patches);
    patches_.resize(patches);
    parts_.assign(body.part_first.size() - 1, {});
    part_fronts_.assign(parts_.size(), {});
    const std::size_t samples = body.samples.size();
    front_x_.resize(samples), front_y_.resize(samples), front_z_.resize(samples);
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
                const Vec3 front = points.positions.at(sample.home) + turn.forth(sample.front);
                front_x_[s] = front.x, front_y_[s] = front.y, front_z_[s] = front.z;
                now.front.add(front);
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
    while (boxes_.low_x.size() % together != 0) boxes_.add({});  // meets nothing
}

/// Patches side by side at rest can only meet where the body folds, and then they come nearer.
bool NearPatches::has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const {
    const Vec3 then = body.patches[a].middle - body.patches[b].middle, now = patches_[a].lead - patches_[b].lead;
    const float square = dot(then, then);
    return square > neighbourhood * neighbourhood || dot(now, now) < folded * folded * square;
}

std::span<const NearPatches::Met> NearPatches::meet(const TouchingBody& body, std::uint32_t patch) {
    met_.clear();
    FloatBox wide = patches_[patch].front;
    wide.widen(widest_);
    const Boxes& boxes = boxes_;
    for (std::size_t first = 0; first < others_.size(); first += together) {
        std::uint32_t is_met[together], any = 0;
        for (std::size_t j = 0; j < together; ++j) {
            const std::size_t k = first + j;
            is_met[j] = std::uint32_t(wide.low.x <= boxes.high_x[k]) & std::uint32_t(boxes.low_x[k] <= wide.high.x) &
                        std::uint32_t(wide.low.y <= boxes.high_y[k]) & std::uint32_t(boxes.low_y[k] <= wide.high.y) &
                        std::uint32_t(wide.low.z <= boxes.high_z[k]) & std::uint32_t(boxes.low_z[k] <= wide.high.z);
            any |= is_met[j];
        }
        if (any == 0) continue;
        for (std::size_t j = 0; j < together; ++j)
            if (is_met[j] != 0) consider(body, patch, others_[first + j]);
    }
    return met_;
}

/// Adds the other patch to those that this one may touch.
void NearPatches::consider(const TouchingBody& body, std::uint32_t patch, std::uint32_t other) {
    if (!has_come_nearer(body, patch, other) || body.is_deaf(patch, other)) return;
    const PatchNow &own = patches_[patch], &there = patches_[other];
    const float way = std::min(most_way, seconds_ * length(own.speed - there.speed));
    FloatBox wide = there.box;
    wide.widen(reach_ + way);
    if (own.front.meets(wide)) met_.push_back({other, way});
}

}  // namespace fascia::contact
