#include "character/skin_parts.h"

namespace fascia {

std::vector<int> parts_of_nodes(const Character& character, const CharacterRest& rest, const Anatomy& anatomy) {
    std::vector<int> starts(character.nodes.size(), -1);
    const auto start = [&](int joint, int part) {
        if (joint >= 0) starts[rest.nodes[joint]] = part;
    };
    for (int s = 0; s < 2; ++s) {
        start(anatomy.arms[s][limb_upper], left_upper_arm + s);
        start(anatomy.arms[s][limb_lower], left_elbow + s);
        start(anatomy.arms[s][limb_end], left_hand + s);
        start(anatomy.legs[s][limb_upper], left_thigh + s);
        start(anatomy.legs[s][limb_lower], left_knee + s);
        start(anatomy.legs[s][limb_end], left_foot + s);
        start(anatomy.legs[s][limb_tip], left_foot + s);
    }
    std::vector<int> parts(character.nodes.size(), trunk);
    for (std::size_t n = 0; n < parts.size(); ++n) {
        const int parent = character.nodes[n].parent;
        parts[n] = starts[n] >= 0 ? starts[n] : parent >= 0 ? parts[parent] : static_cast<int>(trunk);
    }
    return parts;
}

}  // namespace fascia
