// What tells rigs apart: a hash of everything that bind has built.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/hash.h"

namespace fascia {

/// Of a rig whose save_content, apart from what a retune may change, is `built`. Never 0.
inline std::uint64_t fingerprint_of(std::string_view method, std::span<const std::uint8_t> built) {
    Hasher hasher;
    hasher.bytes(method.data(), method.size());
    hasher.values(built);
    return hasher.value() != 0 ? hasher.value() : 1;
}

}  // namespace fascia
