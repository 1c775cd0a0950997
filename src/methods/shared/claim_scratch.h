// Scratch channels in which places without a point read as zero.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "base/workspace.h"

namespace fascia {

/// How points lie in channels: two bodies of the same tag leave the same places empty.
struct LayoutTag {
    std::uint64_t hash = 0, stride = 0;
};
struct ScratchArray {
    std::size_t index = 0, size = 0;  ///< number of the workspace's array, floats
};

/// Empty places stay zero while one layout uses these arrays of the workspace; when another comes along they are
/// cleared. owner: number of the array that remembers whose they are.
inline void claim_scratch(Workspace& work, std::size_t owner, const LayoutTag& tag,
                          std::initializer_list<ScratchArray> arrays) {
    float* last = work.impl().array(owner, sizeof(LayoutTag) / sizeof(float)).data();
    if (std::memcmp(last, &tag, sizeof tag) == 0) return;
    for (const ScratchArray& a : arrays) {
        Floats& array = work.impl().array(a.index, a.size);
        std::fill(array.begin(), array.end(), 0.0f);
    }
    // Arrays move as others are added.
    std::memcpy(work.impl().array(owner, sizeof(LayoutTag) / sizeof(float)).data(), &tag, sizeof tag);
}

}  // namespace fascia
