// Scratch channels in which slots without a point read as zero.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "fascia/method.h"

namespace fascia {

/// Identifies a layout of points in channels: two bodies with the same tag leave the same slots empty.
struct LayoutTag {
    std::uint64_t hash = 0, stride = 0;
    bool operator==(const LayoutTag&) const = default;
};

struct ClaimedArray {
    Floats& array;
    std::size_t size;  ///< floats
};

/// Empty slots stay zero as long as one layout uses these arrays; when another one takes over, they are cleared.
/// `owner` records the layout that uses them.
inline void claim(LayoutTag& owner, const LayoutTag& tag, std::initializer_list<ClaimedArray> arrays) {
    if (owner == tag) return;
    for (const ClaimedArray& a : arrays) a.array.assign(std::max(a.size, a.array.size()), 0.0f);
    owner = tag;
}

}  // namespace fascia
