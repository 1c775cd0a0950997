// GLB with the baked surface: every frame is a morph target (displacements from the rest shape, in scene space), and
// one clip plays the targets and the nodes. The surface has no skin, since glTF would skin the morphed mesh once more.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "io/frame_writer.h"
#include "io/glb_writer_data.h"
#include "io/glb_writer_motion.h"
#include "io/glb_writer_scene.h"

namespace fascia::io {
namespace {

using nlohmann::json;

constexpr double largest_file = 200e6;
// Bytes of JSON that one more target costs: two accessors with bounds, and their entries in the primitive; tangents add
// to this.
constexpr double json_per_target = 450, json_per_tangent_target = 120;

/// A run of vertices that becomes one primitive.
struct BakedPart {
    std::size_t first = 0, count = 0;  ///< of the surfaces that are baked
    std::size_t in_frame = 0;          ///< where it begins in a frame
    int mesh = 0, primitive = 0;       ///< in the file that is written
    bool has_tangents = false;
    std::vector<int> positions;  ///< [frames] accessors
    std::vector<int> normals;
    std::vector<int> tangents;  ///< empty without tangents
};

class GlbWriter final : public CheckedFrameWriter {
public:
    GlbWriter(const std::string& path, const Character& character, const BakeInfo& info,
              std::unique_ptr<AtomicFile> file, std::unique_ptr<ScratchFile> scratch)
        : CheckedFrameWriter(path, character, info),
          file_(std::move(file)),
          data_(std::move(scratch)),
          scene_(make_glb_scene(character, data_)),
          motion_(character),
          rest_positions_(character.mesh.positions),
          rest_normals_(unit_normals(character.mesh.normals)),
          rest_tangents_(info.tangents ? unit_tangents(character.mesh.tangents) : std::vector<Vec4>()) {
        const std::vector<Vec3> normals = unit_normals(character.attached.normals);
        rest_positions_.insert(rest_positions_.end(), character.attached.positions.begin(),
                               character.attached.positions.end());
        rest_normals_.insert(rest_normals_.end(), normals.begin(), normals.end());
        add_surface(character);
        constant_bytes_ = static_cast<double>(data_.size());
        targets_view_ = data_.add_view(data_.size(), targets_size(), ViewUse::vertices, 12);
    }

    /// Bytes of the whole file, within a percent or so.
    double expected_size() const {
        const auto frames = static_cast<double>(info().frames);
        double json_per_frame = 0;
        for (const BakedPart& part : parts_)
            json_per_frame += json_per_target + (part.has_tangents ? json_per_tangent_target : 0);
        return constant_bytes_ + static_cast<double>(targets_size()) + frames * json_per_frame + frames * frames * 4 +
               static_cast<double>(motion_.largest_size(info().frames));
    }

    const Status& status() const { return data_.status(); }
    std::vector<std::string> names() const override { return {file_->path()}; }

private:
    std::uint64_t targets_size() const {
        std::uint64_t vectors = 0;
        for (const BakedPart& part : parts_) vectors += std::uint64_t{part.count} * (part.has_tangents ? 3 : 2);
        return info().frames * vectors * sizeof(Vec3);
    }

    void add_surface(const Character& character) {
        json& meshes = scene_.root["meshes"];
        for (const MeshNodeRange& range : mesh_node_ranges(character)) {
            if (range.mesh == &character.rigid) continue;
            const int mesh = static_cast<int>(meshes.size());
            meshes.push_back({{"name", range.name}, {"primitives", json::array()}});
            for (const Part* part : range.parts) add_part(character, *range.mesh, *part, mesh);
            const int node = range.mesh == &character.attached ? add_still_node(range.name, scene_)
                                                               : make_still_node(character, range.node, scene_);
            scene_.root["nodes"][static_cast<std::size_t>(node)]["mesh"] = mesh;
            still_nodes_.push_back(node);
        }
    }

    void add_part(const Character& character, const Mesh& of, const Part& part, int mesh) {
        const bool attached = &of == &character.attached;
        BakedPart baked;
        baked.first = static_cast<std::size_t>(part.first_vertex) + (attached ? character.mesh.vertex_count() : 0);
        baked.in_frame = static_cast<std::size_t>(part.first_vertex) + first_vertex_of(of, character);
        baked.count = static_cast<std::size_t>(part.vertex_count);
        baked.mesh = mesh;
        json primitive = attached ? make_attached_primitive(character, part, data_)
                                  : make_skinned_primitive(character, part, scene_, data_);
        const std::span<const Vec3> positions = std::span(rest_positions_).subspan(baked.first, baked.count);
        const std::span<const Vec3> normals = std::span(rest_normals_).subspan(baked.first, baked.count);
        primitive["attributes"]["POSITION"] = data_.add_vectors(positions, ViewUse::vertices, true);
        primitive["attributes"]["NORMAL"] = data_.add_vectors(normals, ViewUse::vertices, false);
        baked.has_tangents = !attached && !rest_tangents_.empty() && has_tangents(part, scene_);
        if (baked.has_tangents)
            primitive["attributes"]["TANGENT"] =
                data_.add_tangents(std::span(rest_tangents_).subspan(baked.first, baked.count));
        json& primitives = scene_.root["meshes"][static_cast<std::size_t>(mesh)]["primitives"];
        baked.primitive = static_cast<int>(primitives.size());
        primitives.push_back(std::move(primitive));
        parts_.push_back(std::move(baked));
    }

    Status write_frame(const BakedSurface& surface, const Pose& pose) override {
        for (BakedPart& part : parts_) {
            part.positions.push_back(add_target(surface.positions, rest_positions_, part, true));
            part.normals.push_back(add_target(surface.normals, rest_normals_, part, false));
            if (part.has_tangents) part.tangents.push_back(add_target(surface.tangents, rest_tangents_, part, false));
        }
        motion_.add_frame(pose);
        return data_.status();
    }

    /// Tangents are displaced in x, y, z; their fourth number, the handedness, cannot be.
    template <class Vector>
    int add_target(std::span<const Vector> now, const std::vector<Vector>& rest, const BakedPart& part, bool bounds) {
        displacements_.clear();
        for (std::size_t v = 0; v < part.count; ++v) {
            const Vector &to = now[part.in_frame + v], &from = rest[part.first + v];
            displacements_.push_back({to.x - from.x, to.y - from.y, to.z - from.z});
        }
        GlbAccessor accessor;
        accessor.view = targets_view_;
        accessor.offset = data_.append(displacements_.data(), displacements_.size() * sizeof(Vec3)) - targets_start();
        accessor.count = part.count;
        accessor.type = "VEC3";
        if (bounds) set_bounds(accessor);
        return data_.add_accessor(std::move(accessor));
    }

    std::uint64_t targets_start() const { return static_cast<std::uint64_t>(constant_bytes_); }

    void set_bounds(GlbAccessor& accessor) const {
        if (displacements_.empty()) return;
        Vec3 low = displacements_[0], high = low;
        for (const Vec3& d : displacements_) {
            low = {std::min(low.x, d.x), std::min(low.y, d.y), std::min(low.z, d.z)};
            high = {std::max(high.x, d.x), std::max(high.y, d.y), std::max(high.z, d.z)};
        }
        accessor.min = {low.x, low.y, low.z};
        accessor.max = {high.x, high.y, high.z};
    }

    Status close() override {
        for (const BakedPart& part : parts_) {
            json& targets = scene_.root["meshes"][static_cast<std::size_t>(part.mesh)]["primitives"]
                                       [static_cast<std::size_t>(part.primitive)]["targets"];
            for (std::size_t k = 0; k < part.positions.size(); ++k) {
                json target = {{"POSITION", part.positions[k]}, {"NORMAL", part.normals[k]}};
                if (part.has_tangents) target["TANGENT"] = part.tangents[k];
                targets.push_back(std::move(target));
            }
        }
        add_clip();
        Status written = write_glb(scene_, data_, *file_);
        forget();
        return written ? file_->seal() : written;
    }

    /// A bake of many motions keeps many sealed files until its end: none may hold on to memory or a scratch file.
    void forget() {
        scene_ = {};
        motion_ = {};
        data_ = GlbData(nullptr);
        for (std::vector<Vec3>* list : {&rest_positions_, &rest_normals_, &displacements_}) *list = {};
        rest_tangents_ = {};
        parts_ = {};
    }

    Status put_in_place() override { return file_->publish(); }

    void add_clip() {
        std::vector<float> times;
        for (std::size_t k = 0; k < info().frames; ++k) times.push_back(static_cast<float>(seconds(k)));
        const int input = data_.add_floats(times, "SCALAR", 1, ViewUse::other, true);
        json animation = {{"name", "baked"}, {"channels", json::array()}, {"samplers", json::array()}};
        add_weights(input, animation);
        motion_.add_channels(scene_, data_, still_nodes_, input, animation);
        scene_.root["animations"] = json::array({std::move(animation)});
    }

    /// Frame k has weight 1 for target k; in between two neighbours share it, so that the surface moves smoothly.
    void add_weights(int input, json& animation) {
        const std::size_t frames = info().frames;
        std::vector<float> row(frames, 0.0f);
        GlbAccessor accessor;
        accessor.count = frames * frames;
        const std::uint64_t start = data_.size();
        for (std::size_t k = 0; k < frames; ++k) {
            row[k] = 1;
            data_.append(row.data(), row.size() * sizeof(float));
            row[k] = 0;
        }
        accessor.view = data_.add_view(start, data_.size() - start, ViewUse::other);
        const int output = data_.add_accessor(std::move(accessor));
        for (const int node : still_nodes_)
            animation["channels"].push_back({{"sampler", 0}, {"target", {{"node", node}, {"path", "weights"}}}});
        animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    }

    std::unique_ptr<AtomicFile> file_;
    GlbData data_;
    GlbScene scene_;
    NodeMotion motion_;
    std::vector<Vec3> rest_positions_, rest_normals_, displacements_;
    std::vector<Vec4> rest_tangents_;  ///< empty where none are written
    std::vector<BakedPart> parts_;
    std::vector<int> still_nodes_;
    double constant_bytes_ = 0;
    int targets_view_ = -1;
};

}  // namespace

OpenedWriter open_glb_writer(const std::string& path, const Character& character, const BakeInfo& info) {
    auto file = AtomicFile::create(path);
    if (!file) return file.error();
    auto scratch = ScratchFile::create(path);
    if (!scratch) return scratch.error();
    auto writer = std::make_unique<GlbWriter>(path, character, info, std::move(*file), std::move(*scratch));
    if (!writer->status()) return writer->status().error();
    if (writer->expected_size() > largest_file)
        return output_error(fmt::format(
            "could not write {}: {} frames would make it about {:.0f} MB, and a GLB may have 200 MB; use fewer frames "
            "per second (--fps), a shorter range (--from, --to), or .pc2",
            path, info.frames, writer->expected_size() / 1e6));
    return std::unique_ptr<FrameWriter>(std::move(writer));
}

}  // namespace fascia::io
