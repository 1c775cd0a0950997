#include "io/glb_container.h"

#include <algorithm>

#include <fmt/format.h>

namespace fascia::io {

namespace {

constexpr std::uint32_t magic_gltf = 0x46546C67, chunk_json = 0x4E4F534A, chunk_binary = 0x004E4942;
constexpr std::size_t header_bytes = 12, chunk_header_bytes = 8;

std::uint32_t word(std::span<const std::uint8_t> bytes, std::size_t at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | static_cast<std::uint32_t>(bytes[at + 3]) << 24;
}

std::string_view as_text(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The JSON chunk is padded with spaces; some writers pad with zeros.
std::string_view without_padding(std::string_view text) {
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    return text;
}

std::span<const std::uint8_t> without_byte_order_mark(std::span<const std::uint8_t> bytes) {
    const bool marked = bytes.size() >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF;
    return marked ? bytes.subspan(3) : bytes;
}

}  // namespace

Result<GltfChunks> split_glb(std::span<const std::uint8_t> bytes, const std::string& name) {
    GltfChunks out;
    if (bytes.size() < 4 || word(bytes, 0) != magic_gltf) {
        out.json = as_text(without_byte_order_mark(bytes));
        return out;
    }
    out.is_binary = true;
    const auto cut_short = [&] {
        return input_error(
            fmt::format("{}: the file is cut short ({} bytes); copy or download it again.", name, bytes.size()));
    };
    if (bytes.size() < header_bytes + chunk_header_bytes) return cut_short();
    if (word(bytes, 4) != 2) {
        return input_error(fmt::format("{}: this is glTF version {}; only version 2 is read.", name, word(bytes, 4)));
    }
    if (word(bytes, 8) > bytes.size()) return cut_short();

    std::size_t at = header_bytes;
    while (bytes.size() - at >= chunk_header_bytes) {
        const std::size_t size = word(bytes, at);
        const std::uint32_t kind = word(bytes, at + 4);
        at += chunk_header_bytes;
        if (size > bytes.size() - at) return cut_short();
        if (kind == chunk_json && out.json.empty()) out.json = without_padding(as_text(bytes.subspan(at, size)));
        if (kind == chunk_binary && out.binary.empty()) out.binary = bytes.subspan(at, size);
        // Chunks are padded to four bytes; the last one may lack its padding.
        at = std::min(bytes.size(), at + (size + 3) / 4 * 4);
    }
    if (out.json.empty()) return input_error(fmt::format("{}: this GLB has no JSON chunk.", name));
    return out;
}

}  // namespace fascia::io
