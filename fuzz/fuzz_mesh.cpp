// OBJ, PLY and OFF, distinguished by how the text begins.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fascia/io.h"
#include "io/mesh_readers.h"

namespace {

fascia::Result<fascia::Mesh> parse(std::string_view text) {
    if (text.substr(0, 3) == "ply") return fascia::io::parse_ply(text, "fuzz.ply");
    if (text.find("OFF") < 3) return fascia::io::parse_off(text, "fuzz.off");
    return fascia::io::parse_obj(text, "fuzz.obj");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto mesh = parse({reinterpret_cast<const char*>(data), size});
    if (!mesh) {
        if (mesh.error().message.empty()) std::abort();
        return 0;
    }
    const std::size_t n = mesh->vertex_count();
    if (mesh->normals.size() != n || (!mesh->uvs.empty() && mesh->uvs.size() != n) ||
        (!mesh->colors.empty() && mesh->colors.size() != n))
        std::abort();
    for (std::uint32_t v : mesh->triangles)
        if (v >= n) std::abort();
    const fascia::MeshCheck check = check_mesh(*mesh);
    if (check.welded_vertices > n || check.closed_components > check.components) std::abort();
    return 0;
}
