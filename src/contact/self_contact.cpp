#include "contact/self_contact.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr float in_front = 1.0f;        ///< how far points may be from the place before a sample that touches them
constexpr float gap = 0.1f;             ///< at which things already press: the surface also lies between samples
constexpr float kept_gap = -0.1f;       ///< the same for flesh that lay side by side at rest: it must come nearer first
constexpr float beside = 2, apart = 3;  ///< at rest: kept_gap holds fully up to the first, not at all from the second
constexpr float slack = 0.25f;          ///< added to how far things may move within a frame
constexpr float stiffness = 0.8f;       ///< share of a depth that is corrected per step
constexpr int steps_of_search = 4;      ///< at most, between two searches

Vec3 mean_of_carriers(const TouchingBody::Sample& sample, ConstChannels positions) {
    Vec3 out;
    for (std::size_t k = 0; k < TouchingBody::slots; ++k) out += positions.at(sample.carriers[k]) * sample.weights[k];
    return out;
}

struct Nearest {
    float square = 1e30f;
    std::uint32_t number = 0;
};

/// The first of the nearest points. closed: bit k: not point k
Nearest nearest_in(const NearPatches::Rows& rows, std::uint32_t count, Vec3 place, std::uint64_t closed) {
    constexpr std::uint32_t wide = 4;
    float squares[TouchingBody::most_in_patch + wide];
    for (std::uint32_t k = 0; k < count; ++k) {
        const Vec3 d = Vec3{rows.x[k], rows.y[k], rows.z[k]} - place;
        squares[k] = dot(d, d);
    }
    for (; closed != 0; closed &= closed - 1) squares[std::countr_zero(closed)] = 1e30f;
    for (std::uint32_t k = count; k < count + wide; ++k) squares[k] = 1e30f;
    float least[wide] = {1e30f, 1e30f, 1e30f, 1e30f};
    for (std::uint32_t k = 0; k < count; k += wide)
        for (std::uint32_t j = 0; j < wide; ++j) least[j] = squares[k + j] < least[j] ? squares[k + j] : least[j];
    Nearest out{std::min(std::min(least[0], least[1]), std::min(least[2], least[3])), 0};
    while (out.number < count && squares[out.number] != out.square) ++out.number;
    return out;
}

}  // namespace

void SelfContact::begin(float seconds) {
    seconds_ = seconds;
    steps_left_ = 0;
}

/// Reserves what any frame is likely to need, so that later ones allocate nothing.
void SelfContact::make_room(const TouchingBody& body) {
    contacts_.reserve(body.samples.size());
    carriers_.reserve(2 * TouchingBody::slots * body.samples.size());
    met_.reserve(body.stride);
    now_.reserve(body.stride);
    if (met_as_.size() != body.stride) met_as_.assign(body.stride, TouchingBody::none), met_.clear();
}

// ---- frame -----------------------------------------------------------------------------------------------------
void SelfContact::search(const TouchingBody& body, const TouchedPoints& points) {
    make_room(body);
    for (const std::uint32_t point : met_) met_as_[point] = TouchingBody::none;
    met_.clear();
    contacts_.clear();
    carriers_.clear();
    near_.fit(body, points, places_, in_front, seconds_);
    for (std::uint32_t part = 0; part + 1 < body.part_first.size(); ++part) {
        near_.begin_part(body, part);
        for (std::uint32_t patch = body.part_first[part]; patch < body.part_first[part + 1]; ++patch)
            if (body.patches[patch].sample_count > 0) look_around(body, points, patch);
    }
}

/// Samples of a patch against the flesh around them.
void SelfContact::look_around(const TouchingBody& body, const TouchedPoints& points, std::uint32_t a) {
    const std::span<const NearPatches::Met> met = near_.meet(body, a);
    if (met.empty()) return;
    const TouchingBody::Patch& patch = body.patches[a];
    find_starts(body, met, patch);
    for (std::uint32_t k = 0; k < patch.sample_count; ++k) {
        if (starts_[k] == TouchingBody::none) continue;
        const std::uint32_t s = patch.sample_first + k;
        const TouchingBody::Sample& sample = body.samples[s];
        const Turn turn = places_.turn_of(body, sample.home);
        const Vec3 q = mean_of_carriers(sample, points.positions) + turn.forth(sample.arm);
        FleshPlace there;
        if (!places_.find(body, points, q, starts_[k], there) || body.are_near(s, there.home)) continue;
        add_contact(body, points, sample, turn, there);
    }
}

/// Of all points that each sample may touch, the one nearest to the place before it.
void SelfContact::find_starts(const TouchingBody& body, std::span<const NearPatches::Met> met,
                              const TouchingBody::Patch& patch) {
    const NearPatches::Rows fronts = near_.fronts(patch);
    const std::uint32_t count = patch.sample_count;
    float least[TouchingBody::most_in_patch], away[TouchingBody::most_in_patch];
    std::fill(least, least + count, 1e30f);
    std::fill(starts_, starts_ + count, TouchingBody::none);
    for (const NearPatches::Met& other : met) {
        const FloatBox& box = near_.box(other.patch);
        const float most = (in_front + other.way) * (in_front + other.way);
        const auto off = [](float low, float high, float v) {
            const float below = low - v, above = v - high, out = below > above ? below : above;
            return out > 0 ? out : 0.0f;
        };
        std::uint32_t any = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            const float x = off(box.low.x, box.high.x, fronts.x[k]), y = off(box.low.y, box.high.y, fronts.y[k]),
                        z = off(box.low.z, box.high.z, fronts.z[k]);
            away[k] = x * x + y * y + z * z;
            any |= std::uint32_t(away[k] < most);
        }
        if (any == 0) continue;
        const TouchingBody::Patch& flesh = body.patches[other.patch];
        for (std::uint32_t k = 0; k < count; ++k) {
            const float bound = std::min(least[k], most);
            if (!(away[k] < bound)) continue;
            const Nearest found =
                nearest_in(near_.rows(flesh), flesh.point_count, {fronts.x[k], fronts.y[k], fronts.z[k]},
                           body.near_points(patch.sample_first + k, other.patch));
            if (!(found.square < bound)) continue;
            least[k] = found.square;
            starts_[k] = body.patch_points[flesh.point_first + found.number];
        }
    }
}

void SelfContact::add_carrier(std::uint32_t point, float weight) {
    if (met_as_[point] == TouchingBody::none) {
        met_as_[point] = std::uint32_t(met_.size());
        met_.push_back(point);
    }
    carriers_.push_back({met_as_[point], weight});
}

void SelfContact::add_contact(const TouchingBody& body, const TouchedPoints& points, const TouchingBody::Sample& sample,
                              const Turn& turn, const FleshPlace& there) {
    const float height = body.distance.at(there.rest);
    if (height >= RestDistance::far) return;
    const float strange = std::clamp((length(sample.place - there.rest) - beside) / (apart - beside), 0.0f, 1.0f);
    const float depth = kept_gap + strange * (gap - kept_gap) + (1 - strange) * sample.depth - height;
    const Vec3 slope = body.distance.gradient_at(there.rest);
    const float steep = length(slope);
    if (!(steep > 1e-6f)) return;
    const Vec3 out = there.turn.forth(slope * (1 / steep));
    // Seen from behind, out of one is into the other: which way they should part cannot be told.
    const float facing = std::clamp((0.3f - dot(out, turn.forth(sample.normal))) * 2, 0.0f, 1.0f);
    if (!(facing > 0)) return;

    Contact contact;
    float own_give = 0, other_give = 0;
    Vec3 own, other, own_speed, other_speed;
    for (std::size_t k = 0; k < TouchingBody::slots; ++k) {
        const std::uint32_t i = sample.carriers[k];
        own += points.positions.at(i) * sample.weights[k];
        own_speed += points.speed(i) * sample.weights[k];
        own_give += points.give[i] * sample.weights[k];
    }
    for (std::size_t k = 0; k < there.count; ++k) {
        const std::uint32_t i = there.points[k];
        other += points.positions.at(i) * there.weights[k];
        other_speed += points.speed(i) * there.weights[k];
        other_give += points.give[i] * there.weights[k];
    }
    if (!(own_give + other_give > 0)) return;
    const float closing = std::max(0.0f, dot(out, other_speed - own_speed));
    if (!(depth + slack + 1.5f * seconds_ * closing > 0)) return;
    contact.first = std::uint32_t(carriers_.size());
    contact.out = out;
    contact.facing = facing;
    contact.depth = depth - dot(out, other - own);
    contact.own_share = own_give / (own_give + other_give);
    for (std::size_t k = 0; k < TouchingBody::slots; ++k)
        if (sample.weights[k] > 0) add_carrier(sample.carriers[k], sample.weights[k]), ++contact.own;
    for (std::size_t k = 0; k < there.count; ++k) add_carrier(there.points[k], there.weights[k]), ++contact.other;
    contacts_.push_back(contact);
}

// ---- step ------------------------------------------------------------------------------------------------------
SelfContact::Now SelfContact::mean_of(std::span<const Carrier> carriers) const {
    Now out{};
    for (const Carrier& carrier : carriers) {
        const Now& now = now_[carrier.point];
        for (int k = 0; k < 8; ++k) out.v[k] += carrier.weight * now.v[k];
    }
    return out;
}

void SelfContact::press(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns,
                        float most_depth, ContactSums& sums) {
    if (steps_left_ == 0) {
        places_.begin(body, turns);
        search(body, points);
        steps_left_ = steps_of_search;
    }
    --steps_left_;
    hit_count_ = 0;
    now_.resize(met_.size());
    for (std::size_t k = 0; k < met_.size(); ++k) {
        const Vec3 p = points.positions.at(met_[k]), v = points.speed(met_[k]);
        now_[k] = {{p.x, p.y, p.z, v.x, v.y, v.z, 0, 0}};
    }
    for (const Contact& contact : contacts_) {
        const std::span<const Carrier> all(carriers_.data() + contact.first, std::size_t(contact.own) + contact.other);
        const std::span<const Carrier> own_side = all.first(contact.own), other_side = all.subspan(contact.own);
        const Now own = mean_of(own_side), other = mean_of(other_side);
        const Vec3 between = Vec3{other.v[0], other.v[1], other.v[2]} - Vec3{own.v[0], own.v[1], own.v[2]};
        const float depth = contact.depth + dot(contact.out, between);
        if (!(depth > 0)) continue;
        ++hit_count_;
        const Vec3 move = contact.out * (stiffness * contact.facing * std::min(depth, most_depth));
        const Vec3 own_speed{own.v[3], own.v[4], own.v[5]}, other_speed{other.v[3], other.v[4], other.v[5]};
        if (contact.own_share > 0)
            for (const Carrier& carrier : own_side)
                sums.ask(met_[carrier.point], carrier.weight, move * contact.own_share, other_speed);
        if (contact.own_share < 1)
            for (const Carrier& carrier : other_side)
                sums.ask(met_[carrier.point], carrier.weight, move * (contact.own_share - 1), own_speed);
    }
}

}  // namespace fascia::contact
