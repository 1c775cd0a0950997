#include "contact/contact_sums.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr float damping = 50;  ///< per second: how fast pressed flesh stops swinging

/// The offset that a point has after a move, shortened to its limit.
Vec3 within(Vec3 offset, float limit) {
    const float far = length(offset);
    return far > limit ? offset * (limit / far) : offset;
}

}  // namespace

void ContactSums::apply(float exit_speed, const TouchedPoints& points) {
    take([&](std::uint32_t i, const Sum& sum) {
        const Vec3 before = points.positions.at(i), driven = points.driven.at(i);
        const Vec3 wish = sum.move * (std::min(1.0f, sum.weight) / sum.weight);
        // An offset that the step left beyond its limit stays: contact shortens only its own part.
        const float limit = std::max(points.limit[i], length(before - driven));
        const Vec3 after = driven + within(before + wish - driven, limit), move = after - before;
        const float way = length(move);
        if (!(way > 0)) return;
        points.positions.set(i, after);
        const Vec3 along = move * (1 / way), partner = sum.partner_speed * (1 / sum.weight);
        // Relative to the skeleton. A partner that moves away holds nothing back.
        const Vec3 own = points.velocities.at(i), other = partner - points.driven_speed.at(i);
        const float most = exit_speed + std::max(0.0f, dot(other, along)) - dot(own, along);
        const float gain = std::min(way / points.dt, std::max(0.0f, most));
        const float lost = std::min(0.5f, damping * points.dt) * std::min(1.0f, sum.weight);
        points.velocities.set(i, (own + along * gain) * (1 - lost));
    });
}

float fastest_of(std::span<const std::uint32_t> points, ConstChannels velocities) {
    float most = 0;
    bool sound = true;
    for (const std::size_t i : points) {
        const Vec3 v = velocities.at(i);
        const float square = dot(v, v);
        sound = sound && square < 1e30f;
        most = std::max(most, square);
    }
    return sound ? std::sqrt(most) : 1e30f;
}

}  // namespace fascia::contact
