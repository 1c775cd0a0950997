#include "fascia/method.h"

namespace fascia {

std::vector<LayerCount> layer_counts(const Rig& rig) {
    std::vector<LayerCount> out;
    const Inside* inside = rig.inside();
    if (!inside) return out;
    for (const std::string& name : inside->layer_names()) out.push_back({name, 0});
    for (const std::uint8_t layer : inside->point_layers())
        if (layer < out.size()) ++out[layer].points;
    return out;
}

}  // namespace fascia
