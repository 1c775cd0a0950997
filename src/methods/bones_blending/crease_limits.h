// Zones show no crease: where blending would fold the surface sharper than plain skinning does, it is lowered.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/character.h"

namespace fascia {

/// The folds of a surface (edges between two triangles) near zones, and how sharp each may be: at the border of a zone
/// little sharper than plain skinning makes it; where a zone fades also as sharp as the zone alone does, short of a
/// slit. Where a zone works alone, its folds are the method's own affair.
class CreaseLimits {
public:
    /// attached: [vertices], alike where vertices lie at one place
    CreaseLimits(const Mesh& mesh, std::span<const Attachment> attached);

    /// One more pose to look at: the surface with plain skinning, and with zones that do not fade. [vertices] each
    void add_pose(std::span<const Vec3> plain, std::span<const Vec3> whole);

    /// Lowers fades until no fold is too sharp in any of the poses. attached: as above
    void lower(std::span<Attachment> attached) const;

private:
    /// Vertices are counted among those near zones only. corners: the edge's two ends, then what lies across it.
    struct Fold {
        std::array<std::uint32_t, 3> first, second;  ///< triangles
        std::array<std::uint32_t, 4> corners;
    };
    struct Moved {
        Vec3 plain, by;  ///< by: from plain skinning to the place that the zone alone would give
    };
    struct Limit {
        float border, inside;  ///< least cosine between the normals, for folds at the border of a zone or inside it
    };
    bool is_too_sharp(std::size_t fold, std::span<const float> fade) const;
    bool is_inside(const Fold& fold, std::span<const float> fade) const;
    bool works_alone(const Fold& fold, std::span<const float> fade) const;
    std::vector<std::uint32_t> sharp_places(std::span<const std::uint32_t> folds, std::span<const float> fade) const;
    void ease_around(std::vector<std::uint32_t>& places, std::span<float> gain) const;

    std::vector<std::uint32_t> vertices_;  ///< [near] numbers in the mesh
    std::vector<int> joints_;              ///< [near] that a vertex turns with
    std::vector<std::uint32_t> places_;    ///< [near] the same number where vertices lie together
    std::vector<Fold> folds_;
    std::vector<std::vector<std::uint32_t>> folds_at_;  ///< [places]
    std::vector<std::vector<std::uint32_t>> beside_;    ///< [places] those at the other end of an edge
    std::vector<Moved> moved_;                          ///< [poses * near]
    std::vector<Limit> least_cosine_;                   ///< [poses * folds]
};

}  // namespace fascia
