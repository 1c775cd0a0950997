#include "methods/layers/layers_rebind.h"

namespace fascia {

namespace {

std::string layer_difference(const Flesh& had, const Flesh& asked) {
    if (had.layers.size() != asked.layers.size()) return "the number of layers";
    for (std::size_t k = 0; k < had.layers.size(); ++k) {
        if (had.layers[k].name != asked.layers[k].name) return "the name of layer '" + had.layers[k].name + "'";
        if (had.layers[k].share != asked.layers[k].share) return "layers." + had.layers[k].name + ".share";
    }
    return {};
}

}  // namespace

std::string built_in_difference(const LayersSettings& had, const LayersSettings& asked,
                                const std::vector<std::string>& joints) {
    const Flesh &a = had.flesh, &b = asked.flesh;
    if (a.mode != b.mode) return "mode";
    if (a.resolution != b.resolution) return "resolution";
    if (a.region_width != b.region_width) return "region_width";
    if (a.primary != b.primary) return "primary";
    if (a.mask != b.mask) return "mask";
    if (had.weights != asked.weights || had.max_influences != asked.max_influences) return "weights";
    for (const std::string& joint : joints) {
        const JointFlesh x = flesh_at(a, joint), y = flesh_at(b, joint);
        if (x.bone_width != y.bone_width) return "bone_width (at '" + joint + "')";
        if (x.muscle != y.muscle) return "muscle (at '" + joint + "')";
    }
    return layer_difference(a, b);
}

bool same_calibration(const Flesh& had, const Flesh& asked) {
    if (had.step != asked.step || had.layers.size() != asked.layers.size()) return false;
    for (std::size_t k = 0; k < had.layers.size(); ++k)
        if (had.layers[k].frequency != asked.layers[k].frequency) return false;
    return true;
}

}  // namespace fascia
