// Which joints may hold a particle together. Weights that diffuse through the body carry an arm's influence as far as
// the hip; what two unrelated joints share is given to the joint between them in the skeleton.
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
    /// The joint halfway between the two along the skeleton.
    std::uint16_t between(std::size_t a, std::size_t b) const { return between_[a * joints_ + b]; }

private:
    std::size_t joints_;
    std::vector<std::uint8_t> related_;
    std::vector<std::uint16_t> between_;
};

/// Reduces any number of influences to four slots. Of two unrelated joints, the weaker one hands its weight, and as
/// much of the stronger one's, to the joint between them. That keeps weights continuous: where both are equal, neither
/// holds anything.
weights::Influences reconcile(const Kin& kin, const weights::Influences& in);

}  // namespace fascia
