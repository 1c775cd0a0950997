// What all frame writers share: the checks of a frame, the axes, the mesh nodes in file order, safe names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fascia/io.h"

namespace fascia::io {

/// Checks every frame before a format sees it, counts frames, and refuses to finish after a failure.
class CheckedFrameWriter : public FrameWriter {
public:
    CheckedFrameWriter(std::string path, const Character& character, const BakeInfo& info);

    Status frame(const BakedSurface& surface, const Pose& pose) final;
    Status seal() final;
    Status publish() final;

protected:
    virtual Status write_frame(const BakedSurface& surface, const Pose& pose) = 0;
    /// Writes what is left, and seals the files.
    virtual Status close() = 0;
    virtual Status put_in_place() = 0;

    const std::string& path() const { return path_; }
    const BakeInfo& info() const { return info_; }
    std::size_t vertex_count() const { return vertices_; }
    /// Frames written before the one now being written.
    std::size_t frame_index() const { return done_; }
    double seconds(std::size_t frame) const { return static_cast<double>(frame) / info_.fps; }
    /// A scene-space point or direction in the requested axes.
    Vec3 in_axes(Vec3 v) const { return info_.blender_axes ? Vec3{v.x, -v.z, v.y} : v; }

private:
    Status check(const BakedSurface& surface, const Pose& pose) const;

    std::string path_;
    BakeInfo info_;
    std::size_t vertices_ = 0, tangents_ = 0, nodes_ = 0, done_ = 0;
    bool closed_ = false, in_place_ = false;
    Status state_ = ok_status();
};

/// The vertices of one mesh node: a run in the order of Character::mesh, rigid, attached.
struct MeshNodeRange {
    std::string name;  ///< of the node; safe in file names, unique among the ranges
    int node = -1;     ///< -1 for an attached mesh
    std::size_t first = 0, count = 0;
    std::vector<const Part*> parts;  ///< of `mesh`, in order
    const Mesh* mesh = nullptr;
};
std::vector<MeshNodeRange> mesh_node_ranges(const Character& character);
/// Where the vertices of one of the character's meshes begin in a frame, and how many a frame has.
std::size_t first_vertex_of(const Mesh& mesh, const Character& character);
std::size_t frame_vertices(const Character& character);

/// "walk.pc2" and "Body" give "walk.Body.pc2".
std::string with_node_name(const std::string& path, const std::string& node);

/// Appends _2, _3 ... to names that are already taken.
class UniqueNames {
public:
    std::string add(const std::string& wanted);

private:
    std::vector<std::string> taken_;
};

// One function per format to open a writer, which copies what it needs of `character`.
using OpenedWriter = Result<std::unique_ptr<FrameWriter>>;
OpenedWriter open_pc2_writer(const std::string& path, const Character& character, const BakeInfo& info);
OpenedWriter open_mdd_writer(const std::string& path, const Character& character, const BakeInfo& info);
OpenedWriter open_obj_writer(const std::string& path, const Character& character, const BakeInfo& info);
OpenedWriter open_usd_writer(const std::string& path, const Character& character, const BakeInfo& info);
OpenedWriter open_glb_writer(const std::string& path, const Character& character, const BakeInfo& info);

}  // namespace fascia::io
