// load_mesh: a surface without a skeleton, whatever its format.
#include <fmt/format.h>

#include "fascia/io.h"
#include "io/file_bytes.h"
#include "io/gltf_document.h"
#include "io/gltf_meshes.h"
#include "io/mesh_append.h"
#include "io/mesh_readers.h"

namespace fascia {

namespace io {

Result<Mesh> parse_gltf_mesh(std::span<const std::uint8_t> bytes, const std::string& name,
                             const std::string& base_dir) {
    MemoryBudget budget(bytes.size());
    Remarks remarks;
    auto document = read_gltf_document(bytes, name, base_dir, budget, remarks);
    if (!document) return document.error();
    const GltfContext context{name, (*document)->model, budget, remarks};
    auto scene = read_nodes(context);
    if (!scene) return scene.error();
    auto mesh = read_static_meshes(context, *scene);
    if (!mesh) return mesh.error();
    return finish_mesh(std::move(*mesh), name);
}

}  // namespace io

Result<Mesh> load_mesh(const std::string& path) {
    const std::string extension = io::lower_extension(path), name = io::file_name_of(path);
    const bool gltf = extension == ".glb" || extension == ".gltf" || extension == ".vrm";
    if (!gltf && extension != ".obj" && extension != ".ply" && extension != ".off") {
        return input_error(fmt::format("{}: only .obj, .ply, .off, .glb, .gltf and .vrm meshes are read.", path));
    }
    auto bytes = io::read_file(path);
    if (!bytes) return bytes.error();
    const std::string_view text{reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    if (extension == ".obj") return io::parse_obj(text, name);
    if (extension == ".ply") return io::parse_ply(text, name);
    if (extension == ".off") return io::parse_off(text, name);
    return io::parse_gltf_mesh(*bytes, name, io::folder_of(path));
}

void add_attached(Character& character, const Mesh& mesh, const std::string& name) {
    Part part;
    part.name = name;
    io::append_part(mesh, part, character.attached);
}

}  // namespace fascia
