#include "skin/swollen_parts.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr int rounds = 8;  ///< because each part affects its neighbours
constexpr int halvings = 30;

Vec3 turned(std::span<const float> q, std::size_t stride, std::size_t i, Vec3 v) {
    const Vec3 u{q[stride + i], q[2 * stride + i], q[3 * stride + i]};
    const Vec3 t = cross(u, v) * 2.0f;
    return v + t * q[i] + cross(u, t);
}

/// The smallest swell after which the volume is no longer off by more than the slack; if there is none, as much as
/// there is room for.
double least_swell(const Cubic& cubic, double rest_volume, double furthest) {
    const double off = cubic.at(0) / rest_volume - 1;
    if (std::abs(off) <= volume_slack) return 0;
    const double asked = rest_volume * (1 + std::copysign(volume_slack, off));
    double near = 0, far = off < 0 ? furthest : -furthest;
    for (int round = 0; round < halvings; ++round) {
        const double middle = 0.5 * (near + far);
        ((cubic.at(middle) < asked) == (off < 0) ? near : far) = middle;
    }
    return far;
}

}  // namespace

void solve_swells(const VolumeParts& volumes, const SwollenParts& all, std::size_t stride,
                  std::span<const float> rotations, std::span<float> records, std::span<float> swells) {
    std::fill(swells.begin(), swells.end(), 0.0f);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < all.parts.size(); ++k) {
            const SwollenPart& part = all.parts[k];
            for (std::uint32_t p = part.first; p < part.last; ++p) {
                const std::size_t i = all.places[p];
                const Vec3 way = turned(rotations, stride, i, all.directions[p]);
                float* move = &records[volume_record * i + 4];
                move[0] = way.x, move[1] = way.y, move[2] = way.z;
            }
            const double furthest = part.furthest - std::abs(double(swells[k]));
            const auto swell = float(least_swell(volume_polynomial(volumes, volumes.parts[k], records),
                                                 volumes.parts[k].rest_volume, std::max(furthest, 0.0)));
            for (std::uint32_t p = part.first; p < part.last; ++p) {
                float* record = &records[volume_record * std::size_t(all.places[p])];
                for (int c = 0; c < 3; ++c) {
                    record[c] += swell * record[4 + c];
                    record[4 + c] = 0;
                }
            }
            swells[k] += swell;
        }
}

void move_swells(const SwollenParts& all, std::size_t stride, std::span<const float> rotations,
                 std::span<const float> swells, std::span<float> positions) {
    for (std::size_t k = 0; k < all.parts.size(); ++k) {
        if (swells[k] == 0) continue;
        for (std::uint32_t p = all.parts[k].first; p < all.parts[k].last; ++p) {
            const std::size_t i = all.places[p];
            const Vec3 way = turned(rotations, stride, i, all.directions[p]) * swells[k];
            positions[i] += way.x;
            positions[stride + i] += way.y;
            positions[2 * stride + i] += way.z;
        }
    }
}

}  // namespace fascia
