// Rigs and states in files; the methods define what the bytes mean.
#include "fascia/io.h"
#include "io/file_bytes.h"

namespace fascia {

Status write_file_atomically(const std::string& path, std::span<const std::uint8_t> bytes) {
    const Result<std::unique_ptr<Output>> file = stage_file(path, bytes);
    if (!file) return file.error();
    return (*file)->publish();
}

Status write_rig(const std::string& path, const Rig& rig) {
    const Result<std::vector<std::uint8_t>> bytes = save_rig(rig);
    if (!bytes) return bytes.error();
    return write_file_atomically(path, *bytes);
}

Result<RigPtr> read_rig(const std::string& path, const std::string& method) {
    const Result<std::vector<std::uint8_t>> bytes = io::read_file(path);
    if (!bytes) return bytes.error();
    return load_rig(*bytes, path, method);
}

Status write_state(const std::string& path, const Rig& rig, const State& state) {
    const std::vector<std::uint8_t> bytes = save_state(rig, state);
    if (bytes.empty()) return usage_error("the state does not belong to this rig; save it with the rig that made it");
    return write_file_atomically(path, bytes);
}

Result<State> read_state(const std::string& path, const Rig& rig) {
    const Result<std::vector<std::uint8_t>> bytes = io::read_file(path);
    if (!bytes) return bytes.error();
    return load_state(rig, *bytes, path);
}

}  // namespace fascia
