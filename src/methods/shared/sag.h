// Compares the frequency at which a body swings, found by letting it sag under a pull, with the one its settings ask
// for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fascia/settings.h"

namespace fascia {

/// What is asked of the points of a body.
struct SaggingBody {
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;  ///< [points] places in channels
    std::span<const std::uint8_t> layers;  ///< [points] 0 bone
    std::span<const float> thinness;       ///< [points] g in (0, 1]: thin flesh is asked for 1 / g of the frequency
};

/// Factor on all frequencies, so that the body as a whole swings as its settings ask. It sags by `sag` under the forces
/// scale * shape; [3 * stride] each.
double sag_calibration(const SaggingBody& body, const FleshSettings& flesh, std::span<const float> shape, double scale,
                       std::span<const float> sag);
/// Would both give the same factor? Other settings that can be retuned do not matter.
bool same_calibration(const FleshSettings& had, const FleshSettings& asked);

/// Clamps frequencies and dampings that a step of this length cannot follow; the sentences say which step would be
/// short enough.
std::vector<std::string> clamp_to_step(FleshSettings& flesh);

}  // namespace fascia
