// How the header of a rig or state file lies in its bytes, for tests that damage it on purpose.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hash.h"

namespace fascia::test {

inline constexpr std::size_t version_at = 8, checksum_at = 16, content_at = 32;

/// Corrects the checksum, so that damage gets past it.
inline void mend_checksum(std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < content_at) return;
    const std::uint64_t size = bytes.size() - content_at;
    Hasher hasher;
    hasher.bytes(bytes.data() + content_at, bytes.size() - content_at);
    const std::uint64_t sum = hasher.value();
    std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
    std::memcpy(bytes.data() + checksum_at + 8, &size, sizeof size);
}

}  // namespace fascia::test
