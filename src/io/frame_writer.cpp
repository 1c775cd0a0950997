#include "io/frame_writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/ascii.h"

namespace fascia::io {
namespace {

bool is_finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::string safe_file_name(const std::string& name, int source) {
    std::string safe;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool unsafe = byte < 0x20 || byte == 0x7f || std::string("/\\:*?\"<>|").find(c) != std::string::npos;
        safe += unsafe ? '_' : c;
    }
    if (safe.empty() || safe == "." || safe == "..") return fmt::format("node{}", source);
    return safe;
}

void add_ranges(const Character& character, const Mesh& mesh, std::size_t offset, std::vector<MeshNodeRange>& ranges) {
    const std::size_t begin = ranges.size();
    for (const Part& part : mesh.parts) {
        const std::size_t first = offset + static_cast<std::size_t>(part.first_vertex);
        const bool same = ranges.size() > begin && ranges.back().node == part.node && part.node >= 0 &&
                          ranges.back().first + ranges.back().count == first;
        if (!same) ranges.push_back({{}, part.node, first, 0, {}, &mesh});
        ranges.back().count += static_cast<std::size_t>(part.vertex_count);
        ranges.back().parts.push_back(&part);
    }
    for (std::size_t r = begin; r < ranges.size(); ++r) {
        const int node = ranges[r].node;
        if (node < 0 && !ranges[r].parts[0]->name.empty()) {
            ranges[r].name = safe_file_name(ranges[r].parts[0]->name, node);
            continue;
        }
        const bool known = node >= 0 && static_cast<std::size_t>(node) < character.nodes.size();
        const std::string name = known ? character.nodes[static_cast<std::size_t>(node)].name : std::string();
        const int source = known ? character.nodes[static_cast<std::size_t>(node)].source : node;
        ranges[r].name = safe_file_name(name, source >= 0 ? source : node);
    }
}

}  // namespace

CheckedFrameWriter::CheckedFrameWriter(std::string path, const Character& character, const BakeInfo& info)
    : path_(std::move(path)),
      info_(info),
      vertices_(frame_vertices(character)),
      tangents_(info.tangents ? character.mesh.tangents.size() : 0),
      nodes_(character.nodes.size()) {}

Status CheckedFrameWriter::check(const BakedSurface& surface, const Pose& pose) const {
    const auto& [positions, normals, tangents] = surface;
    if (closed_) return usage_error("no frame can be added to " + path_ + ": it is finished");
    if (done_ >= info_.frames)
        return usage_error(fmt::format("{} was opened for {} frames, and one more came", path_, info_.frames));
    if (positions.size() != vertices_ || normals.size() != vertices_)
        return usage_error(fmt::format("a frame of {} needs {} positions and as many normals, not {} and {}", path_,
                                       vertices_, positions.size(), normals.size()));
    if (tangents.size() != tangents_)
        return usage_error(fmt::format("a frame of {} needs {} tangents, not {}", path_, tangents_, tangents.size()));
    if (pose.nodes.size() != nodes_)
        return usage_error(
            fmt::format("a frame of {} needs the pose of {} nodes, not {}", path_, nodes_, pose.nodes.size()));
    for (std::size_t v = 0; v < vertices_; ++v) {
        if (!is_finite(positions[v]) || !is_finite(normals[v]))
            return input_error(
                fmt::format("could not write {}: vertex {} of frame {} is not a finite number; check the character's "
                            "scale and the motion",
                            path_, v, done_));
    }
    for (std::size_t v = 0; v < tangents_; ++v) {
        if (!is_finite({tangents[v].x, tangents[v].y, tangents[v].z}))
            return input_error(
                fmt::format("could not write {}: tangent {} of frame {} is not a finite number; check the character's "
                            "scale and the "
                            "motion",
                            path_, v, done_));
    }
    return ok_status();
}

Status CheckedFrameWriter::frame(const BakedSurface& surface, const Pose& pose) {
    if (!state_) return state_;
    state_ = check(surface, pose);
    if (state_) state_ = write_frame(surface, pose);
    if (state_) ++done_;
    return state_;
}

Status CheckedFrameWriter::seal() {
    if (!state_ || closed_) return state_;
    if (done_ != info_.frames)
        return usage_error(fmt::format("{} was opened for {} frames, and {} came", path_, info_.frames, done_));
    closed_ = true;
    return state_ = close();
}

Status CheckedFrameWriter::publish() {
    if (Status sealed = seal(); !sealed) return sealed;
    if (in_place_) return state_;
    in_place_ = true;
    return state_ = put_in_place();
}

std::vector<MeshNodeRange> mesh_node_ranges(const Character& character) {
    std::vector<MeshNodeRange> ranges;
    add_ranges(character, character.mesh, 0, ranges);
    add_ranges(character, character.rigid, first_vertex_of(character.rigid, character), ranges);
    add_ranges(character, character.attached, first_vertex_of(character.attached, character), ranges);
    UniqueNames names;
    for (MeshNodeRange& range : ranges) range.name = names.add(range.name);
    return ranges;
}

std::size_t first_vertex_of(const Mesh& mesh, const Character& character) {
    if (&mesh == &character.mesh) return 0;
    const std::size_t skinned = character.mesh.vertex_count();
    return &mesh == &character.rigid ? skinned : skinned + character.rigid.vertex_count();
}

std::size_t frame_vertices(const Character& character) {
    return character.mesh.vertex_count() + character.rigid.vertex_count() + character.attached.vertex_count();
}

std::string with_node_name(const std::string& path, const std::string& node) {
    const std::filesystem::path whole(path);
    const std::string name = whole.stem().string() + "." + node + whole.extension().string();
    return (whole.parent_path() / name).string();
}

std::string UniqueNames::add(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; std::find(taken_.begin(), taken_.end(), name) != taken_.end(); ++n)
        name = wanted + "_" + std::to_string(n);
    taken_.push_back(name);
    return name;
}

}  // namespace fascia::io

namespace fascia {

Result<std::unique_ptr<FrameWriter>> open_writer(const std::string& path, const Character& character,
                                                 const BakeInfo& info) {
    if (info.frames == 0) return usage_error("there is no frame to write to " + path + ": check --from and --to");
    if (!(info.fps > 0) || !std::isfinite(info.fps))
        return usage_error("the frames per second of " + path + " must be above 0");
    if (info.frames > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return usage_error("there are too many frames for " + path + ": use fewer per second or a shorter range");
    std::string named = path;
    while (named.size() > 1 && named.back() == '/')
        named.pop_back();  // left by the shell when it completes a folder name
    std::string extension = std::filesystem::path(named).extension().string();
    for (char& c : extension) c = ascii::lower(c);
    if (extension == ".glb") return io::open_glb_writer(path, character, info);
    if (extension == ".pc2") return io::open_pc2_writer(path, character, info);
    if (extension == ".mdd") return io::open_mdd_writer(path, character, info);
    if (extension == ".usda") return io::open_usd_writer(path, character, info);
    if (extension == ".obj") return io::open_obj_writer(named, character, info);
    return usage_error("the format of " + path + " is not known: use .glb, .pc2, .mdd, .usda or .obj (a folder)");
}

}  // namespace fascia
