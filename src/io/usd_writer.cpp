// USD as text: one Mesh per part with points and normals over time. The text holds all frames of a part together,
// whereas frames arrive with all parts at once: the samples wait in a scratch file and are put in order at the end.
#include <iterator>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/atomic_file.h"
#include "io/frame_writer.h"

namespace fascia::io {
namespace {

/// USD prim names are identifiers.
std::string identifier(const std::string& name, const char* fallback) {
    std::string id;
    for (const char c : name) {
        id += ascii::is_letter(c) || ascii::is_digit(c) ? c : '_';
    }
    if (id.empty()) return fallback;
    return ascii::is_digit(id[0]) ? "_" + id : id;
}

template <class List, class Append>
void append_list(fmt::memory_buffer& text, const List& list, Append append) {
    text.push_back('[');
    bool first = true;
    for (const auto& item : list) {
        if (!first) text.append(std::string_view(", "));
        first = false;
        append(item);
    }
    text.push_back(']');
}

void append_vec3(fmt::memory_buffer& text, Vec3 v) {
    fmt::format_to(std::back_inserter(text), "({}, {}, {})", v.x, v.y, v.z);
}

struct Extent {
    Vec3 low, high;
};

/// One part of the character as one Mesh prim.
struct UsdPart {
    std::size_t first = 0, count = 0;  ///< vertices in a frame
    std::string head;                  ///< the prim's text up to its time samples
    struct Piece {
        std::uint64_t offset = 0, size = 0;
    };
    std::vector<Piece> points, normals;  ///< [frames] where each sample lies in the scratch file
    std::vector<Extent> extents;         ///< [frames]
};

/// Vertex colours times the material's colour, or the material's colour alone.
void append_colors(const Character& character, const Mesh& mesh, const Part& part, fmt::memory_buffer& text) {
    Vec4 base{1, 1, 1, 1};
    if (part.material >= 0 && static_cast<std::size_t>(part.material) < character.materials.size())
        base = character.materials[static_cast<std::size_t>(part.material)].base_color;
    std::vector<Vec3> colors{{base.x, base.y, base.z}};
    if (!mesh.colors.empty()) {
        colors.clear();
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            const Vec4 c = mesh.colors[static_cast<std::size_t>(v)];
            colors.push_back({base.x * c.x, base.y * c.y, base.z * c.z});
        }
    }
    text.append(std::string_view("        color3f[] primvars:displayColor = "));
    append_list(text, colors, [&](Vec3 c) { append_vec3(text, c); });
    fmt::format_to(std::back_inserter(text), " (\n            interpolation = \"{}\"\n        )\n",
                   mesh.colors.empty() ? "constant" : "vertex");
}

void append_uvs(const Mesh& mesh, const Part& part, fmt::memory_buffer& text) {
    if (mesh.uvs.empty()) return;
    const std::span<const Vec2> uvs(mesh.uvs.data() + part.first_vertex, static_cast<std::size_t>(part.vertex_count));
    text.append(std::string_view("        texCoord2f[] primvars:st = "));
    // glTF counts v from the top, USD from the bottom.
    append_list(text, uvs, [&](Vec2 uv) { fmt::format_to(std::back_inserter(text), "({}, {})", uv.x, 1.0f - uv.y); });
    text.append(std::string_view(" (\n            interpolation = \"vertex\"\n        )\n"));
}

std::string part_head(const Character& character, const Mesh& mesh, const Part& part, const std::string& name) {
    fmt::memory_buffer text;
    const bool double_sided = part.material >= 0 &&
                              static_cast<std::size_t>(part.material) < character.materials.size() &&
                              character.materials[static_cast<std::size_t>(part.material)].double_sided;
    fmt::format_to(std::back_inserter(text),
                   "    def Mesh \"{}\"\n    {{\n        uniform bool doubleSided = {}\n"
                   "        uniform token subdivisionScheme = \"none\"\n        int[] faceVertexCounts = ",
                   name, double_sided ? 1 : 0);
    append_list(text, std::vector<int>(static_cast<std::size_t>(part.triangle_count), 3),
                [&](int n) { fmt::format_to(std::back_inserter(text), "{}", n); });
    text.append(std::string_view("\n        int[] faceVertexIndices = "));
    const std::span<const std::uint32_t> corners(mesh.triangles.data() + std::ptrdiff_t{part.first_triangle} * 3,
                                                 static_cast<std::size_t>(part.triangle_count) * 3);
    append_list(text, corners, [&](std::uint32_t v) {
        fmt::format_to(std::back_inserter(text), "{}", v - static_cast<std::uint32_t>(part.first_vertex));
    });
    text.push_back('\n');
    append_colors(character, mesh, part, text);
    append_uvs(mesh, part, text);
    return fmt::to_string(text);
}

std::vector<UsdPart> make_parts(const Character& character) {
    std::vector<UsdPart> parts;
    UniqueNames names;
    for (const MeshNodeRange& range : mesh_node_ranges(character)) {
        const std::size_t offset = first_vertex_of(*range.mesh, character);
        for (const Part* part : range.parts) {
            UsdPart usd;
            usd.first = offset + static_cast<std::size_t>(part->first_vertex);
            usd.count = static_cast<std::size_t>(part->vertex_count);
            usd.head = part_head(character, *range.mesh, *part, names.add(identifier(range.name, "mesh")));
            parts.push_back(std::move(usd));
        }
    }
    return parts;
}

class UsdWriter final : public CheckedFrameWriter {
public:
    UsdWriter(const std::string& path, const Character& character, const BakeInfo& info,
              std::unique_ptr<AtomicFile> file, std::unique_ptr<ScratchFile> scratch)
        : CheckedFrameWriter(path, character, info),
          name_(identifier(character.name, "character")),
          file_(std::move(file)),
          scratch_(std::move(scratch)),
          parts_(make_parts(character)) {}

    std::vector<std::string> names() const override { return {file_->path()}; }

private:
    Status write_frame(const BakedSurface& surface, const Pose&) override {
        for (UsdPart& part : parts_) {
            part.extents.push_back(extent_of(surface.positions.subspan(part.first, part.count)));
            if (Status s = keep(surface.positions.subspan(part.first, part.count), part.points); !s) return s;
            if (Status s = keep(surface.normals.subspan(part.first, part.count), part.normals); !s) return s;
        }
        return ok_status();
    }

    Status keep(std::span<const Vec3> vectors, std::vector<UsdPart::Piece>& pieces) {
        text_.clear();
        append_list(text_, vectors, [&](Vec3 v) { append_vec3(text_, in_axes(v)); });
        pieces.push_back({scratch_->size(), text_.size()});
        return scratch_->write(text_.data(), text_.size());
    }

    Extent extent_of(std::span<const Vec3> points) const {
        if (points.empty()) return {};
        Extent extent{in_axes(points[0]), in_axes(points[0])};
        for (const Vec3& point : points) {
            const Vec3 p = in_axes(point);
            extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y), std::min(extent.low.z, p.z)};
            extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y), std::max(extent.high.z, p.z)};
        }
        return extent;
    }

    Status close() override {
        if (Status s = put(stage_head()); !s) return s;
        for (const UsdPart& part : parts_)
            if (Status s = put_part(part); !s) return s;
        if (Status s = put("}\n"); !s) return s;
        scratch_.reset();
        return file_->seal();
    }

    Status put_in_place() override { return file_->publish(); }

    std::string stage_head() const {
        return fmt::format(
            "#usda 1.0\n(\n    defaultPrim = \"{}\"\n    startTimeCode = 0\n    endTimeCode = {}\n"
            "    timeCodesPerSecond = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n    upAxis = \"{}\"\n)\n\n"
            "def Xform \"{}\"\n{{\n",
            name_, info().frames - 1, info().fps, info().fps, info().blender_axes ? "Z" : "Y", name_);
    }

    Status put_part(const UsdPart& part) {
        if (Status s = put(part.head); !s) return s;
        if (Status s = put_extents(part); !s) return s;
        if (Status s = put_samples("point3f[] points", part.points, ""); !s) return s;
        const char* per_vertex = " (\n            interpolation = \"vertex\"\n        )";
        if (Status s = put_samples("normal3f[] normals", part.normals, per_vertex); !s) return s;
        return put("    }\n");
    }

    Status put_extents(const UsdPart& part) {
        text_.clear();
        text_.append(std::string_view("        float3[] extent.timeSamples = {\n"));
        for (std::size_t k = 0; k < part.extents.size(); ++k) {
            fmt::format_to(std::back_inserter(text_), "            {}: [", k);
            append_vec3(text_, part.extents[k].low);
            text_.append(std::string_view(", "));
            append_vec3(text_, part.extents[k].high);
            text_.append(std::string_view("],\n"));
        }
        text_.append(std::string_view("        }\n"));
        return file_->write(text_.data(), text_.size());
    }

    /// `declaration` over time. Programs that do not play animations show the first frame: the value without a time.
    Status put_samples(const char* declaration, const std::vector<UsdPart::Piece>& pieces, const char* metadata) {
        if (Status s = put(fmt::format("        {} = ", declaration)); !s) return s;
        if (Status s = put_piece(pieces[0]); !s) return s;
        if (Status s = put(fmt::format("{}\n        {}.timeSamples = {{\n", metadata, declaration)); !s) return s;
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (Status s = put(fmt::format("            {}: ", k)); !s) return s;
            if (Status s = put_piece(pieces[k]); !s) return s;
            if (Status s = put(",\n"); !s) return s;
        }
        return put("        }\n");
    }

    Status put_piece(const UsdPart::Piece& piece) { return scratch_->copy_to(*file_, piece.offset, piece.size); }

    Status put(std::string_view text) { return file_->write(text.data(), text.size()); }

    std::string name_;
    std::unique_ptr<AtomicFile> file_;
    std::unique_ptr<ScratchFile> scratch_;
    std::vector<UsdPart> parts_;
    fmt::memory_buffer text_;
};

}  // namespace

OpenedWriter open_usd_writer(const std::string& path, const Character& character, const BakeInfo& info) {
    auto file = AtomicFile::create(path);
    if (!file) return file.error();
    auto scratch = ScratchFile::create(path);
    if (!scratch) return scratch.error();
    return std::unique_ptr<FrameWriter>(
        std::make_unique<UsdWriter>(path, character, info, std::move(*file), std::move(*scratch)));
}

}  // namespace fascia::io
