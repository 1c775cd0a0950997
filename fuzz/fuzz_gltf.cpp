// glTF, GLB and VRM from memory, as a character and as a plain mesh.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fascia/io.h"
#include "io/glb_container.h"
#include "io/mesh_readers.h"
#include "support/baked_bytes.h"
#include "support/glb_validity.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

/// What the rest of the library relies on: violating it is as bad as a crash.
void require(bool condition) {
    if (!condition) std::abort();
}

void check_mesh_arrays(const fascia::Mesh& mesh) {
    const std::size_t n = mesh.vertex_count();
    require(mesh.normals.size() == n);
    require(mesh.uvs.empty() || mesh.uvs.size() == n);
    require(mesh.colors.empty() || mesh.colors.size() == n);
    require(mesh.tangents.empty() || mesh.tangents.size() == n);
    for (std::uint32_t v : mesh.triangles) require(v < n);
    for (const fascia::Vec3& p : mesh.positions)
        require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
}

void check_character(const fascia::Character& c) {
    check_mesh_arrays(c.mesh);
    check_mesh_arrays(c.rigid);
    const auto slots = static_cast<std::size_t>(c.weights.influences);
    require(slots == 4 || slots == 8);
    require(c.weights.weights.size() == c.mesh.vertex_count() * slots);
    for (std::uint16_t joint : c.weights.joints) require(joint < c.joints.size());
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (std::size_t i = v * slots; i < (v + 1) * slots; ++i) sum += c.weights.weights[i];
        require(std::abs(sum - 1) < 1e-4);
    }
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        require(c.joints[j].parent < static_cast<int>(j) && is_invertible(c.joints[j].rest) &&
                !c.joints[j].name.empty());
        require(std::isfinite(c.joints[j].tail.x) && std::isfinite(c.joints[j].tail.y) &&
                std::isfinite(c.joints[j].tail.z));
    }
    for (std::size_t n = 0; n < c.nodes.size(); ++n) require(c.nodes[n].parent < static_cast<int>(n));
    for (const fascia::Material& m : c.materials) require(m.texture < static_cast<int>(c.textures.size()));
    for (const fascia::Clip& clip : c.clips) {
        for (const fascia::Channel& channel : clip.channels) require(channel.node >= 0 && !channel.times.empty());
    }
}

void report(const std::vector<std::string>& flaws) {
    for (const std::string& flaw : flaws) std::fprintf(stderr, "written: %s\n", flaw.c_str());
    require(flaws.empty());
}

void put_word(std::uint8_t* at, std::size_t value) {
    for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto character = fascia::load_character_from_memory({data, size}, "fuzz.glb");
    if (character) {
        check_character(*character);
        // What can be read can be baked and written, and that is valid.
        for (const auto& output : {fascia::test::baked_bytes(*character), fascia::test::written_bytes(*character)})
            if (output) report(fascia::test::GlbValidity::flaws(*output));
    } else {
        require(!character.error().message.empty());
    }
    auto mesh = fascia::io::parse_gltf_mesh({data, size}, "fuzz.glb", "");
    if (mesh) check_mesh_arrays(*mesh);
    return 0;
}

/// A GLB consists of two chunks with their lengths. One chunk is mutated and the lengths are corrected, so that the
/// change gets past the container.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    const auto chunks = fascia::io::split_glb({data, size}, "");
    constexpr std::size_t headers = 12 + 8 + 8;
    const bool whole = !chunks || !chunks->is_binary || size + headers + 8 > max_size || seed % 16 == 0;
    if (whole) return LLVMFuzzerMutate(data, size, max_size);

    std::vector<std::uint8_t> json(chunks->json.begin(), chunks->json.end()),
        binary(chunks->binary.begin(), chunks->binary.end());
    const std::size_t room = max_size - headers - 8 - json.size() - binary.size();
    std::vector<std::uint8_t>& part = seed % 3 == 0 && !binary.empty() ? binary : json;
    const std::size_t old = part.size();
    part.resize(old + room);
    part.resize(LLVMFuzzerMutate(part.data(), old, part.size()));
    while (json.size() % 4 != 0) json.push_back(' ');
    while (binary.size() % 4 != 0) binary.push_back(0);

    const std::size_t total = headers + json.size() + binary.size();
    if (total > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, "glTF\2\0\0\0", 8);
    put_word(data + 8, total);
    put_word(data + 12, json.size());
    std::memcpy(data + 16, "JSON", 4);
    std::copy(json.begin(), json.end(), data + 20);
    std::uint8_t* tail = data + 20 + json.size();
    put_word(tail, binary.size());
    std::memcpy(tail + 4, "BIN\0", 4);
    std::copy(binary.begin(), binary.end(), tail + 8);
    return total;
}
