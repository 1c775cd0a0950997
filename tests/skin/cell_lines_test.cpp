// What points do to a surface that is skinned already: the kernels against their plain twin.
#include "skin/cell_lines.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "embed/in_cells.h"
#include "fascia/method.h"
#include "skin/cell_carriers.h"

namespace fascia {
namespace {

struct Moved {
    static constexpr std::size_t stride = 72;
    std::vector<std::uint32_t> listed;
    Floats moves, rotations, rows;
    embedding::PointSides sides;

    explicit Moved(std::size_t carriers) : moves(3 * stride), rotations(4 * stride), rows(stride * moved_floats, 0) {
        std::mt19937 random(5);
        std::uniform_real_distribution<float> number(-1, 1);
        for (float& v : moves) v = number(random);
        for (float& v : rotations) v = number(random);
        for (std::uint32_t k = 1; k < stride / 8; ++k) listed.push_back(k);  // the first is never read
        std::uniform_int_distribution<std::uint32_t> place(8, stride - 1);
        for (std::size_t k = 0; k < carriers; ++k) {
            sides.points.push_back(place(random));
            // One-sided along an axis as often as not.
            for (int end = 0; end < 6; ++end)
                sides.ends.push_back(random() % 2 == 0 ? sides.points.back() : place(random));
        }
    }
};

TEST(CellLines, AreThoseOfThePlainLoop) {
    for (const std::size_t carriers : {std::size_t{1}, std::size_t{4}, std::size_t{7}, std::size_t{40}}) {
        Moved given(carriers);
        const MovedRows rows{Moved::stride, given.listed.data(), given.moves.data(), given.rotations.data(),
                             given.rows.data()};
        FASCIA_DISPATCH(moved_rows)(rows, 0, given.listed.size());
        EXPECT_EQ(std::count(given.rows.begin(), given.rows.begin() + 8 * moved_floats, 0.0f), 8 * 8)
            << "a segment that is not listed is left alone";

        const double h = 0.37;
        Floats expected(carriers * cell_floats, 0), lines(carriers * cell_floats + cell_floats, 0);
        embedding::lines_of_moves_reference(given.sides, Moved::stride, given.moves, given.rotations, h, expected);
        const CellLines task{given.sides.points.data(), given.sides.ends.data(), given.rows.data(), float(1 / h),
                             lines.data()};
        FASCIA_DISPATCH(lines_of_moves)(task, 0, carriers / 2);
        FASCIA_DISPATCH(lines_of_moves)(task, carriers / 2, carriers);
        for (std::size_t k = 0; k < carriers; ++k)
            for (std::size_t e = 0; e < 12; ++e)
                EXPECT_EQ(lines[k * cell_floats + e], expected[k * cell_floats + e])
                    << carriers << " " << k << " " << e;
        for (std::size_t e = carriers * cell_floats; e < lines.size(); ++e) EXPECT_EQ(lines[e], 0) << "beyond the end";
    }
}

}  // namespace
}  // namespace fascia
