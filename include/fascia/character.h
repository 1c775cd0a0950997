// Character: the contents of a file after it has been read, checked and repaired. Plain data, open to everyone.
//
// Space: everything is in scene space and scene units. The rest shape is the bind pose; joints[j].rest is the
// joint's world matrix in that pose, so that plain skinning is  v' = sum_j w_j (pose_j * inverse(rest_j)) v
// for a world matrix pose_j, exactly as the file's own inverse bind matrices would give it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/math.h"

FASCIA_API_BEGIN
namespace fascia {

/// One node of the scene graph. Parents come before children in Character::nodes.
struct Node {
    std::string name;
    int parent = -1;  ///< index in Character::nodes, -1 for a root
    int source = -1;  ///< index of this node in the file, -1 if there is none
    Vec3d translation;
    Quat rotation;
    Vec3d scale{1, 1, 1};
    std::optional<Affine> matrix;  ///< set only where the file gives a sheared matrix; then it replaces T, R, S
};

/// One column of the skinning palette: a node with a known rest matrix. Two joints share a node only where several
/// skins of one file disagree about its rest.
struct Joint {
    std::string name;  ///< never empty; made unique by the reader
    int node = -1;     ///< index in Character::nodes
    int parent = -1;   ///< nearest ancestor that is a joint of the same skin family, -1 for a root; parents come first
    int tree = 0;      ///< the same for all joints of one connected tree
    Affine rest;       ///< world matrix in the rest pose, scene units
    Vec3d tail;        ///< where the bone ends in the rest pose, world: its child, or a guess for a leaf
};

/// A run of triangles with one material: one primitive of one mesh node.
struct Part {
    std::string name;
    int node = -1;      ///< the mesh node it belongs to, in Character::nodes
    int mesh = -1;      ///< index of the mesh in the file
    int primitive = 0;  ///< index of the primitive in its mesh
    int material = -1;  ///< index in Character::materials
    int skin = -1;      ///< index of the skin in the file; -1 for a rigid part
    int first_vertex = 0, vertex_count = 0;
    int first_triangle = 0, triangle_count = 0;
};

struct Material {
    std::string name;
    Vec4 base_color{0.8f, 0.8f, 0.8f, 1};  ///< linear
    int texture = -1;                      ///< index in Character::textures, -1 for none
    bool double_sided = false;
    float alpha_cutoff = 0;  ///< anything with less alpha than this is cut out (pictures only); 0: opaque
};

/// An image as stored in the file (PNG, JPEG or WebP bytes), not decoded.
struct Texture {
    std::string name, mime;
    std::vector<std::uint8_t> bytes;
};

/// Vertex arrays of all parts, one after another. Optional arrays are either empty or have one entry per vertex.
struct Mesh {
    std::vector<Vec3> positions;           ///< [vertices] rest, scene space
    std::vector<Vec3> normals;             ///< [vertices] unit; made by the reader where the file has none
    std::vector<Vec4> tangents;            ///< [vertices] or empty; w = handedness
    std::vector<Vec2> uvs;                 ///< [vertices] or empty
    std::vector<Vec4> colors;              ///< [vertices] or empty; COLOR_0, linear
    std::vector<Vec4> mask_colors;         ///< [vertices] or empty; COLOR_1, for masks
    std::vector<std::uint32_t> triangles;  ///< [triangles * 3]
    std::vector<Part> parts;

    std::size_t vertex_count() const { return positions.size(); }
    std::size_t triangle_count() const { return triangles.size() / 3; }
};

/// Weights of the skinned vertices: `influences` slots per vertex, largest first, adding up to 1; unused slots are (0,
/// 0).
struct SkinWeights {
    int influences = 0;                 ///< 4 or 8
    std::vector<std::uint16_t> joints;  ///< [vertices * influences] index in Character::joints
    std::vector<float> weights;         ///< [vertices * influences]
};

/// One animated property of one node.
struct Channel {
    enum class Path { translation, rotation, scale };
    enum class Interpolation { step, linear, cubic };
    int node = -1;  ///< index in Character::nodes
    Path path = Path::rotation;
    Interpolation interpolation = Interpolation::linear;
    std::vector<float> times;   ///< [keys] ascending, seconds
    std::vector<float> values;  ///< [keys * n], cubic: [keys * 3 * n]; n = 3, or 4 for rotations as x, y, z, w
};

struct Clip {
    std::string name;
    double duration = 0;  ///< time of the last key, seconds
    std::vector<Channel> channels;
};

/// Something the reader found and what it did about it, counted and named for `fascia info`.
struct Remark {
    std::string code;  ///< short and stable, e.g. "weights-renormalised"
    std::string text;  ///< one sentence for a person
    std::size_t count = 0;
};

/// The humanoid bones of a VRM (hips, leftUpperLeg ...) and the node of each.
struct HumanoidBone {
    std::string bone;
    int node = -1;
};

/// The file behind a character, kept so that a baked GLB can pass on whatever Fascia does not interpret. Opaque here.
struct FASCIA_INSIDE SourceDocument;

/// What lies under the skin (fascia/anatomy_scene.h).
struct AnatomyScene;

struct Character {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Joint> joints;
    Mesh mesh;            ///< the skinned surface: what is deformed
    SkinWeights weights;  ///< for every vertex of `mesh`
    Mesh rigid;           ///< mesh nodes without a skin, in their own node's space: they follow it, unsimulated
    Mesh attached;        ///< further meshes that ride along (add_attached), in scene space as they lie at rest
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<Clip> clips;
    std::vector<HumanoidBone> humanoid;  ///< empty unless the file is a VRM
    std::vector<Remark> remarks;
    std::shared_ptr<const SourceDocument> document;  ///< null for generated characters
    std::shared_ptr<const AnatomyScene> scene;       ///< null without a NAME.anatomy.json beside the file

    /// Longest side of the rest bounding box of the skinned surface, in scene units.
    double size() const;
};

}  // namespace fascia
FASCIA_API_END
