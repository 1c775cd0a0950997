// Keeps soft flesh from drawing out the skin like dough: edges stretched far beyond their length at rest shorten at the
// expense of their neighbours, which spreads the stretch over more skin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/fans.h"

namespace fascia::embedding {

/// Lists that grow once, to what a surface needs.
struct TautenScratch {
    std::vector<Vec3> move, area;        ///< [vertices]
    std::vector<std::uint8_t> moving;    ///< [vertices]
    std::vector<std::uint32_t> corners;  ///< moved in any round
};

class Tautening {
public:
    Tautening(std::span<const Vec3> rest, const Fans& fans);

    /// Keeps the volume that the surface encloses. If no edge is stretched too far, `surface` keeps its bits. scale: of
    /// the whole body relative to rest
    void apply(float scale, std::span<Vec3> surface, TautenScratch& scratch) const;

private:
    Vec3 pull_at(std::uint32_t corner, float scale, std::span<const Vec3> surface, float& most) const;
    Vec3 area_at(std::uint32_t corner, std::span<const Vec3> surface) const;
    void list_pulled(float scale, std::span<const Vec3> surface, TautenScratch& scratch) const;
    void keep_volume(TautenScratch& scratch) const;

    const Fans& fans_;
    std::vector<float> longest_;  ///< [triangles * 3] of the edge from each corner to the next
};

}  // namespace fascia::embedding
