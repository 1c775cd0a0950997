// What our writers make of a character that was just read, as bytes: a bake of a frame or two, and the character
// itself.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "fascia/io.h"
#include "support/small_character.h"

namespace fascia::test {

using FileBytes = std::vector<std::uint8_t>;

/// In memory where the system has such a place: fuzzers write many files.
inline std::string scratch_name() {
    const std::string folder =
        std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    return folder + "/fascia_baked_" + std::to_string(getpid()) + ".glb";
}

/// The file's bytes; it is removed.
inline FileBytes taken_from(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    FileBytes bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return bytes;
}

inline bool all_finite(const Frame& frame) {
    for (const auto* list : {&frame.positions, &frame.normals})
        for (const Vec3& v : *list)
            if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
    return true;
}

/// No value where the writer refused, which is never wrong.
inline std::optional<FileBytes> baked_bytes(const Character& character) {
    const Clip* clip = character.clips.empty() ? nullptr : &character.clips.front();
    BakeInfo info;
    info.frames = clip ? 2 : 1;
    info.tangents = !character.mesh.tangents.empty();
    const std::string path = scratch_name();
    auto writer = open_writer(path, character, info);
    if (!writer) return std::nullopt;
    for (std::size_t k = 0; k < info.frames; ++k) {
        const Frame frame = skinned_frame(character, clip, 0.5 * static_cast<double>(k));
        const std::span<const Vec4> tangents =
            info.tangents ? std::span(character.mesh.tangents) : std::span<const Vec4>();
        if (!all_finite(frame) || !(*writer)->frame({frame.positions, frame.normals, tangents}, frame.pose))
            return std::nullopt;
    }
    if (!(*writer)->finish()) return std::nullopt;
    return taken_from(path);
}

inline std::optional<FileBytes> written_bytes(const Character& character) {
    const std::string path = scratch_name();
    if (!write_character(path, character)) return std::nullopt;
    return taken_from(path);
}

}  // namespace fascia::test
