// OBJ: a folder with one numbered file per frame. Texture coordinates and faces are the same text in every frame.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "io/frame_writer.h"

namespace fascia::io {
namespace {

/// OBJ names end at white space.
std::string word(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    return text.empty() ? "_" : text;
}

void append_uvs(const Mesh& mesh, fmt::memory_buffer& text) {
    // If only some of the meshes have them, the others get (0, 1), so that the indices of v, vt and vn agree.
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const Vec2 uv = mesh.uvs.empty() ? Vec2{} : mesh.uvs[v];
        fmt::format_to(std::back_inserter(text), "vt {} {}\n", uv.x, 1.0f - uv.y);  // glTF counts v from the top
    }
}

void append_faces(const Mesh& mesh, const Part& part, std::size_t first_vertex, bool uvs, fmt::memory_buffer& text) {
    const auto begin = static_cast<std::size_t>(part.first_triangle) * 3;
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(part.triangle_count) * 3; i += 3) {
        text.push_back('f');
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t v = first_vertex + mesh.triangles[i + c] + 1;
            if (uvs)
                fmt::format_to(std::back_inserter(text), " {}/{}/{}", v, v, v);
            else
                fmt::format_to(std::back_inserter(text), " {}//{}", v, v);
        }
        text.push_back('\n');
    }
}

/// Everything after the positions and normals of a frame.
fmt::memory_buffer constant_text(const Character& character) {
    fmt::memory_buffer text;
    const Mesh* const meshes[] = {&character.mesh, &character.rigid, &character.attached};
    const bool uvs = std::any_of(std::begin(meshes), std::end(meshes), [](const Mesh* m) { return !m->uvs.empty(); });
    if (uvs)
        for (const Mesh* mesh : meshes) append_uvs(*mesh, text);
    for (const MeshNodeRange& range : mesh_node_ranges(character)) {
        fmt::format_to(std::back_inserter(text), "o {}\n", word(range.name));
        for (const Part* part : range.parts) {
            if (part->material >= 0 && static_cast<std::size_t>(part->material) < character.materials.size())
                fmt::format_to(std::back_inserter(text), "usemtl {}\n",
                               word(character.materials[static_cast<std::size_t>(part->material)].name));
            append_faces(*range.mesh, *part, first_vertex_of(*range.mesh, character), uvs, text);
        }
    }
    return text;
}

class ObjWriter final : public CheckedFrameWriter {
public:
    ObjWriter(const std::string& path, const Character& character, const BakeInfo& info,
              std::unique_ptr<AtomicFolder> folder)
        : CheckedFrameWriter(path, character, info), folder_(std::move(folder)), constant_(constant_text(character)) {}

    std::vector<std::string> names() const override { return {folder_->path()}; }

private:
    Status write_frame(const BakedSurface& surface, const Pose&) override {
        text_.clear();
        for (const Vec3& p : surface.positions) append("v", in_axes(p));
        for (const Vec3& n : surface.normals) append("vn", in_axes(n));
        const std::string name = fmt::format("{:05}.obj", frame_index());
        auto file = AtomicFile::create(folder_->inside(name));
        if (!file) return named(file.error(), name);
        for (const fmt::memory_buffer* part : {&text_, &constant_})
            if (Status written = (*file)->write(part->data(), part->size()); !written)
                return named(written.error(), name);
        if (Status published = (*file)->publish(); !published) return named(published.error(), name);
        return ok_status();
    }

    Status close() override { return ok_status(); }  // every frame is on the disk
    Status put_in_place() override { return folder_->publish(); }

    void append(const char* keyword, Vec3 v) {
        fmt::format_to(std::back_inserter(text_), "{} {} {} {}\n", keyword, v.x, v.y, v.z);
    }

    /// The error with the name that the user knows instead of the temporary one.
    Error named(Error error, const std::string& name) const {
        const std::string inside = folder_->inside(name);
        if (const std::size_t at = error.message.find(inside); at != std::string::npos)
            error.message.replace(at, inside.size(), folder_->final_name(name));
        return error;
    }

    std::unique_ptr<AtomicFolder> folder_;
    fmt::memory_buffer text_, constant_;
};

}  // namespace

OpenedWriter open_obj_writer(const std::string& path, const Character& character, const BakeInfo& info) {
    auto folder = AtomicFolder::create(path, ".obj");
    if (!folder) return folder.error();
    return std::unique_ptr<FrameWriter>(std::make_unique<ObjWriter>(path, character, info, std::move(*folder)));
}

}  // namespace fascia::io
