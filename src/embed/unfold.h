// Triangles that flesh turns inside out are laid flat again. Where bones press skin together, plain skinning leaves
// triangles that are a tenth as wide as at rest: the least difference between the offsets of their corners turns them
// over, which shows as ragged folds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::embedding {

/// Lists that grow to what a surface needs, once.
struct UnfoldScratch {
    std::vector<Vec3> move;                         ///< [vertices]
    std::vector<float> push;                        ///< [triangles] 0: as it should be
    std::vector<std::uint8_t> listed, moving;       ///< [triangles], [vertices]
    std::vector<std::uint32_t> triangles, corners;  ///< looked at; moved in any round
};

/// A surface whose triangles keep to the side on which skinning has them.
class Unfolding {
public:
    /// Vertices at the same place at rest move together.
    Unfolding(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles);

    /// Moves corners of triangles that are turned over against `skinned`, and of nearly no other, along the skinned
    /// triangles until they no longer are; where that takes too long, most of them. Without such triangles `surface`
    /// keeps its bits.
    void apply(std::span<const Vec3> skinned, std::span<Vec3> surface, UnfoldScratch& scratch) const;

private:
    void prepare(UnfoldScratch& scratch) const;
    float push_of(std::size_t triangle, std::span<const Vec3> skinned, std::span<const Vec3> surface,
                  bool& turned_over) const;
    Vec3 move_of(std::uint32_t corner, std::span<const Vec3> skinned, std::span<const Vec3> surface,
                 const UnfoldScratch& scratch) const;
    void list_around(std::uint32_t corner, UnfoldScratch& scratch) const;

    std::vector<std::uint32_t> triangles_;  ///< [triangles * 3] corners: the first of the vertices at one place
    std::vector<std::uint32_t> fan_first_;  ///< [vertices + 1]
    std::vector<std::uint32_t> fans_;       ///< 3 * triangle + place in it, for each corner
    std::vector<std::uint32_t> next_;       ///< [vertices] the next one at the same place, or itself
};

}  // namespace fascia::embedding
