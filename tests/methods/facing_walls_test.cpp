// Walls that face each other across a gap.
#include "methods/particles/facing_walls.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "methods/particles/particles_body.h"

namespace fascia {
namespace {

/// Two square sheets, one above the other, joined along one side. gap: from the lower to the upper one
struct Pair {
    static constexpr std::uint32_t side = 12;
    std::vector<Vec3d> positions;
    std::vector<std::uint32_t> triangles, part;
    LinkLists edges;

    /// inward: the sheets face each other; otherwise they are the two sides of a plate. rows: of the upper sheet that
    /// lie there; the others are far above
    Pair(double gap, bool inward, std::uint32_t rows = side) {
        for (const double z : {0.0, gap})
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x < side; ++x)
                    positions.push_back({double(x), double(y), z > 0 && y >= rows ? 6 : z});
        constexpr std::uint32_t upper = side * side;
        for (std::uint32_t y = 0; y + 1 < side; ++y)
            for (std::uint32_t x = 0; x + 1 < side; ++x) {
                add(y * side + x, y * side + x + 1, (y + 1) * side + x, inward);
                add(upper + y * side + x, upper + y * side + x + 1, upper + (y + 1) * side + x, !inward);
            }
        for (std::uint32_t y = 0; y + 1 < side; ++y) add(upper + y * side, y * side, upper + (y + 1) * side, inward);
        part.assign(triangles.size() / 3, 0);
        edges = edges_of(triangles, positions.size());
    }
    /// A square from its lower corner and the ends of two of its sides.
    void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool right_way) {
        const std::uint32_t d = c + (b - a);
        const std::uint32_t square[6] = {a, b, c, b, d, c};
        for (std::size_t k = 0; k < 6; k += 3)
            for (const std::size_t e : {k, right_way ? k + 1 : k + 2, right_way ? k + 2 : k + 1})
                triangles.push_back(square[e]);
    }
    std::size_t sides(double smallest) const {
        const std::vector<std::uint32_t> found =
            sides_of_gaps({positions, triangles, edges.view(), part, double(side), smallest});
        return *std::max_element(found.begin(), found.end()) + 1u;
    }
};

TEST(FacingWalls, AGapDividesAndAPlateDoesNot) {
    EXPECT_EQ(Pair(0.5, true).sides(20), 2u);
    EXPECT_EQ(Pair(0.5, false).sides(20), 1u) << "its sides look away from each other";
    EXPECT_EQ(Pair(5, true).sides(20), 1u) << "too far apart";
}

/// Both sides are large enough, but what faces the other of them is not.
TEST(FacingWalls, SmallWallsDoNotDivide) {
    EXPECT_EQ(Pair(0.5, true).sides(110), 2u);
    EXPECT_EQ(Pair(0.5, true, 2).sides(110), 1u);
}

}  // namespace
}  // namespace fascia
