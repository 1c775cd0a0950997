#include "embed/tauten.h"

#include <algorithm>

namespace fascia::embedding {

namespace {

constexpr int rounds = 30;
/// In lengths at rest. With so few rounds some edges stay longer than this.
constexpr float longest_stretch = 1.5f;
/// Share of an edge's excess length that each end takes back: more than half, because a vertex follows the mean of
/// several edges.
constexpr float share_of_an_end = 0.8f;

/// Share of the last round's move that is repeated: a stretch spreads over the skin in a third of the rounds.
constexpr float momentum = 0.7f;

/// In longest lengths: edges this near to it are good enough. The last bit of a stretch would take most of the rounds.
constexpr float near_enough = 1.05f;

constexpr float too_far = 1e18f;  ///< not a length

constexpr std::uint32_t after(std::uint32_t k) {
    return k % 3 == 2 ? k - 2 : k + 1;
}

}  // namespace

Tautening::Tautening(std::span<const Vec3> rest, const Fans& fans) : fans_(fans), longest_(fans.corners.size()) {
    for (std::uint32_t k = 0; k < longest_.size(); ++k)
        longest_[k] = longest_stretch * length(rest[fans.corners[k]] - rest[fans.corners[after(k)]]);
}

/// The move of a corner that the overlong edges around it ask for. Most of them are met twice, once in each of their
/// triangles. most: raised to the largest length of such an edge, in units of its longest allowed length
Vec3 Tautening::pull_at(std::uint32_t corner, float scale, std::span<const Vec3> surface, float& most) const {
    Vec3 sum;
    int count = 0;
    const auto pull = [&](std::uint32_t other, float longest) {
        const Vec3 edge = surface[fans_.corners[other]] - surface[corner];
        const float now = length(edge);
        if (!(now > scale * longest && now < too_far) || !(longest > 0)) return;
        sum += edge * (share_of_an_end * (1 - scale * longest / now));
        ++count;
        most = std::max(most, now / (scale * longest));
    };
    for (const std::uint32_t k : fans_.of(corner)) {
        pull(after(k), longest_[k]);
        pull(after(after(k)), longest_[after(after(k))]);
    }
    return count > 0 ? sum * (1 / float(count)) : sum;
}

/// Six times the gradient of the volume.
Vec3 Tautening::area_at(std::uint32_t corner, std::span<const Vec3> surface) const {
    Vec3 sum;
    for (const std::uint32_t k : fans_.of(corner)) {
        const Vec3 b = surface[fans_.corners[after(k)]], c = surface[fans_.corners[after(after(k))]];
        sum += cross(b - surface[corner], c - surface[corner]);
    }
    // A corner beside one that is NaN takes no part in the volume.
    return dot(sum, sum) < too_far ? sum : Vec3{};
}

/// Corners that are pulled, and all that were before.
void Tautening::list_pulled(float scale, std::span<const Vec3> surface, TautenScratch& scratch) const {
    const auto list = [&](std::uint32_t corner) {
        if (scratch.moving[corner]) return;
        float most = 0;
        pull_at(corner, scale, surface, most);
        if (most == 0) return;
        scratch.moving[corner] = 1;
        scratch.move[corner] = {};
        scratch.corners.push_back(corner);
    };
    if (scratch.corners.empty()) {
        for (std::uint32_t v = 0; v < fans_.vertex_count(); ++v) list(v);
        return;
    }
    for (std::size_t n = 0, count = scratch.corners.size(); n < count; ++n)
        for (const std::uint32_t k : fans_.of(scratch.corners[n])) {
            list(fans_.corners[after(k)]);
            list(fans_.corners[after(after(k))]);
        }
}

/// The volume that taut skin would squeeze out of the body pushes all of the skin outwards.
void Tautening::keep_volume(TautenScratch& scratch) const {
    double lost = 0, squares = 0;
    for (const std::uint32_t corner : scratch.corners) {
        lost -= dot(scratch.area[corner], scratch.move[corner]);
        squares += dot(scratch.area[corner], scratch.area[corner]);
    }
    if (!(squares > 0)) return;
    const float outwards = float(lost / squares);
    for (const std::uint32_t corner : scratch.corners) scratch.move[corner] += scratch.area[corner] * outwards;
}

void Tautening::apply(float scale, std::span<Vec3> surface, TautenScratch& scratch) const {
    scratch.move.resize(surface.size());
    scratch.area.resize(surface.size());
    scratch.moving.assign(surface.size(), 0);
    scratch.corners.clear();
    scratch.corners.reserve(surface.size());
    for (int round = 0; round < rounds; ++round) {
        list_pulled(scale, surface, scratch);
        if (scratch.corners.empty()) return;
        float most = 0;
        for (const std::uint32_t corner : scratch.corners) {
            scratch.move[corner] = scratch.move[corner] * momentum + pull_at(corner, scale, surface, most);
            scratch.area[corner] = area_at(corner, surface);
        }
        if (round > 0 && most < near_enough) return;
        keep_volume(scratch);
        for (const std::uint32_t corner : scratch.corners) fans_.move(corner, scratch.move[corner], surface);
    }
}

}  // namespace fascia::embedding
