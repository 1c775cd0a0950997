// What States of earlier versions become.
#pragma once

#include <cstdint>

#include "fascia/method.h"

namespace fascia {

/// A rig whose States have changed their layout.
class ReadsOldStates {
public:
    virtual ~ReadsOldStates() = default;
    /// A State just as a file of this version holds it. One that does not fit is left alone: it is refused later.
    virtual void renew(std::uint32_t version, State& state) const = 0;
};

}  // namespace fascia
