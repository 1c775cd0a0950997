// What is between two pieces of surface that come near one another: tissue, as between both sides of a hand, or
// nothing, as between a thigh and the shank folded onto it, an arm and the side, two buttocks. If nothing is between
// them, they must be able to part, even if the gap has no width or they overlap a little.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/point_tree.h"

namespace fascia::lattice {

class WindingField;

enum class Between : std::uint8_t {
    unknown,  ///< which side of them is outside is not known, or they are skin and the cloth over it
    unclear,  ///< they face neither towards nor away from one another
    tissue,
    space,
};

/// Knows which side of a surface is outside.
class Folds {
public:
    /// shell: [triangles] k for the k-th closed piece of surface, -k if its triangles face inwards, 0 if unknown;
    /// empty: all unknown. body: [triangles] the same for shells that reach into one another and are one body; empty:
    /// each is its own. piece: [triangles] connected pieces (surface_fans.h). h: edge of a cell.
    Folds(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
          std::span<const std::int32_t> shell, std::span<const std::int32_t> body, std::span<const std::uint32_t> piece,
          double h);
    ~Folds();

    bool known() const { return !shell_.empty(); }

    /// How many triangles have been checked so far: a measure of the work, for tests.
    std::size_t looks() const { return looks_; }

    /// Whether any of one list and any of the other belong to one body.
    bool comparable(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;

    /// Where a triangle comes nearest to a place, and which way it faces.
    struct Near {
        Vec3d point, outward;
    };
    /// Some triangles, ascending, as seen from one place. Results about them are cached, because each patch is compared
    /// with many others.
    struct Patch {
        std::span<const std::uint32_t> triangles;
        std::vector<Near> near = {};         ///< [triangles], once asked for
        std::optional<PointTree> tree = {};  ///< of the near points, once it pays off
    };
    /// What is between two patches where they come nearest to `place`. around: all triangles there.
    Between between(Patch& a, Patch& b, Vec3d place, std::span<const std::uint32_t> around) const;

    /// Whether the piece that both lists belong to encloses the place more than once.
    bool is_overlapped(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d place) const;

    /// How a place is situated relative to the nearest of some triangles.
    struct Sight {
        Vec3d point;  ///< the nearest
        std::uint32_t triangle = 0;
        double distance2 = 1e300;
        double above = 0;  ///< how far it is in front of the plane of the nearest; below 0: behind
    };
    bool is_in_front(const Sight& sight) const;       ///< or too near to tell
    bool is_well_in_front(const Sight& sight) const;  ///< beyond doubt
    /// Whether its back is seen squarely from the place, with nothing of `around` in between.
    bool is_behind(const Sight& sight, Vec3d place, std::span<const std::uint32_t> around) const;
    /// Whether the place is within a body and sees a piece of the same body that has come in from elsewhere.
    bool is_intruder(const Sight& sight) const;
    Sight sight(std::span<const std::uint32_t> list, Vec3d place) const;

private:
    struct Pair {
        static constexpr std::size_t none = ~std::size_t{0};
        std::size_t a = none, b = none;  ///< places in the two lists
        bool found() const { return a != none; }
        bool operator<(const Pair& o) const { return a != o.a ? a < o.a : b < o.b; }
    };

    void distrust_turned_pieces();
    Vec3d corner(std::uint32_t t, int k) const { return to_double(positions_[triangles_[3 * t + k]]); }
    Vec3d nearest(std::uint32_t t, Vec3d place) const;
    Vec3d outward(std::uint32_t t) const;
    void look(Vec3d place, Patch& patch) const;
    template <class Visit>
    double nearest_pairs(Patch& a, Patch& b, Visit&& visit) const;
    const WindingField& field_of(std::uint32_t piece) const;
    Vec3d middle(std::uint32_t t) const { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3); }
    bool is_one_plate(Pair pair, const Patch& a, const Patch& b, std::span<const std::uint32_t> around) const;
    int layers_at(Vec3d place, std::uint32_t triangle) const;

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<std::int32_t> shell_, body_;
    std::span<const std::uint32_t> piece_;
    double h_;
    mutable std::size_t looks_ = 0;
    mutable std::vector<std::uint32_t> piece_first_, of_piece_;  ///< [pieces + 1], [triangles] by piece
    mutable std::vector<std::unique_ptr<WindingField>> fields_;  ///< [pieces] those that were asked for
};

}  // namespace fascia::lattice
