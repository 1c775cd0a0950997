#include "methods/handles/handle_maps.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "embed/best_rotation.h"
#include "skin/joint_maps.h"

namespace fascia {

namespace {

/// A turn of the whole body is found as the one that most handles agree on.
constexpr int agreeing_rounds = 8;
constexpr double agreeing_reach = 0.05;  ///< of the size: handles further off hardly count
/// Handles along a line say nothing about a turn around it.
constexpr double flat = 1e-3;

bool spans_a_plane(const embedding::Covariance& a) {
    double square = 0, minors = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            square += a.m[r][c] * a.m[r][c];
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            const double minor = a.m[r1][c1] * a.m[r2][c2] - a.m[r1][c2] * a.m[r2][c1];
            minors += minor * minor;
        }
    return minors > flat * flat * square * square;
}

/// The part of a turn that is about an axis, in radians between -pi and pi.
double twist_about(Vec3d axis, Quat q) {
    const double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    if (along == 0) return 0;
    // A twist is uncertain in a joint that bends far: it counts fully up to a bend of 45 degrees, and not at all from
    // 90.
    const double told = std::clamp((q.w * q.w + along * along - 0.5) / 0.35, 0.0, 1.0);
    return 2 * told * (q.w < 0 ? portable::arc_tangent(-along, -q.w) : portable::arc_tangent(along, q.w));
}

double even_scale(const Affine& map) {
    double square = 0;
    for (const auto& row : map.m) square += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    return std::sqrt(square / 3);
}

}  // namespace

HandleMaps::HandleMaps(std::span<const Joint> joints, std::optional<TurnMean> how) : how_(how) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
        rest_.push_back(joints[j].rest);
        inverse_rest_.push_back(inverse(joints[j].rest));
        places_.push_back(translation_of(joints[j].rest));
        parents_.push_back(joints[j].parent);
        if (joints[j].parent >= 0) links_.emplace_back(std::uint32_t(joints[j].parent), std::uint32_t(j));
    }
    Vec3d low = places_[0], high = low;
    for (const Vec3d p : places_) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    size_ = std::max(length(high - low), 1e-12);
    if (how) turns_ = EdgeTurns(places_, links_, *how);
}

/// The turn of the whole body. Edges do not show a turn around themselves: a standing leg does not tell which way the
/// body faces. In rounds of weighted fits, handles that disagree with the rest count for less and less, so that a
/// handle that is dragged far away turns only its neighbours.
Quat HandleMaps::body_turn(std::span<const Vec3d> places, std::vector<double>& shares) const {
    const std::size_t n = places.size();
    shares.assign(n, 1.0);
    Quat turn;
    for (int round = 0; round < agreeing_rounds; ++round) {
        double all = 0;
        Vec3d from{}, to{};
        for (std::size_t j = 0; j < n; ++j) {
            all += shares[j];
            from += places_[j] * shares[j];
            to += places[j] * shares[j];
        }
        from = from * (1 / all), to = to * (1 / all);
        embedding::Covariance sum;
        for (std::size_t j = 0; j < n; ++j) sum.add((places_[j] - from) * shares[j], places[j] - to);
        if (!spans_a_plane(sum)) return turn;
        turn = embedding::best_rotation(sum);
        for (std::size_t j = 0; j < n; ++j) {
            const Vec3d off = places[j] - to - rotate(turn, places_[j] - from);
            const double share = agreeing_reach * agreeing_reach * size_ * size_;
            shares[j] = share / (share + dot(off, off));
        }
    }
    return turn;
}

/// A link turns as its direction does, on top of the turn of the body or, if handles turn as joints do, of its first
/// end, the joint that the bone belongs to; in that case the twist of the joint at its other end is also its twist
/// there.
void HandleMaps::find_links(OwnTurns own, Quat body, Scratch& scratch) const {
    scratch.links.resize(links_.size());
    for (std::size_t k = 0; k < links_.size(); ++k) {
        const std::size_t ends[2] = {links_[k].first, links_[k].second};
        LinkMap& link = scratch.links[k];
        link.from = translation_of(scratch.pose[ends[0]]), link.to = translation_of(scratch.pose[ends[1]]);
        const Vec3d arm = places_[ends[1]] - places_[ends[0]];
        link.axis = normalized(arm);
        const Quat before =
            how_ ? body : quat_from_matrix(polar(scratch.pose[ends[0]] * inverse_rest_[ends[0]]).rotation);
        link.turn = turn_between(rotate(before, arm), link.to - link.from) * before;
        for (std::size_t e = 0; e < 2; ++e) {
            const float* q = &own[4 * ends[e]];
            link.scales[e] = even_scale(scratch.pose[ends[e]] * inverse_rest_[ends[e]]);
            link.twists[e] = twist_about(link.axis, {q[0], q[1], q[2], q[3]});
        }
        if (!how_) {
            const Quat end = quat_from_matrix(polar(scratch.pose[ends[1]] * inverse_rest_[ends[1]]).rotation);
            link.twists[1] += twist_about(link.axis, conjugate(link.turn) * end);
        }
    }
}

void HandleMaps::find(std::span<const Affine> joints, OwnTurns own, Scratch& scratch, std::span<Affine> out) const {
    const std::size_t n = rest_.size();
    std::vector<Affine>& pose = scratch.pose;
    pose.assign(joints.begin(), joints.end());
    for (std::size_t j = joints.size(); j < n; ++j) {
        const auto parent = std::size_t(parents_[j]);
        pose.push_back(pose[parent] * (inverse_rest_[parent] * rest_[j]));
    }
    Quat body;
    if (!how_) {
        std::copy_n(pose.begin(), n, out.begin());
    } else {
        scratch.places.resize(n), scratch.level.resize(n), scratch.turns.resize(n);
        for (std::size_t j = 0; j < n; ++j) scratch.places[j] = translation_of(pose[j]);
        body = body_turn(scratch.places, scratch.shares);
        const Quat back = conjugate(body);
        for (std::size_t j = 0; j < n; ++j) scratch.level[j] = rotate(back, scratch.places[j] - scratch.places[0]);
        turns_.find(scratch.level, scratch.turns);
        for (std::size_t j = 0; j < n; ++j) {
            const double scale = even_scale(pose[j] * inverse_rest_[j]);
            const Affine turned = compose({}, body * scratch.turns[j], {scale, scale, scale});
            Affine linear = rest_[j];
            for (auto& row : linear.m) row[3] = 0;
            out[j] = turned * linear;
            out[j].m[0][3] = scratch.places[j].x, out[j].m[1][3] = scratch.places[j].y,
            out[j].m[2][3] = scratch.places[j].z;
        }
    }
    find_links(own, body, scratch);
    for (std::size_t j = 0; j < n; ++j) {
        const Quat q{own[4 * j], own[4 * j + 1], own[4 * j + 2], own[4 * j + 3]};
        if (q.w == 1) continue;
        // About the handle, in the body's rest axes.
        const Vec3d at = places_[j];
        Affine twist = compose(at - rotate(q, at), q, {1, 1, 1});
        out[j] = out[j] * (inverse_rest_[j] * (twist * rest_[j]));
    }
}

}  // namespace fascia
