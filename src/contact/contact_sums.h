// What all that touches asks of a body's points in one step, and what the points make of it.
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
    std::span<const float> give;   ///< [stride] 0: bone, it does not yield; larger: it yields more than others
    float dt = 1.0f / 240;

    Vec3 speed(std::size_t i) const { return velocities.at(i) + driven_speed.at(i); }
};

/// What parts of a body that touch ask of its points.
class ContactSums : public AskedMoves {
public:
    /// Every point goes where it is asked to on the average, by less if it is asked for by less than one whole weight,
    /// and never beyond its limit. Its velocity becomes that of its actual way, so that pressed flesh that rests has
    /// none; but it leaves no faster than exit_speed or what pushes it, and its swing is damped: nothing springs apart.
    void apply(float exit_speed, const TouchedPoints& points);
};

/// The largest speed of any offset; not finite if one is not. points: places in channels
float fastest_of(std::span<const std::uint32_t> points, ConstChannels velocities);

}  // namespace fascia::contact
