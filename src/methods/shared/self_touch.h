// Self-contact of a method whose points swing about driven positions, after each of its steps.
#pragma once

#include <memory>
#include <span>

#include "base/workspace.h"
#include "contact/self_contact.h"
#include "methods/shared/touching_shape.h"
#include "sim/motion.h"

namespace fascia {

using TouchingBodyPtr = std::shared_ptr<const contact::TouchingBody>;

/// How far points may go, in their own units.
struct TouchLimits {
    double size = 1;     ///< of the body
    Floats limit, give;  ///< [stride] see contact::TouchedPoints
};

class SelfTouch {
public:
    SelfTouch(TouchingBodyPtr body, TouchLimits limits) : body_(std::move(body)), limits_(std::move(limits)) {}

    bool is_on() const { return body_ != nullptr; }
    const TouchingBodyPtr& body() const { return body_; }

    contact::TouchedPoints points(std::span<float> positions, std::span<float> velocities,
                                  std::span<const float> driven, std::span<const float> driven_speed,
                                  double step) const;
    void begin_steps(double seconds, Workspace& work) const;
    /// Has the step that was just made pressed anything?
    bool is_pressed(Workspace& work) const;
    /// slots: places of all points; still: the skeleton does not move, so that the body may fall asleep
    void press(const contact::TouchedPoints& points, const contact::PointTurns& turns,
               std::span<const std::uint32_t> slots, bool still, sim::Motion& motion, Workspace& work) const;

private:
    TouchingBodyPtr body_;
    TouchLimits limits_;
};

}  // namespace fascia
