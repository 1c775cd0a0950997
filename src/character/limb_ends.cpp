#include "character/limb_ends.h"

#include "character/continuing_child.h"

namespace fascia {

Anatomy with_limb_ends(Anatomy anatomy, const JointTree& skeleton) {
    const std::vector<int> next = continuing_children(skeleton.positions, skeleton.parents);
    for (auto* limbs : {&anatomy.arms, &anatomy.legs})
        for (Limb& limb : *limbs)
            if (limb.is_found() && limb[limb_end] < 0 && limb[limb_tip] < 0)
                limb.joints[limb_end] = next[limb[limb_lower]];
    return anatomy;
}

}  // namespace fascia
