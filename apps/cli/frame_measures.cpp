#include "frame_measures.h"

#include <algorithm>
#include <cmath>

namespace fascia::cli {

namespace {

void include(Extremes& extremes, double value, bool first) {
    extremes.min = first ? value : std::min(extremes.min, value);
    extremes.max = first ? value : std::max(extremes.max, value);
    extremes.last = value;
}

bool all_finite(std::span<const Vec3> points) {
    return std::all_of(points.begin(), points.end(),
                       [](Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); });
}

}  // namespace

FrameMeasures::FrameMeasures(const Character& character, bool penetration)
    : meter_(character.mesh.positions, character.mesh.triangles, character.size()) {
    if (!penetration) return;
    Character bones = character;
    bones.mesh.positions = bone_interface(character);
    const std::vector<std::uint32_t>& triangles = character.mesh.triangles;
    penetration_.emplace(PenetrationMeters{{character.mesh.positions, triangles, meter_.size()},
                                           {character.mesh.positions, triangles},
                                           BoneCrossings(character),
                                           PlainSkinning(bones)});
}

void FrameMeasures::frame(std::span<const Vec3> surface, std::span<const Vec3> fully_skinned,
                          std::span<const Vec3> plain, bool resting) {
    quality_.finite = quality_.finite && all_finite(surface);
    if (const auto ratio = meter_.volume_ratio(surface)) {
        if (!quality_.volume_ratio) quality_.volume_ratio = Extremes{*ratio, *ratio, *ratio};
        include(*quality_.volume_ratio, *ratio, false);
    }
    const Offset offset = surface_offset(surface, fully_skinned, meter_.size());
    include(quality_.secondary_rms, offset.rms, first_);
    quality_.max_offset = std::max(quality_.max_offset, offset.max);
    if (!plain.empty())
        quality_.max_offset_from_lbs =
            std::max(quality_.max_offset_from_lbs.value_or(0), surface_offset(surface, plain, meter_.size()).max);
    const auto flipped = static_cast<double>(meter_.flipped_triangles(surface, fully_skinned));
    include(quality_.flipped_triangles, flipped, first_);
    const EdgeStrain strain = meter_.edge_strain(surface);
    quality_.edge_strain_p99 = std::max(quality_.edge_strain_p99, strain.p99);
    quality_.edge_strain_max = std::max(quality_.edge_strain_max, strain.max);
    jitter_.frame(surface, resting, meter_.size());
    first_ = false;
}

bool FrameMeasures::looks_at_penetration(std::size_t frame, double fps) const {
    constexpr double least_rate = 15;
    const auto every = std::size_t(std::max(1.0, fps / least_rate));
    return penetration_ && frame % every == 0;
}

void FrameMeasures::penetration(std::span<const Vec3> surface, const Pose& pose) {
    if (!all_finite(surface)) return;
    if (!quality_.penetration) quality_.penetration.emplace();
    Penetration& worst = *quality_.penetration;
    const Crossings crossings = penetration_->surface.measure(surface);
    const Overlap overlap = penetration_->overlap.measure(surface);
    worst.pairs = std::max(worst.pairs, crossings.pairs);
    worst.depth = std::max(worst.depth, crossings.depth);
    worst.twice_volume = std::max(worst.twice_volume, overlap.twice_volume);
    worst.vertices_inside = std::max(worst.vertices_inside, overlap.vertices_inside);
    if (const std::span<const Vec3> bones = penetration_->bones_at.at(pose); !bones.empty())
        worst.forced = std::max(worst.forced.value_or(0), penetration_->bones.measure(bones));
}

QualityMeasures FrameMeasures::result() const {
    QualityMeasures out = quality_;
    out.rest_jitter = jitter_.value();
    return out;
}

void FrameClock::advanced(double seconds, std::uint64_t steps) {
    pending_ = seconds;
    if (steps > 0) step_us_.push_back(1e6 * seconds / static_cast<double>(steps));
}

void FrameClock::embedded(double seconds, std::size_t vertices) {
    if (vertices > 0) embed_ns_.push_back(1e9 * seconds / static_cast<double>(vertices));
    frame_ms_.push_back(1e3 * (pending_ + seconds));
    pending_ = 0;
}

std::optional<double> FrameClock::step_us(double share) const {
    if (step_us_.empty()) return std::nullopt;
    return quantile(step_us_, share);
}

double FrameClock::embed_ns_per_vertex() const {
    return quantile(embed_ns_, 0.5);
}

double FrameClock::ms_per_frame() const {
    return quantile(frame_ms_, 0.5);
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

}  // namespace fascia::cli
