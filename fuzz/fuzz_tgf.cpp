// TGF skeletons from memory.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "fascia/rig_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto skeleton = fascia::parse_tgf({reinterpret_cast<const char*>(data), size}, "fuzz.tgf");
    if (!skeleton) {
        if (skeleton.error().message.empty()) std::abort();
        return 0;
    }
    if (skeleton->empty()) std::abort();
    for (std::size_t j = 0; j < skeleton->size(); ++j) {
        const fascia::SkeletonJoint& joint = (*skeleton)[j];
        if (joint.parent >= static_cast<int>(j) || joint.parent < -1) std::abort();
        for (const double x : {joint.position.x, joint.position.y, joint.position.z})
            if (!std::isfinite(x)) std::abort();
    }
    return 0;
}
