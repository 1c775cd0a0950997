// Keeps zones from showing creases: where they would fold the surface more sharply than plain skinning does, they fall
// back towards plain skinning.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/character.h"
#include "methods/bones_blending/zone_vertices.h"

namespace fascia {

/// The folds of a surface (edges between two triangles) near zones, and how sharp each may be: little sharper than
/// plain skinning makes it, except where a zone works alone, whose folds belong to the method.
///
/// Around a fold that is too sharp, a zone first stops working alone: turning only what the weights assign to its two
/// joints is nearly as smooth as plain skinning and still keeps the volume. Only where that is not enough does the zone
/// fade. Neither spreads farther than the width over which a zone fades anyway.
class CreaseLimits {
public:
    /// vertices: those of the mesh. poses: how many will be added
    CreaseLimits(const Mesh& mesh, std::span<const ZoneVertex> vertices, std::span<const BlendZone> zones,
                 std::size_t poses);

    /// The surface of one pose, [vertices] each: with plain skinning, and with zones at full strength (fade 1) whose
    /// `alone` is 0, one half and 1.
    struct Surfaces {
        std::span<const Vec3> plain, shared, half, whole;
    };
    void add_pose(const Surfaces& surfaces);

    /// Lowers `alone` and `fade` until no fold is too sharp in any of the poses. vertices: as in the constructor
    void lower(std::span<ZoneVertex> vertices) const;

private:
    /// Vertices are numbered among those near zones. corners: the edge's two ends, then the vertices opposite to it.
    struct Fold {
        std::array<std::uint32_t, 3> first, second;  ///< triangles
        std::array<std::uint32_t, 4> corners;
    };
    /// Where a vertex is: plain + fade * (by + alone * (once + alone * twice)).
    struct Path {
        Vec3 plain, by, once, twice;
    };
    struct Limit {
        float border = 0, inside = 0;  ///< least cosine between the normals, for folds at a border or inside a zone
    };
    struct Lowering;
    bool is_too_sharp(std::size_t fold, const Lowering& now) const;
    void place_vertex(std::size_t vertex, Lowering& now) const;
    struct Gain;
    bool lowers(const Fold& fold, Gain& gain, const Lowering& now) const;
    void draw_down(Gain& gain, std::vector<std::uint32_t>& changed) const;

    std::size_t poses_ = 0, added_ = 0;
    std::vector<std::uint32_t> vertices_;                 ///< [near] numbers in the mesh
    std::vector<std::uint32_t> places_;                   ///< [near] equal for vertices at the same place
    std::vector<std::vector<std::uint32_t>> near_place_;  ///< [places] the vertices there
    std::vector<Fold> folds_;
    std::vector<std::vector<std::uint32_t>> folds_at_;  ///< [places]
    std::vector<std::vector<std::uint32_t>> beside_;    ///< [places] their neighbours along edges
    std::vector<float> stiffness_;                      ///< [places]
    std::vector<Path> paths_;                           ///< [near * poses]
    std::vector<Limit> limits_;                         ///< [folds * poses]
};

}  // namespace fascia
