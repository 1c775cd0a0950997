#include "contact/solid_press.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

namespace {

/// A point that is asked with less weight than this makes only that share of the move: at the rim of a contact, flesh
/// yields gradually.
constexpr float whole_weight = 0.35f;

/// The share of a move that leaves the offset within its limit. An offset already beyond it may come back.
Vec3 within_limit(Vec3 offset, Vec3 move, float limit) {
    const float most = std::max(limit, length(offset));
    const Vec3 after = offset + move;
    const float far = length(after);
    return far > most ? after * (most / far) - offset : move;
}

}  // namespace

Vec3 move_out(const SolidTouch& touch, float most, float dt) {
    const float normal = dot(touch.speed, touch.out), approach = std::max(0.0f, -normal);
    const Vec3 slide = touch.speed - touch.out * normal;
    const float sliding = length(slide);
    const float held = sliding > 0 ? std::min(1.0f, touch.friction * approach / sliding) : 0.0f;
    return touch.out * std::min(touch.depth, most + approach * dt) - slide * (held * dt);
}

bool has_met(const Solid& solid, const WayInSolid& way, SolidTouch& touch) {
    const float gone = length(way.to - way.from);
    const float end = solid.distance(way.to, touch.out);
    touch.depth = -end;
    if (end >= gone) return false;  // too far away to have passed through
    Vec3 before;
    if (solid.distance(way.from, before) <= 0) return end < 0;
    const float met = solid.first_met(way.from, way.to);
    if (met >= 1) return end < 0;
    // It is pushed out where it came in, even if another side is nearer by now.
    const Vec3 at = way.from + (way.to - way.from) * met;
    solid.distance(at, touch.out);
    touch.depth = dot(at - way.to, touch.out);
    return touch.depth > 0;
}

void PressSums::apply(const TouchedPoints& points) {
    take([&](std::uint32_t i, const Sum& sum) {
        const float share = std::min(1.0f, sum.weight / whole_weight) / sum.weight;
        const Vec3 at = points.positions.at(i), own = points.velocities.at(i);
        const Vec3 move = within_limit(at - points.driven.at(i), sum.move * share, points.limit[i]);
        const float way = length(move);
        if (!(way > 0)) return;
        points.positions.set(i, at + move);
        const Vec3 along = move * (1 / way);
        const Vec3 relative = own + points.driven_speed.at(i) - sum.partner_speed * (1 / sum.weight);
        points.velocities.set(i, own + along * std::min(way / points.dt, std::max(0.0f, -dot(relative, along))));
    });
}

}  // namespace fascia::contact
