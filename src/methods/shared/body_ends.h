// Heads, hands and feet, by the position of their joints in the skeleton: what a preset says about "*head*" and
// "*hand*" also holds if joints have other names, or none.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"

namespace fascia {

enum class BodyEnd : std::uint8_t { none, head, neck, hand, foot };

/// [joints]; fingers and toes are hands and feet. Joints need name, parent and rest only.
std::vector<BodyEnd> find_body_ends(const std::vector<Joint>& joints);

/// The factor on the amount.
double amount_of(BodyEnd end);

}  // namespace fascia
