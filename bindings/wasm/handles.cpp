#include "handles.h"

#include <cstdio>

namespace fascia_wasm {

namespace {

// A module has a single caller: the results of the last call are kept for it here.
struct Kept {
    std::string error, text;
    std::vector<std::uint8_t> bytes;
};
Kept& kept() {
    static Kept instance;
    return instance;
}

}  // namespace

std::nullptr_t fail(const std::string& message) {
    kept().error = message;
    return nullptr;
}

const char* text(std::string value) {
    kept().text = std::move(value);
    return kept().text.c_str();
}

void keep_bytes(std::vector<std::uint8_t> value) {
    kept().bytes = std::move(value);
}

bool keep_file(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return false;
    std::fseek(file, 0, SEEK_END);
    std::vector<std::uint8_t> bytes(std::size_t(std::ftell(file)));
    std::fseek(file, 0, SEEK_SET);
    const bool whole = std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size();
    std::fclose(file);
    std::remove(path.c_str());
    keep_bytes(std::move(bytes));
    return whole;
}

}  // namespace fascia_wasm

/// Why the last call failed, in one sentence.
FASCIA_WASM const char* fascia_error() {
    return fascia_wasm::kept().error.c_str();
}
FASCIA_WASM const std::uint8_t* fascia_bytes() {
    return fascia_wasm::kept().bytes.data();
}
FASCIA_WASM std::size_t fascia_bytes_size() {
    return fascia_wasm::kept().bytes.size();
}
FASCIA_WASM void fascia_bytes_drop() {
    fascia_wasm::keep_bytes({});
}
FASCIA_WASM const char* fascia_version() {
    return FASCIA_VERSION_STRING;
}
