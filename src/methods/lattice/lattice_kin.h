// Which joints may hold a particle together. Weights that diffuse through the body carry an arm as far as the hip: what
// two strangers share is held by what lies between them in the skeleton.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "weights/influences.h"

namespace fascia {

class Kin {
public:
    explicit Kin(const Character& character);

    /// Parent, grandparent, child, grandchild or itself.
    bool related(std::size_t a, std::size_t b) const { return related_[a * joints_ + b] != 0; }
    /// The joint in the middle of the way from one to the other through the skeleton.
    std::uint16_t between(std::size_t a, std::size_t b) const { return between_[a * joints_ + b]; }

private:
    std::size_t joints_;
    std::vector<std::uint8_t> related_;
    std::vector<std::uint16_t> between_;
};

/// Four slots from any number: of two strangers the weaker hands its weight, and as much of the stronger's, to the
/// joint between them. So weights stay continuous: where both are equal neither holds anything.
weights::Influences reconcile(const Kin& kin, const weights::Influences& in);

}  // namespace fascia
