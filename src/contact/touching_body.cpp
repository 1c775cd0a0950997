#include "contact/touching_body.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contact/contact_sums.h"

namespace fascia::contact {

namespace {

constexpr int near_steps = 3;  ///< flesh connected by this few steps is one piece and never touches itself
constexpr float ahead = 0.5f;
constexpr int block = 4;  ///< cells along the side of a patch

/// Points within near_steps of one.
class NearPoints {
public:
    explicit NearPoints(const TouchingInput& input) : input_(input), seen_(input.slots.size(), 0) {}

    std::span<const std::uint32_t> find(std::uint32_t from) {
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
        return found_;
    }

private:
    const TouchingInput& input_;
    std::vector<std::uint32_t> seen_, found_;
    std::uint32_t round_ = 0;
};

}  // namespace

TouchingBody::TouchingBody(const TouchingInput& input, RestDistance rest_distance)
    : stride(input.stride),
      distance(std::move(rest_distance)),
      points(input.stride),
      neighbours(27 * input.stride, none) {
    const ConstChannels rest{stride, input.rest.data()};
    for (std::size_t i = 0; i < input.slots.size(); ++i) {
        const std::size_t at = input.slots[i];
        Point& point = points[at];
        point.rest = rest.at(at);
        point.linked = input.linked[i];
        for (std::size_t k = 0; k < 27; ++k) {
            const std::uint32_t next = input.around[27 * i + k];
            neighbours[27 * at + k] = next == none ? none : input.slots[next];
        }
        for (std::size_t k = 0; k < 4; ++k) {
            point.shares[k] = input.shares[k * stride + at];
            point.joints[k] = input.joints[k * stride + at];
        }
    }
    const std::vector<std::uint32_t> patch_of = add_patches(input);
    add_samples(input, patch_of);
    find_deaf();
}

/// Returns the patch of each point.
std::vector<std::uint32_t> TouchingBody::add_patches(const TouchingInput& input) {
    std::vector<std::tuple<std::uint32_t, int, int, int, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < input.slots.size(); ++i) {
        const Vec3 p = points[input.slots[i]].rest;
        const auto at = [](float v) { return int(std::floor(v / float(block))); };
        order.emplace_back(input.part[i], at(p.z), at(p.y), at(p.x), i);
    }
    std::sort(order.begin(), order.end());
    const auto block_of = [&](std::size_t k) {
        const auto& [part, z, y, x, i] = order[k];
        return std::tuple(part, z, y, x);
    };
    std::vector<std::uint32_t> patch_of(input.slots.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || block_of(k) != block_of(k - 1) || patches.back().point_count == most_in_patch) {
            if (k == 0 || std::get<0>(order[k]) != std::get<0>(order[k - 1]))
                part_first.push_back(std::uint32_t(patches.size()));
            patches.push_back({.point_first = std::uint32_t(k), .part = std::uint32_t(part_first.size() - 1)});
        }
        const std::uint32_t i = std::get<4>(order[k]);
        patch_of[i] = std::uint32_t(patches.size() - 1);
        ++patches.back().point_count;
        patches.back().middle += points[input.slots[i]].rest;
        patch_points.push_back(input.slots[i]);
    }
    part_first.push_back(std::uint32_t(patches.size()));
    part_size.assign(part_first.size() - 1, 0);
    for (const Patch& patch : patches) part_size[patch.part] += patch.point_count;
    for (std::uint32_t k = 0; k < patches.size(); ++k) {
        Patch& patch = patches[k];
        const Vec3 mean = patch.middle * (1.0f / float(patch.point_count));
        float least = 1e30f;
        for (std::uint32_t i = 0; i < patch.point_count; ++i) {
            const std::uint32_t at = patch_points[patch.point_first + i];
            Point& point = points[at];
            point.patch = k, point.in_patch = i;
            const Vec3 off = point.rest - mean;
            if (dot(off, off) < least) least = dot(off, off), patch.lead = at, patch.middle = point.rest;
        }
    }
    return patch_of;
}

void TouchingBody::add_samples(const TouchingInput& input, std::span<const std::uint32_t> patch_of) {
    std::vector<std::uint32_t> by_patch(input.homes.size());
    for (std::uint32_t s = 0; s < by_patch.size(); ++s) by_patch[s] = s;
    std::stable_sort(by_patch.begin(), by_patch.end(), [&](std::uint32_t a, std::uint32_t b) {
        return patch_of[input.homes[a]] < patch_of[input.homes[b]];
    });

    NearPoints near_points(input);
    near_first.push_back(0);
    for (const std::uint32_t s : by_patch) {
        Sample sample{};
        Vec3 mean;
        float all = 0;
        const float* weights = &input.weights[slots * s];
        for (std::size_t k = 0; k < slots; ++k) all += weights[k] < least_weight ? 0 : weights[k];
        for (std::size_t k = 0; k < slots; ++k) {
            sample.carriers[k] = input.slots[input.carriers[slots * s + k]];
            sample.weights[k] = weights[k] < least_weight ? 0 : weights[k] / all;
            mean += points[sample.carriers[k]].rest * sample.weights[k];
        }
        sample.place = input.places[s];
        sample.normal = input.normals[s];
        sample.arm = sample.place - mean;
        sample.depth = std::min(0.0f, distance.at(sample.place));
        sample.home = input.slots[input.homes[s]];
        sample.front = sample.place + sample.normal * ahead - points[sample.home].rest;
        const std::uint32_t own = patch_of[input.homes[s]];
        if (patches[own].sample_count++ == 0) patches[own].sample_first = std::uint32_t(samples.size());
        samples.push_back(sample);

        const std::size_t first = near.size();
        for (const std::uint32_t i : near_points.find(input.homes[s]))
            near.push_back({patch_of[i], std::uint64_t(1) << points[input.slots[i]].in_patch});
        std::sort(near.begin() + std::ptrdiff_t(first), near.end(),
                  [](const Near& a, const Near& b) { return a.patch < b.patch; });
        std::size_t last = first;
        for (std::size_t k = first; k < near.size(); ++k)
            if (k > first && near[k].patch == near[last - 1].patch)
                near[last - 1].points |= near[k].points;
            else
                near[last++] = near[k];
        near.resize(last);
        near_first.push_back(std::uint32_t(last));
    }
}

void TouchingBody::find_deaf() {
    std::vector<std::uint32_t> full(patches.size(), 0);
    deaf_first.push_back(0);
    for (const Patch& patch : patches) {
        const std::size_t first = deaf.size();
        const std::size_t begin = patch.sample_count == 0 ? 0 : near_first[patch.sample_first];
        const std::size_t end = patch.sample_count == 0 ? 0 : near_first[patch.sample_first + patch.sample_count];
        for (std::size_t k = begin; k < end; ++k) {
            const std::uint32_t count = patches[near[k].patch].point_count;
            if (near[k].points != ~std::uint64_t(0) >> (most_in_patch - count)) continue;
            if (++full[near[k].patch] == patch.sample_count) deaf.push_back(near[k].patch);
        }
        for (std::size_t k = begin; k < end; ++k) full[near[k].patch] = 0;
        std::sort(deaf.begin() + std::ptrdiff_t(first), deaf.end());
        deaf_first.push_back(std::uint32_t(deaf.size()));
    }
}

bool TouchingBody::is_deaf(std::uint32_t patch, std::uint32_t other) const {
    return std::binary_search(deaf.begin() + deaf_first[patch], deaf.begin() + deaf_first[patch + 1], other);
}

}  // namespace fascia::contact
