#include "contact/self_contact.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fascia::contact {

namespace {

constexpr int near_steps = 4;           ///< flesh connected by so few steps is one piece and never touches itself
constexpr int block = 3;                ///< cells along the side of a patch
constexpr float reach = 1.3f;           ///< how far a point knows its surroundings
constexpr float gap = 0.1f;             ///< at which things already press: the drawn surface lies between the samples
constexpr float kept_gap = -0.1f;       ///< the same for flesh that lay side by side at rest: it must come nearer first
constexpr float beside = 2, apart = 3;  ///< distances at rest up to which that holds fully, and from which not at all
constexpr float slack = 0.25f;          ///< added to where things may go within a frame
constexpr float most_way = 1.5f;        ///< within a frame
constexpr float stiffness = 0.5f;       ///< share of a depth that is corrected per step

constexpr float neighbourhood = 9;  ///< between the middles of patches at rest that count as side by side
constexpr float folded = 0.85f;     ///< share of that distance below which the body is folded between them

struct Turn {
    float w;
    Vec3 u;

    Vec3 forth(Vec3 v) const {
        const Vec3 t = cross(u, v) * 2;
        return v + t * w + cross(u, t);
    }
    Vec3 back(Vec3 v) const {
        const Vec3 t = cross(v, u) * 2;
        return v + t * w + cross(t, u);
    }
};

Turn turn_at(std::span<const float> rotations, std::size_t stride, std::size_t i) {
    return {rotations[i], {rotations[stride + i], rotations[2 * stride + i], rotations[3 * stride + i]}};
}

/// From a point to a box; 0 inside.
float square_distance(const FloatBox& box, Vec3 p) {
    const auto off = [](float low, float high, float v) { return std::max({low - v, v - high, 0.0f}); };
    const Vec3 d{off(box.low.x, box.high.x, p.x), off(box.low.y, box.high.y, p.y), off(box.low.z, box.high.z, p.z)};
    return dot(d, d);
}

/// Place of the offset `v` among the cells of a block of 27.
unsigned place_of(Vec3 v) {
    const auto side = [](float x) { return x < -0.5f ? 0u : x > 0.5f ? 2u : 1u; };
    return 9 * side(v.z) + 3 * side(v.y) + side(v.x);
}

/// Points within near_steps of one, ascending places.
class NearPoints {
public:
    explicit NearPoints(const TouchingInput& input) : input_(input), seen_(input.slots.size(), 0) {}

    void find(std::uint32_t from, std::vector<std::uint32_t>& out) {
        ++round_;
        found_.assign(1, from);
        seen_[from] = round_;
        std::size_t begin = 0;
        for (int step = 0; step < near_steps; ++step) {
            const std::size_t end = found_.size();
            for (; begin < end; ++begin)
                for (const std::uint32_t next : input_.links.of(found_[begin]))
                    if (seen_[next] != round_) seen_[next] = round_, found_.push_back(next);
        }
        const std::size_t first = out.size();
        for (const std::uint32_t point : found_) out.push_back(input_.slots[point]);
        std::sort(out.begin() + std::ptrdiff_t(first), out.end());
    }

private:
    const TouchingInput& input_;
    std::vector<std::uint32_t> seen_, found_;
    std::uint32_t round_ = 0;
};

}  // namespace

TouchingBody::TouchingBody(const TouchingInput& input, RestDistance distance)
    : stride_(input.stride),
      distance_(std::move(distance)),
      rest_(input.rest.begin(), input.rest.end()),
      linked_(input.stride, 0) {
    const ConstChannels rest{stride_, rest_.data()};
    // Patches: points by part and block.
    std::vector<std::tuple<std::uint32_t, int, int, int, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < input.slots.size(); ++i) {
        const Vec3 p = rest.at(input.slots[i]);
        const auto at = [](float v) { return int(std::floor(v / float(block))); };
        order.emplace_back(input.part[i], at(p.z), at(p.y), at(p.x), i);
        linked_[input.slots[i]] = input.linked[i];
    }
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> patch_of(input.slots.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& [part, z, y, x, i] = order[k];
        const bool same =
            k > 0 && std::tie(part, z, y, x) == std::tie(std::get<0>(order[k - 1]), std::get<1>(order[k - 1]),
                                                         std::get<2>(order[k - 1]), std::get<3>(order[k - 1]));
        if (!same) {
            if (patches_.empty() || part != std::get<0>(order[k - 1]))
                part_first_.push_back(std::uint32_t(patches_.size()));
            patches_.push_back({.point_first = std::uint32_t(k), .part = std::uint32_t(part_first_.size() - 1)});
        }
        ++patches_.back().point_count;
        patch_of[i] = std::uint32_t(patches_.size() - 1);
        patch_points_.push_back(input.slots[i]);
    }
    part_first_.push_back(std::uint32_t(patches_.size()));

    for (const Patch& patch : patches_) {
        Vec3 sum;
        for (std::uint32_t k = patch.point_first; k < patch.point_first + patch.point_count; ++k)
            sum += rest.at(patch_points_[k]);
        patch_middles_.push_back(sum * (1.0f / float(patch.point_count)));
    }

    // Samples by patch.
    std::vector<std::uint32_t> by_patch(input.homes.size());
    for (std::uint32_t s = 0; s < by_patch.size(); ++s) by_patch[s] = s;
    std::stable_sort(by_patch.begin(), by_patch.end(), [&](std::uint32_t a, std::uint32_t b) {
        return patch_of[input.homes[a]] < patch_of[input.homes[b]];
    });
    NearPoints near(input);
    near_first_.push_back(0);
    for (const std::uint32_t s : by_patch) {
        Sample sample{};
        Vec3 mean;
        for (std::size_t k = 0; k < slots; ++k) {
            sample.carriers[k] = input.slots[input.carriers[slots * s + k]];
            sample.weights[k] = input.weights[slots * s + k];
            mean += rest.at(sample.carriers[k]) * sample.weights[k];
        }
        sample.place = input.places[s];
        sample.normal = input.normals[s];
        sample.arm = sample.place - mean;
        Vec3 gradient;
        sample.depth = std::min(0.0f, distance_.at(sample.place, gradient));
        sample.home = input.slots[input.homes[s]];
        sample.patch = patch_of[input.homes[s]];
        Patch& patch = patches_[sample.patch];
        if (patch.sample_count++ == 0) patch.sample_first = std::uint32_t(samples_.size());
        samples_.push_back(sample);
        near.find(input.homes[s], near_);
        near_first_.push_back(std::uint32_t(near_.size()));
    }

    // Patches whose points are all near to all samples of another need never be compared with it.
    std::vector<std::uint32_t> patch_at(stride_, 0), counts(patches_.size(), 0);
    for (std::size_t i = 0; i < input.slots.size(); ++i) patch_at[input.slots[i]] = patch_of[i];
    deaf_first_.push_back(0);
    for (const Patch& patch : patches_) {
        std::fill(counts.begin(), counts.end(), 0);
        for (std::uint32_t s = patch.sample_first; s < patch.sample_first + patch.sample_count; ++s)
            for (std::uint32_t k = near_first_[s]; k < near_first_[s + 1]; ++k) ++counts[patch_at[near_[k]]];
        for (std::uint32_t other = 0; other < counts.size(); ++other)
            if (counts[other] > 0 && counts[other] == patches_[other].point_count * patch.sample_count)
                deaf_.push_back(other);
        deaf_first_.push_back(std::uint32_t(deaf_.size()));
    }
}

bool TouchingBody::is_near(std::size_t sample, std::uint32_t point) const {
    return std::binary_search(near_.begin() + near_first_[sample], near_.begin() + near_first_[sample + 1], point);
}

Vec3 TouchingBody::place_of(const Sample& sample, const TouchedPoints& points, std::span<const float> rotations) const {
    Vec3 out = turn_at(rotations, stride_, sample.home).forth(sample.arm);
    for (std::size_t k = 0; k < slots; ++k) out += points.positions.at(sample.carriers[k]) * sample.weights[k];
    return out;
}

// ---- candidates ------------------------------------------------------------------------------------------------
void SelfContact::fit_boxes(const TouchingBody& body, const TouchedPoints& points) {
    patch_boxes_.assign(body.patches_.size(), {});
    part_boxes_.assign(body.part_first_.size() - 1, {});
    patch_speeds_.resize(body.patches_.size());
    patch_middles_.resize(body.patches_.size());
    for (std::size_t k = 0; k < body.patches_.size(); ++k) {
        const auto& patch = body.patches_[k];
        FloatBox box, speeds;
        Vec3 sum;
        for (std::uint32_t i = patch.point_first; i < patch.point_first + patch.point_count; ++i) {
            const Vec3 p = points.positions.at(body.patch_points_[i]);
            sum += p;
            box.add(p);
            speeds.add(points.speed(body.patch_points_[i]));
        }
        patch_boxes_[k] = box;
        patch_middles_[k] = sum * (1.0f / float(patch.point_count));
        patch_speeds_[k] = {(speeds.low + speeds.high) * 0.5f, 0.5f * length(speeds.high - speeds.low)};
        part_boxes_[patch.part].add(box);
    }
}

void SelfContact::find_candidates(const TouchingBody& body, const TouchedPoints& points, float seconds) {
    // Room for what any frame is likely to need, so that later ones allocate nothing.
    candidates_.reserve(16 * body.samples_.size());
    listed_.reserve(body.samples_.size());
    turning_.reserve(body.stride_);
    met_.reserve(body.patches_.size());
    candidates_.clear();
    listed_.clear();
    turning_.clear();
    turns_.assign(body.stride_, 0);
    fit_boxes(body, points);
    for (std::uint32_t a = 0; a < body.patches_.size(); ++a) {
        if (body.patches_[a].sample_count == 0) continue;
        find_met(body, seconds, a);
        if (!met_.empty()) list_samples(body, points, a);
    }
    for (std::uint32_t i = 0; i < turns_.size(); ++i)
        if (turns_[i] != 0) turning_.push_back(i);
    if (hits_.size() < listed_.size()) hits_.resize(std::max(listed_.size(), body.samples_.size()));
}

/// Patches side by side at rest can only meet where the body folds, and then their middles come nearer.
bool SelfContact::has_come_nearer(const TouchingBody& body, std::uint32_t a, std::uint32_t b) const {
    const Vec3 then = body.patch_middles_[a] - body.patch_middles_[b], now = patch_middles_[a] - patch_middles_[b];
    const float square = dot(then, then);
    return square > neighbourhood * neighbourhood || dot(now, now) < folded * folded * square;
}

/// Patches that patch a may meet in this frame.
void SelfContact::find_met(const TouchingBody& body, float seconds, std::uint32_t a) {
    met_.clear();
    FloatBox wide = patch_boxes_[a];
    wide.widen(reach + slack + 1 + most_way);
    const PatchSpeed& own = patch_speeds_[a];
    const auto deaf_begin = body.deaf_.begin() + body.deaf_first_[a],
               deaf_end = body.deaf_.begin() + body.deaf_first_[a + 1];
    for (std::uint32_t part = 0; part + 1 < body.part_first_.size(); ++part) {
        if (part == body.patches_[a].part || !wide.meets(part_boxes_[part])) continue;
        for (std::uint32_t b = body.part_first_[part]; b < body.part_first_[part + 1]; ++b)
            if (wide.meets(patch_boxes_[b]) && has_come_nearer(body, a, b) &&
                !std::binary_search(deaf_begin, deaf_end, b)) {
                const PatchSpeed& other = patch_speeds_[b];
                const float fast = length(own.middle - other.middle) + own.radius + other.radius;
                met_.push_back({b, std::min(most_way, 1.5f * seconds * fast)});
            }
    }
}

void SelfContact::list_samples(const TouchingBody& body, const TouchedPoints& points, std::uint32_t a) {
    const auto& patch = body.patches_[a];
    for (std::uint32_t s = patch.sample_first; s < patch.sample_first + patch.sample_count; ++s) {
        const auto& sample = body.samples_[s];
        Vec3 middle;
        for (std::size_t k = 0; k < TouchingBody::slots; ++k)
            middle += points.positions.at(sample.carriers[k]) * sample.weights[k];
        const float own = reach + slack + length(sample.arm);
        const std::size_t first = candidates_.size();
        for (const Met& met : met_) {
            const float most = (own + met.way) * (own + met.way);
            if (square_distance(patch_boxes_[met.patch], middle) > most) continue;
            const auto& other = body.patches_[met.patch];
            for (std::uint32_t k = other.point_first; k < other.point_first + other.point_count; ++k) {
                const std::uint32_t point = body.patch_points_[k];
                const Vec3 off = points.positions.at(point) - middle;
                if (dot(off, off) > most || body.is_near(s, point)) continue;
                candidates_.push_back(point);
                turns_[point] = 1;
            }
        }
        if (candidates_.size() == first) continue;
        turns_[sample.home] = 1;
        listed_.push_back({s, std::uint32_t(first), std::uint32_t(candidates_.size() - first)});
    }
}

// ---- a step ----------------------------------------------------------------------------------------------------
void SelfContact::touch(const TouchingBody& body, const TouchedPoints& points, std::span<const float> rotations,
                        const Listed& listed, float most_depth, Hit& hit) const {
    const auto& sample = body.samples_[listed.sample];
    const std::size_t n = body.stride_;
    const ConstChannels rest{n, body.rest_.data()};
    const Vec3 q = body.place_of(sample, points, rotations);
    const Turn own = turn_at(rotations, n, sample.home);

    hit.depth = 0;
    hit.count = 0;
    float all = 0, depth = 0;
    Vec3 out;
    for (std::uint32_t c = listed.first; c < listed.first + listed.count; ++c) {
        const std::uint32_t point = candidates_[c];
        const Vec3 from = q - points.positions.at(point);
        const float square = dot(from, from);
        if (square >= reach * reach) continue;
        const float fall = 1 - square / (reach * reach), weight = fall * fall;
        all += weight;
        const Turn turn = turn_at(rotations, n, point);
        const Vec3 back = turn.back(from);
        if ((body.linked_[point] >> place_of(back) & 1u) == 0) continue;
        const Vec3 origin = rest.at(point);
        Vec3 gradient;
        const float there = body.distance_.at(origin + back, gradient);
        const float at_rest = length(sample.place - origin);
        const float strange = std::clamp((at_rest - beside) / (apart - beside), 0.0f, 1.0f);
        const float deep = kept_gap + strange * (gap - kept_gap) + (1 - strange) * sample.depth - there;
        if (!(deep > 0)) continue;
        const float share = weight * deep;
        depth += share;
        out += turn.forth(gradient) * share;
        if (hit.count < most_pressed) hit.pressed[hit.count++] = {point, share};
    }
    const float size = length(out);
    if (hit.count == 0 || !(size > 1e-6f)) return;
    hit.out = out * (1 / size);
    // Seen from behind, out of the one is into the other: there is no telling which way they would part.
    const float facing = std::clamp((0.3f - dot(hit.out, own.forth(sample.normal))) * 2, 0.0f, 1.0f);
    hit.depth = std::min(depth / std::max(all, 1.0f), most_depth) * facing;
    float sum = 0;
    for (std::uint32_t k = 0; k < hit.count; ++k) sum += hit.pressed[k].share;
    for (std::uint32_t k = 0; k < hit.count; ++k) hit.pressed[k].share /= sum;
}

/// Both sides yield, each by what it has to give.
void SelfContact::ask(const TouchingBody& body, const TouchedPoints& points, const Listed& listed, const Hit& hit,
                      ContactSums& sums) const {
    const auto& sample = body.samples_[listed.sample];
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

void SelfContact::press(const TouchingBody& body, const TouchedPoints& points, std::span<const float> rotations,
                        float most_depth, ThreadPool& pool, ContactSums& sums) {
    pool.for_ranges(listed_.size(), 32, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t k = begin; k < end; ++k) touch(body, points, rotations, listed_[k], most_depth, hits_[k]);
    });
    // In the order of the samples, whoever has found them.
    hit_count_ = 0;
    for (std::size_t k = 0; k < listed_.size(); ++k) {
        if (!(hits_[k].depth > 0)) continue;
        ++hit_count_;
        ask(body, points, listed_[k], hits_[k], sums);
    }
}

}  // namespace fascia::contact
