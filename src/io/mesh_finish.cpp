#include "character/mesh_normals.h"
#include "io/mesh_readers.h"

namespace fascia::io {

void append_polygon(std::span<const std::uint32_t> corners, std::vector<std::uint32_t>& triangles) {
    for (std::size_t i = 2; i < corners.size(); ++i)
        triangles.insert(triangles.end(), {corners[0], corners[i - 1], corners[i]});
}

Result<Mesh> finish_mesh(Mesh&& mesh, const std::string& name) {
    if (mesh.triangles.empty())
        return input_error(name + ": there are no faces in this file; nothing can be deformed.");
    make_missing_normals(mesh);
    if (mesh.parts.empty()) {
        Part part;
        part.name = name.substr(0, name.rfind('.'));
        part.vertex_count = static_cast<int>(mesh.vertex_count());
        part.triangle_count = static_cast<int>(mesh.triangle_count());
        mesh.parts.push_back(std::move(part));
    }
    return std::move(mesh);
}

}  // namespace fascia::io
