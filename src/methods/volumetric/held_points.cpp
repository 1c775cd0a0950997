#include "methods/volumetric/held_points.h"

#include <algorithm>
#include <cmath>

#include "base/union_find.h"

namespace fascia {

namespace {

/// The number of the piece that each point belongs to.
std::vector<std::uint32_t> pieces_of(std::span<const std::uint32_t> ends) {
    const std::size_t points = ends.size() / 6;
    UnionFind pieces(points);
    for (std::size_t k = 0; k < ends.size(); ++k) pieces.join(std::uint32_t(k / 6), ends[k]);
    std::vector<std::uint32_t> out;
    for (std::uint32_t p = 0; p < points; ++p) out.push_back(pieces.lead(p));
    return out;
}

/// For each joint, holds one of the points in a piece that it carries more than other joints do: the one with the
/// largest weight, the first in a tie.
void hold_strongest(const VolumetricBody& body, const std::vector<std::uint32_t>& piece, std::uint32_t which,
                    std::vector<std::uint8_t>& held) {
    std::vector<std::int64_t> best(body.surface.joints.size(), -1);
    const auto weight = [&](std::size_t p) { return body.influences.weights[4 * p]; };
    for (std::size_t p = 0; p < piece.size(); ++p) {
        if (piece[p] != which) continue;
        std::int64_t& strongest = best[body.influences.joints[4 * p]];
        if (strongest < 0 || weight(p) > weight(std::size_t(strongest))) strongest = std::int64_t(p);
    }
    for (const std::int64_t p : best)
        if (p >= 0) held[std::size_t(p)] = 1;
}

}  // namespace

std::vector<std::uint32_t> grid_ends(const lattice::CornerLattice& corners) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t p = 0; p < corners.size(); ++p) out.insert(out.end(), 6, p);
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        for (int side = 0; side < 8; ++side) {
            const std::uint32_t cell = corners.octants[8 * std::size_t(p) + std::size_t(side)];
            if (cell == lattice::no_cell) continue;
            for (int axis = 0; axis < 3; ++axis) {
                const std::uint32_t other = corners.across(cell, 7 - side, axis);
                std::uint32_t& end = out[6 * std::size_t(p) + std::size_t(2 * axis + (side >> axis & 1))];
                // Where sheets separate there may be two: the lower number counts.
                if (end == p || other < end) end = other;
            }
        }
    const std::vector<std::uint32_t> chosen = out;
    for (std::size_t k = 0; k < out.size(); ++k)
        if (chosen[6 * std::size_t(chosen[k]) + (k % 6 ^ 1)] != k / 6) out[k] = std::uint32_t(k / 6);
    return out;
}

HeldPoints held_points(const VolumetricBody& body, std::span<const std::uint32_t> ends,
                       const VolumetricArapSettings& settings) {
    HeldPoints out;
    const std::size_t points = body.point_count();
    out.held = body.at_bone;
    if (settings.hold == "weights")
        for (std::size_t p = 0; p < points; ++p)
            out.held[p] = body.influences.weights[4 * p] > float(settings.hold_above);
    const std::vector<std::uint32_t> piece = pieces_of(ends);
    std::vector<std::uint8_t> is_held(points, 0);
    for (std::size_t p = 0; p < points; ++p)
        if (out.held[p]) is_held[piece[p]] = 1;
    std::size_t loose = 0;
    for (std::uint32_t p = 0; p < points; ++p) {
        if (is_held[piece[p]]) continue;
        is_held[piece[p]] = 1;
        ++loose;
        hold_strongest(body, piece, piece[p], out.held);
    }
    if (loose > 0)
        out.warnings.push_back(std::to_string(loose) +
                               " pieces of the body have no point that one joint holds alone: in each of them, the "
                               "point that follows a joint most is held");
    return out;
}

void keep_bone_lengths(std::span<const Affine> pose, std::span<const Affine> rest, std::span<const int> parents,
                       std::span<Affine> out) {
    const auto size = [](const Affine& a) {
        double sum = 0;
        for (const auto& row : a.m) sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
        return std::sqrt(sum);
    };
    const double scale = size(pose[0]) / size(rest[0]);
    for (std::size_t j = 0; j < pose.size(); ++j) {
        out[j] = pose[j];
        if (parents[j] < 0) continue;
        const auto parent = std::size_t(parents[j]);
        const Vec3d bone = translation_of(pose[j]) - translation_of(pose[parent]);
        const double wanted = scale * length(translation_of(rest[j]) - translation_of(rest[parent]));
        const double is = length(bone);
        const Vec3d at = translation_of(out[parent]) + bone * (is > 0 ? wanted / is : 1);
        out[j].m[0][3] = at.x, out[j].m[1][3] = at.y, out[j].m[2][3] = at.z;
    }
}

}  // namespace fascia
