// Files in, files out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/method.h"
#include "fascia/output.h"
#include "fascia/pose.h"
#include "fascia/result.h"
#include "fascia/settings.h"

FASCIA_API_BEGIN
namespace fascia {

/// Reads .glb, .gltf or .vrm with at least one skin. What was repaired is in Character::remarks.
Result<Character> load_character(const std::string& path);

/// The same from memory; `base_dir` is where external buffers are looked for (empty: refused).
Result<Character> load_character_from_memory(std::span<const std::uint8_t> bytes, const std::string& name,
                                             const std::string& base_dir = {});

/// Reads .obj, .ply or .off (or any mesh of a glTF) without a skeleton.
Result<Mesh> load_mesh(const std::string& path);

/// Adds a mesh from another file to Character::attached as a part of this name, so that writers and pictures know about
/// it; attach() (fascia/method.h) makes it move.
void add_attached(Character& character, const Mesh& mesh, const std::string& name);

/// The files that reading `path` reads: itself and, for a glTF, the buffers and pictures that it names.
std::vector<std::string> files_of(const std::string& path);

/// Reads a .bvh.
Result<Motion> load_motion(const std::string& path);
Result<Motion> parse_bvh(std::string_view text, const std::string& name);

/// Facts about a mesh's topology, counted after welding equal positions.
struct MeshCheck {
    std::size_t welded_vertices = 0, components = 0, closed_components = 0;
    std::size_t border_edges = 0, nonmanifold_edges = 0, degenerate_triangles = 0, unreferenced_vertices = 0;
    std::size_t overlapping_components = 0;  ///< components whose closed surfaces lie inside or across one another
    double signed_volume = 0;                ///< of the closed components, scene units cubed
};
MeshCheck check_mesh(const Mesh& mesh);

/// What a bake writes, frame by frame. Frames are not kept in memory, and a bake that fails leaves no file behind.
struct BakeInfo {
    double fps = 60;
    std::size_t frames = 0;
    bool split = false;         ///< PC2 and MDD: one file per mesh node
    bool blender_axes = false;  ///< (x, -z, y) instead of glTF axes
    bool tangents = false;      ///< GLB: frames come with tangents, and the file keeps the mesh's own
};

/// The surfaces of one frame in scene space: the vertices of Character::mesh, then rigid, then attached.
struct BakedSurface {
    std::span<const Vec3> positions, normals;  ///< [skinned + rigid + attached vertices]
    std::span<const Vec4> tangents = {};       ///< [skinned vertices] with BakeInfo::tangents
};

/// One open output file. Frames must come in order; `finish`, or `seal` and `publish`, puts it in place.
class FrameWriter : public Output {
public:
    /// `pose`: the nodes at this frame.
    virtual Status frame(const BakedSurface& surface, const Pose& pose) = 0;
};

/// Opens a writer chosen by the extension of `path`: .glb .pc2 .mdd .usda .obj (a folder).
Result<std::unique_ptr<FrameWriter>> open_writer(const std::string& path, const Character& character,
                                                 const BakeInfo& info);

/// Writes the character itself with skeleton, weights and clips.
Status write_character(const std::string& path, const Character& character);
/// The same without putting it in place yet.
Result<std::unique_ptr<Output>> stage_character(const std::string& path, const Character& character);

/// Writes the bytes to a temporary file beside `path`, then renames it: `path` is either complete or unchanged.
Status write_file_atomically(const std::string& path, std::span<const std::uint8_t> bytes);

/// A bound rig, or an instance of one, in a file (save_rig, save_state), written complete or not at all.
Status write_rig(const std::string& path, const Rig& rig);
Result<RigPtr> read_rig(const std::string& path, const std::string& method = {});
Status write_state(const std::string& path, const Rig& rig, const State& state);
Result<State> read_state(const std::string& path, const Rig& rig);

/// Reads a flesh file; fields it does not name keep the values of `base`.
Result<Flesh> load_flesh(const std::string& path, const Flesh& base);
Result<Flesh> parse_flesh(std::string_view text, const std::string& name, const Flesh& base);
std::string flesh_to_json(const Flesh& flesh);
/// Every method with its abilities, stages and settings: "methods" of docs/schemas/info.schema.json.
std::string methods_to_json();

/// Reads NAME.anatomy.json; load_character does so where it finds one beside a character.
Result<AnatomyScene> load_anatomy(const std::string& path);
Result<AnatomyScene> parse_anatomy(std::string_view text, const std::string& name);
/// The text of such a file; reading it back gives the same bits.
std::string anatomy_to_json(const AnatomyScene& scene);
/// Checks that the character has every joint that the scene names; the error suggests the nearest one.
Status check_anatomy(const AnatomyScene& scene, const Character& character);

/// The values of a flesh's mask, [vertices] 0..1, from a vertex colour channel ("COLOR_1.r") or from a grey PNG or JPEG
/// in UV space (brightness as stored, (0, 0) at the top left, repeated). Can serve as the MaskReader of BindInputs.
Result<std::vector<float>> load_mask(const std::string& mask, const Character& character);

}  // namespace fascia
FASCIA_API_END
