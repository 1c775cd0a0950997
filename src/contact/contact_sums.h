// Sums what all contacts ask of a body's points in one step, and moves the points accordingly.
#pragma once

#include <cstdint>
#include <span>

#include "contact/asked_moves.h"
#include "fascia/math.h"

namespace fascia::contact {

/// Points in channels of `stride` floats.
struct Channels {
    std::size_t stride = 0;
    float* data = nullptr;

    Vec3 at(std::size_t i) const { return {data[i], data[stride + i], data[2 * stride + i]}; }
    void set(std::size_t i, Vec3 v) const { data[i] = v.x, data[stride + i] = v.y, data[2 * stride + i] = v.z; }
};
struct ConstChannels {
    std::size_t stride = 0;
    const float* data = nullptr;

    ConstChannels(std::size_t n, const float* first) : stride(n), data(first) {}
    ConstChannels(const Channels& other) : stride(other.stride), data(other.data) {}
    Vec3 at(std::size_t i) const { return {data[i], data[stride + i], data[2 * stride + i]}; }
};

/// The points of a body right after a step. Velocities are those of offsets from the driven positions.
struct TouchedPoints {
    Channels positions, velocities;
    ConstChannels driven, driven_speed;
    std::span<const float> limit;  ///< [stride] largest offset
    std::span<const float> give;   ///< [stride] 0: bone, does not yield; larger: yields more
    float dt = 1.0f / 240;

    Vec3 speed(std::size_t i) const { return velocities.at(i) + driven_speed.at(i); }
};

/// What touching parts of a body ask of its points.
class ContactSums : public AskedMoves {
public:
    /// Every point makes the average of the moves asked of it, less of it if the weights add up to less than 1, and
    /// never goes beyond its limit. Its velocity becomes that of its actual path, so that pressed flesh at rest has
    /// none; but it separates no faster than exit_speed or what pushes it, and its swing is damped: nothing springs
    /// apart.
    void apply(float exit_speed, const TouchedPoints& points);
};

/// The largest speed of any offset; non-finite if any of them is. points: places in channels
float fastest_of(std::span<const std::uint32_t> points, ConstChannels velocities);

}  // namespace fascia::contact
