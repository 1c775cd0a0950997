// BVH from memory.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "fascia/io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto motion = fascia::parse_bvh({reinterpret_cast<const char*>(data), size}, "fuzz.bvh");
    if (!motion) {
        if (motion.error().message.empty()) std::abort();
        return 0;
    }
    if (motion->frame_count() == 0 || motion->translations.size() != motion->rotations.size()) std::abort();
    for (std::size_t j = 0; j < motion->joints.size(); ++j)
        if (motion->joints[j].parent >= static_cast<int>(j)) std::abort();
    for (const fascia::Quat& q : motion->rotations)
        if (!(std::abs(dot(q, q) - 1) < 1e-6)) std::abort();
    return 0;
}
