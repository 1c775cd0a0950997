// A 64-bit hash of bytes (FNV-1a over words): the same on every machine, for golden tests and file checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fascia {

class Hasher {
public:
    void bytes(const void* data, std::size_t size) {
        const auto* p = static_cast<const unsigned char*>(data);
        for (; size >= 8; p += 8, size -= 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            mix(word);
        }
        std::uint64_t rest = size;
        for (std::size_t i = 0; i < size; ++i) rest = (rest << 8) | p[i];
        mix(rest);
    }
    template <class T>
    void values(std::span<const T> v) {
        bytes(v.data(), v.size_bytes());
    }
    std::uint64_t value() const { return state_; }

private:
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x100000001b3ull;
        state_ ^= state_ >> 29;
    }
    std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace fascia
