// Which sort of picture some bytes are.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fascia::io {

/// "image/png", "image/jpeg", "image/webp" or "image/ktx2" by the first bytes; `declared` if these do not tell.
std::string picture_type(std::span<const std::uint8_t> bytes, const std::string& declared);

}  // namespace fascia::io
