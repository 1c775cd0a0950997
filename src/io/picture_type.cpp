#include "io/picture_type.h"

#include <cstring>
#include <string_view>

namespace fascia::io {

std::string picture_type(std::span<const std::uint8_t> bytes, const std::string& declared) {
    const auto begins = [&](std::string_view magic, std::size_t at = 0) {
        return bytes.size() >= at + magic.size() && std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
    };
    if (begins("\x89PNG")) return "image/png";
    if (begins("\xFF\xD8\xFF")) return "image/jpeg";
    if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
    if (begins("\xABKTX 20\xBB")) return "image/ktx2";
    return declared;
}

}  // namespace fascia::io
