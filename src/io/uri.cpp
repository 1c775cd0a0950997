#include "io/uri.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace fascia::io {

namespace {

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

bool decode_base64(std::string_view text, Bytes& out) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int held = 0;
    for (char c : text) {
        if (c == '\n' || c == '\r') continue;
        const int digit = base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            out.push_back(static_cast<std::uint8_t>(bits >> held));
        }
    }
    return true;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string percent_decoded(std::string_view uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool escaped =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        if (escaped) {
            out.push_back(static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2])));
            i += 2;
        } else {
            out.push_back(uri[i]);
        }
    }
    return out;
}

Result<UriBytes> read_data_uri(std::string_view uri, const std::string& what) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos)
        return input_error(what + " has a data URI without a comma; export the file again.");
    std::string_view head = uri.substr(5, comma - 5);
    UriBytes out;
    out.mime = std::string(head.substr(0, head.find(';')));
    const bool base64 = head.size() >= 7 && head.substr(head.size() - 7) == ";base64";
    if (!base64) {
        const std::string text = percent_decoded(uri.substr(comma + 1));
        out.bytes.assign(text.begin(), text.end());
    } else if (!decode_base64(uri.substr(comma + 1), out.bytes)) {
        return input_error(what + " has a data URI that is not base64; export the file again.");
    }
    return out;
}

}  // namespace

std::string file_of_uri(std::string_view uri) {
    if (uri.substr(0, 5) == "data:") return {};
    const std::string path = percent_decoded(uri);
    const bool elsewhere =
        path.find("://") != std::string::npos || path.substr(0, 1) == "/" || path.find('\0') != std::string::npos;
    return elsewhere ? std::string() : path;
}

Result<UriBytes> read_uri(std::string_view uri, const std::string& base_dir, const std::string& what) {
    if (uri.substr(0, 5) == "data:") return read_data_uri(uri, what);
    const std::string path = file_of_uri(uri);
    if (path.empty()) {
        return input_error(
            fmt::format("{} is at '{}'; only files beside the glTF are read.", what, percent_decoded(uri)));
    }
    if (base_dir.empty()) {
        return input_error(fmt::format("{} is in the file '{}', and no folder was given to look for it.", what, path));
    }
    auto bytes = read_file(base_dir + "/" + path);
    if (!bytes) return input_error(fmt::format("{} is missing: {}", what, bytes.error().message));
    return UriBytes{std::move(*bytes), {}, true};
}

}  // namespace fascia::io
