#include "io/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace fascia::io {

namespace {

/// GLB counts bytes in 32 bits, and no character comes near that.
constexpr std::uintmax_t largest_file = 4'000'000'000;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<Bytes> read_file(const std::string& path) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) return input_error(fmt::format("{}: there is no such file.", path));
    if (!std::filesystem::is_regular_file(status)) return input_error(fmt::format("{}: this is not a file.", path));
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code) return input_error(fmt::format("{}: cannot be read: {}.", path, code.message()));
    if (size == 0) return input_error(fmt::format("{}: the file is empty.", path));
    if (size > largest_file) return input_error(fmt::format("{}: larger than 4 GB; split it.", path));

    std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) return input_error(fmt::format("{}: cannot be opened: {}.", path, std::strerror(errno)));
    Bytes bytes(size);
    const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file.get());
    if (got == 0) return input_error(fmt::format("{}: cannot be read: {}.", path, std::strerror(errno)));
    bytes.resize(got);
    return bytes;
}

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string file_name_of(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string lower_extension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    return extension;
}

std::string anatomy_beside(const std::string& path) {
    return path.substr(0, path.size() - lower_extension(path).size()) + ".anatomy.json";
}

}  // namespace fascia::io
