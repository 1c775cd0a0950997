// A surface that is skinned: bound once, then positions, normals and tangents for any pose.
#pragma once

#include <span>
#include <vector>

#include "base/workspace.h"
#include "skin/cell_carriers.h"
#include "skin/joint_maps.h"
#include "skin/packed_skin.h"

namespace fascia {

/// What both kinds of skinning keep of the rest pose.
struct RestFrame {
    Vec3 centre;                       ///< of the rest surface; vectors are stored about it
    std::vector<Affine> inverse_rest;  ///< [joints] centred
    std::vector<Vec3d> pivots;         ///< [joints] at rest, about the centre

    RestFrame() = default;
    RestFrame(std::span<const Vec3> positions, std::span<const Affine> rest);
    std::size_t joint_count() const { return inverse_rest.size(); }
};

/// Carries a skinned surface further, block by block while it is still in the cache: each vertex v becomes v + M v,
/// where M is blended from the rows of the points that carry it.
struct Carry {
    SkinBlocks blocks;                 ///< of PackedBlocks for the same vertices
    const float* rows = nullptr;       ///< [points * row_floats]
    Vec3 origin;                       ///< added to positions last
    const CellCarry* cells = nullptr;  ///< instead of the above: vertices are in cells whose corners move
};

/// Linear blend skinning.
class LbsSurface {
public:
    LbsSurface() = default;
    LbsSurface(const SkinSource& source, std::span<const Affine> rest);

    std::size_t vertex_count() const { return blocks_.vertices; }
    std::size_t unweighted() const { return unweighted_; }

    /// From now on blocks whose vertices are all written elsewhere are not skinned. elsewhere: [vertices]
    void leave_out(std::span<const std::uint8_t> elsewhere);

    /// Spans of `out` that are too short, or that the source did not have, are left alone.
    void skin(std::span<const Affine> pose, const Surface& out, Workspace& work, const Carry* carry = nullptr) const;

private:
    RestFrame rest_;
    PackedBlocks blocks_;
    Floats positions_, normals_, tangents_;
    std::vector<float> handedness_;  ///< [vertices] w of the tangents
    std::size_t unweighted_ = 0;
};

/// Dual quaternion skinning; scale and shear of joints are blended linearly first.
class DqsSurface {
public:
    DqsSurface() = default;
    DqsSurface(const SkinSource& source, std::span<const Affine> rest);

    std::size_t vertex_count() const { return blocks_.vertices; }
    std::size_t unweighted() const { return unweighted_; }

    /// sides: [joints * 4] w, x, y, z of a rotation near each joint's own, whose sign its quaternion adopts; without
    /// them each joint takes the shorter arc from a vertex's strongest joint.
    void skin(std::span<const Affine> pose, const Surface& out, Workspace& work, std::span<const float> sides = {},
              const Carry* carry = nullptr) const;

private:
    struct Vectors {
        Floats rigid;    ///< as the DQS kernel reads them
        Floats stretch;  ///< as the LBS kernel reads them, for poses with scale
    };
    Vectors pack(std::span<const Vec3> vectors, float fourth) const;
    const float* stretched(const Vectors& vectors, std::span<const float> rows, bool are_positions,
                           Workspace& work) const;

    RestFrame rest_;
    std::vector<SignedPair> pairs_;
    PackedBlocks blocks_;          ///< entries are pairs
    PackedBlocks stretch_blocks_;  ///< entries are joints
    Vectors positions_, normals_, tangents_;
    std::vector<float> handedness_;
    std::size_t unweighted_ = 0;
};

}  // namespace fascia
