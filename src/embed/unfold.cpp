#include "embed/unfold.h"

#include <algorithm>

namespace fascia::embedding {

namespace {

constexpr int most_rounds = 200;
/// The share of a triangle's skinned area, seen along its skinned normal, that must remain when flesh presses it.
constexpr float least_area = 0.1f;
/// Cosine of the largest angle between a triangle and the skinned one: a swinging belly turns its skin by less, and a
/// fold is not only kept from turning over, but opened.
constexpr float least_cosine = 0.5f;

/// Twice the area, along the normal.
Vec3 area_of(std::span<const Vec3> p, const std::uint32_t* corners) {
    return cross(p[corners[1]] - p[corners[0]], p[corners[2]] - p[corners[0]]);
}

/// What a triangle lacks, max(least_area |a0|, least_cosine |a|) - n a, with its skinned area a0 = |a0| n and its area
/// a. `along` x (edge across a corner) is how n a - ... grows with that corner.
struct Lack {
    Vec3 along;
    float size = 0;  ///< of the skinned triangle
    float lack = 0;
    bool turned_over = false;
};
Lack lack_of(std::span<const Vec3> skinned, std::span<const Vec3> surface, const std::uint32_t* corners) {
    Lack out;
    const Vec3 whole = area_of(skinned, corners), now = area_of(surface, corners);
    out.size = length(whole);
    if (!(out.size > 0)) return out;
    const Vec3 n = whole * (1 / out.size);
    const float left = dot(n, now), small = least_area * out.size, steep = least_cosine * length(now);
    out.along = steep > small ? n - now * (least_cosine * least_cosine / steep) : n;
    out.lack = std::max(small, steep) - left;
    out.turned_over = left < 0;
    return out;
}

Vec3 growth(std::span<const Vec3> p, const std::uint32_t* corners, std::size_t k, Vec3 along) {
    return cross(along, p[corners[(k + 2) % 3]] - p[corners[(k + 1) % 3]]);
}

}  // namespace

void Unfolding::prepare(UnfoldScratch& scratch) const {
    scratch.move.resize(fans_.vertex_count());
    scratch.moving.assign(fans_.vertex_count(), 0);
    scratch.push.resize(fans_.triangle_count());
    scratch.listed.assign(fans_.triangle_count(), 0);
    scratch.triangles.clear();
    scratch.corners.clear();
    scratch.triangles.reserve(scratch.push.size());
    scratch.corners.reserve(fans_.vertex_count());
}

/// The step along `growth` by which all corners together restore what is missing.
float Unfolding::push_of(std::size_t triangle, std::span<const Vec3> skinned, std::span<const Vec3> surface,
                         bool& turned_over) const {
    const std::uint32_t* corners = &fans_.corners[3 * triangle];
    const Lack lack = lack_of(skinned, surface, corners);
    if (!(lack.lack > 0)) return 0;
    turned_over |= lack.turned_over;
    float squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 g = growth(surface, corners, k, lack.along);
        squares += dot(g, g);
    }
    // A triangle that is nearly a point would be flung apart.
    return lack.lack / std::max(squares, 2 * lack.size);
}

Vec3 Unfolding::move_of(std::uint32_t corner, std::span<const Vec3> skinned, std::span<const Vec3> surface,
                        const UnfoldScratch& scratch) const {
    Vec3 sum;
    for (const std::uint32_t k : fans_.of(corner)) {
        const std::uint32_t t = k / 3, place = k % 3;
        if (scratch.push[t] == 0) continue;
        const std::uint32_t* corners = &fans_.corners[3 * std::size_t(t)];
        sum += growth(surface, corners, place, lack_of(skinned, surface, corners).along) * scratch.push[t];
    }
    return sum;
}

/// From now on a corner that moves, and the triangles around it, are checked in every round.
void Unfolding::list_around(std::uint32_t corner, UnfoldScratch& scratch) const {
    if (scratch.moving[corner]) return;
    scratch.moving[corner] = 1;
    scratch.corners.push_back(corner);
    for (const std::uint32_t k : fans_.of(corner)) {
        const std::uint32_t t = k / 3;
        if (scratch.listed[t]) continue;
        scratch.listed[t] = 1;
        scratch.triangles.push_back(t);
    }
}

void Unfolding::apply(std::span<const Vec3> skinned, std::span<Vec3> surface, UnfoldScratch& scratch) const {
    prepare(scratch);
    bool turned_over = false;
    for (std::uint32_t t = 0; t < scratch.push.size(); ++t) {
        scratch.push[t] = push_of(t, skinned, surface, turned_over);
        if (scratch.push[t] == 0) continue;
        scratch.listed[t] = 1;
        scratch.triangles.push_back(t);
    }
    for (int round = 0; turned_over && round < most_rounds; ++round) {
        for (std::size_t k = 0, count = scratch.triangles.size(); k < count; ++k)
            if (const std::uint32_t t = scratch.triangles[k]; scratch.push[t] != 0)
                for (std::size_t c = 3 * std::size_t(t); c < 3 * std::size_t(t) + 3; ++c)
                    list_around(fans_.corners[c], scratch);
        for (const std::uint32_t corner : scratch.corners)
            scratch.move[corner] = move_of(corner, skinned, surface, scratch);
        for (const std::uint32_t corner : scratch.corners) fans_.move(corner, scratch.move[corner], surface);
        turned_over = false;
        for (const std::uint32_t t : scratch.triangles) scratch.push[t] = push_of(t, skinned, surface, turned_over);
    }
}

}  // namespace fascia::embedding
