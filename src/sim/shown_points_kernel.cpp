#include "sim/lanes.h"
#include "sim/shown_points.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

void shown_points(const ShownPoints& s, std::size_t begin, std::size_t end) {
    const F8 share = splat(s.share), back = splat(s.back), scale = splat(s.scale);
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t at = lane_count * std::size_t(s.listed[k]);
        F8 mix = share * load(s.mix + at);
        if (s.faded != nullptr) mix = mix * load(s.faded + at);
        for (std::size_t i = at; i < 3 * s.stride; i += s.stride) {
            const F8 u = (load(s.positions + i) - load(s.last_driven + i)) - back * load(s.velocities + i);
            store(s.to + i, scale * (load(s.driven + i) + mix * u));
            store(s.plain + i, scale * load(s.skinned + i));
        }
    }
}

void shown_moves(const ShownPoints& s, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
        for (std::size_t i = lane_count * std::size_t(s.listed[k]); i < 3 * s.stride; i += s.stride)
            store(s.to + i, load(s.to + i) - load(s.plain + i));
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
