#include "contact/self_contact.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr float reach = 1.3f;           ///< how far from a point its surroundings count
constexpr float gap = 0.1f;             ///< at which things already press: the surface also lies between samples
constexpr float kept_gap = -0.1f;       ///< the same for flesh that lay side by side at rest: it must come nearer first
constexpr float beside = 2, apart = 3;  ///< at rest: kept_gap holds fully up to the first, not at all from the second
constexpr float slack = 0.25f;          ///< added to how far things may move within a frame
constexpr float most_way = 1.5f;        ///< within a frame
constexpr float unsure = 0.05f;         ///< margin: how far from touching a sample must be to be left out of a frame
constexpr float widest = reach + slack + 1 + most_way;
constexpr float stiffness = 0.5f;  ///< share of a depth that is corrected per step

constexpr float neighbourhood = 9;  ///< between the middles of patches at rest that count as side by side
constexpr float folded = 0.85f;     ///< share of that distance below which the body is folded between them

constexpr std::uint32_t none = 0xffffffffu;

/// Place of the offset `v` among the cells of a block of 27.
unsigned place_of(Vec3 v) {
    const auto side = [](float x) { return x < -0.5f ? 0u : x > 0.5f ? 2u : 1u; };
    return 9 * side(v.z) + 3 * side(v.y) + side(v.x);
}

Vec3 mean_of_carriers(const TouchingBody::Sample& sample, ConstChannels positions) {
    Vec3 out;
    for (std::size_t k = 0; k < TouchingBody::slots; ++k) out += positions.at(sample.carriers[k]) * sample.weights[k];
    return out;
}

}  // namespace

void SelfContact::Boxes::clear() {
    for (auto* row : {&low_x, &low_y, &low_z, &high_x, &high_y, &high_z}) row->clear();
}
void SelfContact::Boxes::reserve(std::size_t count) {
    for (auto* row : {&low_x, &low_y, &low_z, &high_x, &high_y, &high_z}) row->reserve(count);
}
void SelfContact::Boxes::add(const FloatBox& box) {
    low_x.push_back(box.low.x), low_y.push_back(box.low.y), low_z.push_back(box.low.z);
    high_x.push_back(box.high.x), high_y.push_back(box.high.y), high_z.push_back(box.high.z);
}

// ---- candidates ------------------------------------------------------------------------------------------------
void SelfContact::fit_boxes(const TouchingBody& body, const TouchedPoints& points) {
    const std::size_t count = body.patch_points.size();
    patches_.resize(body.patches.size());
    part_boxes_.assign(body.part_first.size() - 1, {});
    x_.resize(count), y_.resize(count), z_.resize(count);
    for (std::size_t k = 0; k < patches_.size(); ++k) {
        const auto& patch = body.patches[k];
        PatchNow now;
        for (std::uint32_t i = patch.point_first; i < patch.point_first + patch.point_count; ++i) {
            const Vec3 p = points.positions.at(body.patch_points[i]);
            x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
            now.middle += p;
            now.box.add(p);
        }
        now.middle = now.middle * (1.0f / float(patch.point_count));
        part_boxes_[patch.part].add(now.box);
        patches_[k] = now;
    }
}

/// Reserves what any frame is likely to need, so that later ones allocate nothing.
void SelfContact::make_room(const TouchingBody& body) {
    const std::size_t patches = body.patches.size();
    candidates_.reserve(16 * body.samples.size());
    listed_.reserve(body.samples.size());
    turning_.reserve(body.stride);
    before_.reserve(body.stride);
    now_.reserve(body.stride);
    others_.reserve(patches);
    met_.patches.reserve(patches);
    met_.ways.reserve(patches);
    met_.boxes.reserve(patches);
    other_boxes_.reserve(patches);
    is_met_.resize(patches);
    squares_.resize(std::max<std::size_t>(patches, TouchingBody::most_in_patch));
}

void SelfContact::find_candidates(const TouchingBody& body, const TouchedPoints& points, float seconds) {
    make_room(body);
    candidates_.clear();
    listed_.clear();
    turning_.clear();
    turning_of_.assign(body.stride, none);
    is_first_ = true;
    fit_boxes(body, points);
    for (std::uint32_t part = 0; part + 1 < body.part_first.size(); ++part) {
        find_others(body, part);
        if (others_.empty()) continue;
        for (std::uint32_t a = body.part_first[part]; a < body.part_first[part + 1]; ++a) {
            if (body.patches[a].sample_count == 0) continue;
            find_met(body, points, seconds, a);
            if (!met_.patches.empty()) list_samples(body, points, a);
        }
    }
    if (hits_.size() < listed_.size()) hits_.resize(std::max(listed_.size(), body.samples.size()));
}

/// Patches of other parts that a part may meet in this frame.
void SelfContact::find_others(const TouchingBody& body, std::uint32_t part) {
    others_.clear();
    other_boxes_.clear();
    FloatBox wide = part_boxes_[part];
    wide.widen(widest);
    for (std::uint32_t other = 0; other < part_boxes_.size(); ++other) {
        if (other == part || !wide.meets(part_boxes_[other])) continue;
        for (std::uint32_t b = body.part_first[other]; b < body.part_first[other + 1]; ++b) {
            if (!wide.meets(patches_[b].box)) continue;
            others_.push_back(b);
            other_boxes_.add(patches_[b].box);
        }
    }
}

/// Patches side by side at rest can only meet where the body folds, and then their middles come nearer.
bool SelfContact::has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const {
    const Vec3 then = body.patches[a].middle - body.patches[b].middle, now = patches_[a].middle - patches_[b].middle;
    const float square = dot(then, then);
    return square > neighbourhood * neighbourhood || dot(now, now) < folded * folded * square;
}

const SelfContact::PatchNow& SelfContact::with_speed(const TouchingBody& body, const TouchedPoints& points,
                                                     std::uint32_t patch) {
    PatchNow& now = patches_[patch];
    if (now.spread >= 0) return now;
    FloatBox speeds;
    const auto& own = body.patches[patch];
    for (std::uint32_t i = own.point_first; i < own.point_first + own.point_count; ++i)
        speeds.add(points.speed(body.patch_points[i]));
    now.speed = (speeds.low + speeds.high) * 0.5f;
    now.spread = 0.5f * length(speeds.high - speeds.low);
    return now;
}

void SelfContact::find_met(const TouchingBody& body, const TouchedPoints& points, float seconds, std::uint32_t a) {
    met_.patches.clear();
    met_.ways.clear();
    met_.boxes.clear();
    FloatBox wide = patches_[a].box;
    wide.widen(widest);
    const Boxes& boxes = other_boxes_;
    for (std::size_t k = 0; k < boxes.size(); ++k)
        is_met_[k] = std::uint32_t(wide.low.x <= boxes.high_x[k]) & std::uint32_t(boxes.low_x[k] <= wide.high.x) &
                     std::uint32_t(wide.low.y <= boxes.high_y[k]) & std::uint32_t(boxes.low_y[k] <= wide.high.y) &
                     std::uint32_t(wide.low.z <= boxes.high_z[k]) & std::uint32_t(boxes.low_z[k] <= wide.high.z);
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const std::uint32_t b = others_[k];
        if (is_met_[k] == 0 || !has_come_nearer(body, a, b) || body.is_deaf(a, b)) continue;
        const PatchNow &own = with_speed(body, points, a), &other = with_speed(body, points, b);
        const float fast = length(own.speed - other.speed) + own.spread + other.spread;
        const float way = std::min(most_way, 1.5f * seconds * fast);
        FloatBox there = other.box;
        there.widen(way - most_way);
        if (!wide.meets(there)) continue;
        met_.patches.push_back(b);
        met_.ways.push_back(way);
        met_.boxes.add(other.box);
    }
}

std::uint32_t SelfContact::turning_at(std::uint32_t point) {
    if (turning_of_[point] == none) {
        turning_of_[point] = std::uint32_t(turning_.size());
        turning_.push_back(point);
    }
    return turning_of_[point];
}

/// Bit k: point k of the patch is within that distance.
std::uint64_t SelfContact::points_within(const TouchingBody::Patch& patch, Vec3 middle, float square) const {
    float squares[TouchingBody::most_in_patch];
    const float *x = &x_[patch.point_first], *y = &y_[patch.point_first], *z = &z_[patch.point_first];
    std::uint32_t any = 0;
    for (std::uint32_t k = 0; k < patch.point_count; ++k) {
        const Vec3 off = Vec3{x[k], y[k], z[k]} - middle;
        squares[k] = dot(off, off);
        any |= std::uint32_t(squares[k] <= square);
    }
    std::uint64_t out = 0;
    if (any == 0) return out;
    for (std::uint32_t k = 0; k < patch.point_count; ++k) out |= std::uint64_t(squares[k] <= square) << k;
    return out;
}

void SelfContact::list_samples(const TouchingBody& body, const TouchedPoints& points, std::uint32_t a) {
    const auto& patch = body.patches[a];
    const Boxes& boxes = met_.boxes;
    const auto off = [](float low, float high, float v) {
        const float below = low - v, above = v - high, out = below > above ? below : above;
        return out > 0 ? out : 0.0f;
    };
    for (std::uint32_t s = patch.sample_first; s < patch.sample_first + patch.sample_count; ++s) {
        const auto& sample = body.samples[s];
        const Vec3 middle = mean_of_carriers(sample, points.positions);
        const float own = reach + slack + length(sample.arm);
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            const float x = off(boxes.low_x[k], boxes.high_x[k], middle.x),
                        y = off(boxes.low_y[k], boxes.high_y[k], middle.y),
                        z = off(boxes.low_z[k], boxes.high_z[k], middle.z);
            squares_[k] = x * x + y * y + z * z;
        }
        const std::size_t first = candidates_.size();
        float way = 0;
        auto near = body.near_of(s);
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            const float most = (own + met_.ways[k]) * (own + met_.ways[k]);
            if (squares_[k] > most) continue;
            const std::uint32_t b = met_.patches[k];
            while (!near.empty() && near.front().patch < b) near = near.subspan(1);
            std::uint64_t close = points_within(body.patches[b], middle, most);
            if (!near.empty() && near.front().patch == b) close &= ~near.front().points;
            if (close != 0) way = std::max(way, met_.ways[k]);
            for (; close != 0; close &= close - 1) {
                const std::uint32_t k_th = body.patches[b].point_first + std::uint32_t(std::countr_zero(close));
                candidates_.push_back(turning_at(body.patch_points[k_th]));
            }
        }
        if (candidates_.size() == first) continue;
        listed_.push_back(
            {s, std::uint32_t(first), std::uint32_t(candidates_.size() - first), turning_at(sample.home), way});
    }
}

// ---- a step ----------------------------------------------------------------------------------------------------
/// R = blend of the joints' rotations, times the point's own turn relative to it.
void SelfContact::place_points(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns) {
    now_.resize(turning_.size());
    const std::size_t n = body.stride;
    for (std::size_t t = 0; t < turning_.size(); ++t) {
        const std::size_t i = turning_[t];
        const TouchingBody::Point& point = body.points[i];
        float w = 0;
        Vec3 u;
        for (std::size_t k = 0; k < 4; ++k) {
            const float* dual = &turns.duals[8 * std::size_t(point.joints[k])];
            w += point.shares[k] * dual[0];
            u += Vec3{dual[1], dual[2], dual[3]} * point.shares[k];
        }
        const float size = std::sqrt(w * w + dot(u, u));
        const float scale = size > 0 ? 1 / size : 0.0f;
        w *= scale;
        u = u * scale;
        const float a = turns.fitted[i];
        const Vec3 b{turns.fitted[n + i], turns.fitted[2 * n + i], turns.fitted[3 * n + i]};
        now_[t] = {points.positions.at(i), point.linked, {w * a - dot(u, b), b * w + u * a + cross(u, b)}, point.rest};
    }
}

void SelfContact::touch(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, float most_depth,
                        Hit& hit) const {
    const auto& sample = body.samples[listed.sample];
    const Turn& own = now_[listed.home].turn;
    const Vec3 q = mean_of_carriers(sample, points.positions) + own.forth(sample.arm);

    hit.depth = 0;
    hit.nearest = -1e30f;
    hit.count = 0;
    float all = 0, depth = 0;
    Vec3 out;
    for (std::uint32_t c = listed.first; c < listed.first + listed.count; ++c) {
        const PointNow& point = now_[candidates_[c]];
        const Vec3 from = q - point.place;
        const float square = dot(from, from);
        if (square >= reach * reach) continue;
        const float fall = 1 - square / (reach * reach), weight = fall * fall;
        all += weight;
        const Vec3 back = point.turn.back(from);
        if ((point.linked >> place_of(back) & 1u) == 0) continue;
        const Vec3 there = point.rest + back;
        const float height = body.distance.at(there);
        if (height >= gap) {
            hit.nearest = std::max(hit.nearest, gap - height);
            continue;
        }
        const float at_rest = length(sample.place - point.rest);
        const float strange = std::clamp((at_rest - beside) / (apart - beside), 0.0f, 1.0f);
        const float deep = kept_gap + strange * (gap - kept_gap) + (1 - strange) * sample.depth - height;
        hit.nearest = std::max(hit.nearest, deep);
        if (!(deep > 0)) continue;
        const float share = weight * deep;
        depth += share;
        out += point.turn.forth(body.distance.gradient_at(there)) * share;
        if (hit.count < most_pressed) hit.pressed[hit.count++] = {turning_[candidates_[c]], share};
    }
    const float size = length(out);
    if (hit.count == 0 || !(size > 1e-6f)) return;
    hit.out = out * (1 / size);
    // Seen from behind, out of one is into the other: which way they should part cannot be told.
    const float facing = std::clamp((0.3f - dot(hit.out, own.forth(sample.normal))) * 2, 0.0f, 1.0f);
    hit.depth = std::min(depth / std::max(all, 1.0f), most_depth) * facing;
    float sum = 0;
    for (std::uint32_t k = 0; k < hit.count; ++k) sum += hit.pressed[k].share;
    for (std::uint32_t k = 0; k < hit.count; ++k) hit.pressed[k].share /= sum;
}

/// Both sides yield, each by its own give.
void SelfContact::ask(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, const Hit& hit,
                      ContactSums& sums) const {
    const auto& sample = body.samples[listed.sample];
    float own_give = 0, other_give = 0;
    Vec3 own_speed, other_speed;
    for (std::size_t k = 0; k < TouchingBody::slots; ++k) {
        own_give += sample.weights[k] * points.give[sample.carriers[k]];
        own_speed += points.speed(sample.carriers[k]) * sample.weights[k];
    }
    for (std::uint32_t k = 0; k < hit.count; ++k) {
        other_give += hit.pressed[k].share * points.give[hit.pressed[k].point];
        other_speed += points.speed(hit.pressed[k].point) * hit.pressed[k].share;
    }
    if (!(own_give + other_give > 0)) return;
    const float own = own_give / (own_give + other_give);
    const Vec3 move = hit.out * (stiffness * hit.depth);
    for (std::size_t k = 0; k < TouchingBody::slots; ++k)
        if (sample.weights[k] > 0 && points.give[sample.carriers[k]] > 0)
            sums.ask(sample.carriers[k], sample.weights[k], move * own, other_speed);
    for (std::uint32_t k = 0; k < hit.count; ++k)
        if (points.give[hit.pressed[k].point] > 0)
            sums.ask(hit.pressed[k].point, hit.pressed[k].share, move * (own - 1), own_speed);
}

/// Drops samples that hardly move relative to what is near them and are farther from touching it than they move.
void SelfContact::drop_idle() {
    std::size_t kept = 0, last = 0;
    for (const std::uint32_t point : turning_) turning_of_[point] = none;
    std::swap(turning_, before_);
    turning_.clear();
    for (std::size_t k = 0; k < listed_.size(); ++k) {
        Listed listed = listed_[k];
        if (listed.way < slack && hits_[k].nearest < -(unsure + 2 * listed.way)) continue;
        const std::uint32_t first = std::uint32_t(last);
        for (std::uint32_t c = listed.first; c < listed.first + listed.count; ++c)
            candidates_[last++] = turning_at(before_[candidates_[c]]);
        listed.first = first;
        listed.home = turning_at(before_[listed.home]);
        listed_[kept++] = listed;
    }
    listed_.resize(kept);
    candidates_.resize(last);
}

void SelfContact::press(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns,
                        float most_depth, ThreadPool& pool, ContactSums& sums) {
    place_points(body, points, turns);
    pool.for_ranges(listed_.size(), 32, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t k = begin; k < end; ++k) touch(body, points, listed_[k], most_depth, hits_[k]);
    });
    // In the order of the samples, whichever thread found them.
    hit_count_ = 0;
    for (std::size_t k = 0; k < listed_.size(); ++k) {
        if (!(hits_[k].depth > 0)) continue;
        ++hit_count_;
        ask(body, points, listed_[k], hits_[k], sums);
    }
    if (is_first_) drop_idle();
    is_first_ = false;
}

}  // namespace fascia::contact
