// Lays triangles flat again that flesh has turned inside out. Where bones press skin together, plain skinning leaves
// triangles that are a tenth as wide as at rest: the slightest difference between the offsets of their corners turns
// them over, which shows as ragged folds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/fans.h"

namespace fascia::embedding {

/// Lists that grow once, to what a surface needs.
struct UnfoldScratch {
    std::vector<Vec3> move;                         ///< [vertices]
    std::vector<float> push;                        ///< [triangles] 0: nothing to correct
    std::vector<std::uint8_t> listed, moving;       ///< [triangles], [vertices]
    std::vector<std::uint32_t> triangles, corners;  ///< checked; moved in any round
};

/// A surface whose triangles keep facing the way that skinning turns them.
class Unfolding {
public:
    explicit Unfolding(const Fans& fans) : fans_(fans) {}

    /// Moves the corners of triangles that are turned over relative to `skinned`, and hardly any others, along the
    /// skinned triangles until they no longer are; if that takes too long, at least most of them. Without such
    /// triangles `surface` keeps its bits.
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
