// Triangles that flesh turns inside out are laid flat again. Where bones press skin together, plain skinning leaves
// triangles that are a tenth as wide as at rest: the least difference between the offsets of their corners turns them
// over, which shows as ragged folds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/fans.h"

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
    explicit Unfolding(const Fans& fans) : fans_(fans) {}

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

    const Fans& fans_;
};

}  // namespace fascia::embedding
