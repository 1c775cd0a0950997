// Which joints may hold a particle together. Weights that diffuse through the body carry an arm's influence as far as
// the hip; weight that two unrelated joints share goes to the joint between them in the skeleton.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/relations.h"
#include "fascia/character.h"
#include "weights/influences.h"

namespace fascia {

class Kin {
public:
    explicit Kin(const Character& character);

    /// Is one the parent, grandparent, child or grandchild of the other, or the same joint?
    bool related(std::size_t a, std::size_t b) const { return related_.related(a, b); }
    /// The joint halfway between the two along the skeleton.
    std::uint16_t between(std::uint16_t a, std::uint16_t b) const;

private:
    std::uint16_t above(std::uint16_t joint, int steps) const;
    std::vector<int> parent_, depth_;  ///< [joints]; depth of a root: 0
    Relations related_;
    mutable std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint16_t> between_;  ///< cached
};

/// Reduces any number of influences to four slots. Of two unrelated joints, the weaker one hands its weight, and the
/// same amount of the stronger one's, to the joint between them. That keeps weights continuous: where both are equal,
/// neither keeps any.
weights::Influences reconcile(const Kin& kin, const weights::Influences& in);

}  // namespace fascia
