// Bones blending (docs/formulas.md B4): a vertex turns with one joint, by a share of the joint's rotation that grows
// along the bone.
//     v' = M_p ( c + t tau + Rot(axis, t phi) (v - c) ),    M_p the parent's map, c the joint at rest
// Applied on top of a skinned surface: only vertices between the rigid ends of a zone are touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/workspace.h"
#include "skin/joint_maps.h"
#include "skin/skin_kernels.h"

namespace fascia {

/// How one joint moves relative to its parent in one pose, seen from the rest pose: floats, so that a State can hold
/// it.
struct JointTurn {
    float axis[3] = {0, 0, 0};
    float angle = 0;                                 ///< radians, 0 to a little over pi
    float shift[3] = {0, 0, 0};                      ///< tau: how far the joint has left its place
    float stretch[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};  ///< S - I, nearly always 0
};
constexpr std::size_t turn_floats = sizeof(JointTurn) / sizeof(float);

/// The turn of a joint from the two joints' maps (pose * inverse(rest)), the parent's inverted. Near half a turn both
/// directions are equally right: the one that continues `last` is taken (null: the first frame).
JointTurn joint_turn(const Affine& inverse_parent_map, const Affine& map, Vec3d joint_at_rest, const JointTurn* last);

/// A vertex of a zone.
struct BlendedVertex {
    std::uint32_t vertex = 0;
    float t = 0, fade = 1;
};

/// A joint with the vertices that it turns.
struct BlendedJoint {
    std::uint32_t joint = 0, parent = 0;
    Vec3d at;  ///< rest
    std::vector<BlendedVertex> vertices;
};

/// 16 vertices of one joint: consecutive in the mesh, scattered, or with some fading into the skinned surface (at_end:
/// including the last vertex of the surface).
enum class BlendKind : std::uint16_t { row, scattered, faded, faded_at_end };
struct BlendBlock {
    std::uint16_t owner = 0;
    BlendKind kind = BlendKind::scattered;
};

struct BlendSource {
    std::span<const Vec3> positions, normals;  ///< [vertices], or empty normals
    std::span<const Vec4> tangents;            ///< [vertices] or empty
    std::span<const Affine> rest;              ///< [joints]
};

class BonesBlending {
public:
    BonesBlending() = default;
    BonesBlending(const BlendSource& surface, std::span<const BlendedJoint> joints);

    std::size_t joint_count() const { return joints_.size(); }
    std::size_t vertex_count() const { return vertices_; }

    /// turns: [joint_count()], on entry those of `last`, the pose of the previous frame (empty in the first frame); on
    /// return those of this pose. Joints that have not moved since keep theirs.
    void find_turns(std::span<const Affine> pose, std::span<const Affine> last, std::span<JointTurn> turns) const;

    /// Moves the vertices of the zones; `out` holds the skinned surface.
    void apply(std::span<const Affine> pose, std::span<const JointTurn> turns, const Surface& out,
               Workspace& work) const;

private:
    struct Joint {
        std::uint32_t joint, parent;
        Vec3d at;
    };
    void add_block(const BlendSource& surface, Vec3d at, std::span<const BlendedVertex> vertices);

    std::vector<Joint> joints_;
    std::vector<Affine> inverse_rest_;    ///< [joints of the character]
    std::vector<std::uint32_t> indices_;  ///< [blocks * 16] the last vertex repeated
    std::vector<BlendBlock> blocks_;
    Floats positions_, normals_, tangents_, shares_;
    std::size_t vertices_ = 0;
};

/// What the kernel reads about a joint.
struct BlendFrame {
    float turn[3][9];         ///< M_p, M_p [axis], M_p [axis]^2: the linear part is turn0 + sin turn1 + (1 - cos) turn2
    float normal_turn[3][9];  ///< the same with the cofactors of M_p, for normals where it scales unevenly
    float half_angle;
    float at[3];                    ///< the joint in the scene, about `origin`
    float shift[3];                 ///< M_p tau
    float stretch[9], cofactor[9];  ///< S - I and cof(S) - I
    bool stretched, even;
    bool rigid;  ///< normals stay unit
};

struct BlendTask {
    const std::uint32_t* indices = nullptr;
    const BlendBlock* blocks = nullptr;
    const BlendFrame* frames = nullptr;
    const float* shares = nullptr;     ///< [blocks * 32] t[16], fade[16]
    const float* positions = nullptr;  ///< [blocks * 48] about the joint, or null
    const float* normals = nullptr;    ///< [blocks * 48] or null
    const float* tangents = nullptr;   ///< [blocks * 48] or null
    float origin[3] = {0, 0, 0};       ///< added to positions last
    float* out_positions = nullptr;    ///< [vertices * 3]
    float* out_normals = nullptr;      ///< [vertices * 3]
    float* out_tangents = nullptr;     ///< [vertices * 4]
};
FASCIA_DECLARE_KERNEL(void blend_blocks(const BlendTask& task, std::size_t begin, std::size_t end))

}  // namespace fascia
