// Muscles under the skin of the bust: patches of the skin that are sunk to a depth and given a thickness.
#include <algorithm>
#include <array>
#include <cmath>

#include "neck_anatomy.h"
#include "trig.h"

namespace fascia::characters {
namespace {

constexpr double scale = neck_units_per_cm;

/// One edge of a sheet: a smooth line through places, from 0 to 1.
class Path {
public:
    Path(std::initializer_list<Vec3d> places) {
        for (const Vec3d& p : places) knots_.push_back({p, 0});
    }
    Vec3d at(double t) const { return on_curve(knots_, t).point; }

private:
    std::vector<Knot> knots_;
};

/// A sheet between two edges, on the left side; all in centimetres.
struct Sheet {
    const char* name;
    Path inner, outer;
    int along, across, deep;
    double cover;           ///< from the skin to the muscle's outside
    double thickness, end;  ///< in its middle, and at its ends
    double rim = 1;         ///< share of the thickness that is left at its edges
};

/// Nodes of a sheet, the outermost last; `across` runs from the inner edge to the outer.
struct Grid {
    int along, across, deep;
    std::vector<Vec3d> points;
    int node(int i, int j, int k) const { return (k * (along + 1) + j) * (across + 1) + i; }
};

/// The outside of a sheet. Creases of the skin would fold it: it is evened out along its rows and columns, and sunk
/// again where that has raised it.
std::vector<Vec3d> outside_of(const Sheet& sheet, const SkinDepth& skin) {
    constexpr int rounds = 8;
    const int columns = sheet.across + 1, rows = sheet.along + 1;
    std::vector<Vec3d> out;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const double u = static_cast<double>(j) / sheet.along, v = static_cast<double>(i) / sheet.across;
            out.push_back(skin.at_depth(neck_place(mix(sheet.inner.at(u), sheet.outer.at(u), v)), sheet.cover * scale));
        }
    const auto at = [&](int i, int j) { return out[static_cast<std::size_t>(j * columns + i)]; };
    for (int round = 0; round < rounds; ++round) {
        std::vector<Vec3d> next = out;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) {
                Vec3d sum;
                int count = 0;
                if (i > 0 && i + 1 < columns) sum += at(i - 1, j) + at(i + 1, j), count += 2;
                if (j > 0 && j + 1 < rows) sum += at(i, j - 1) + at(i, j + 1), count += 2;
                if (count == 0) continue;
                next[static_cast<std::size_t>(j * columns + i)] =
                    skin.sunk(mix(at(i, j), sum * (1.0 / count), 0.5), sheet.cover * scale);
            }
        out.swap(next);
    }
    return out;
}

/// Away from the body, by the sheet's own rows and columns.
Vec3d outward_at(const Sheet& sheet, const std::vector<Vec3d>& outside, int i, int j) {
    const int columns = sheet.across + 1;
    const auto at = [&](int column, int row) {
        const int c = std::clamp(column, 0, sheet.across), r = std::clamp(row, 0, sheet.along);
        return outside[static_cast<std::size_t>(r * columns + c)];
    };
    return normalized(cross(at(i, j + 1) - at(i, j - 1), at(i + 1, j) - at(i - 1, j)));
}

Grid grid_of(const Sheet& sheet, const SkinDepth& skin) {
    Grid grid{sheet.along, sheet.across, sheet.deep, {}};
    const std::vector<Vec3d> outside = outside_of(sheet, skin);
    for (int k = 0; k <= grid.deep; ++k)
        for (int j = 0; j <= grid.along; ++j)
            for (int i = 0; i <= grid.across; ++i) {
                const double u = static_cast<double>(j) / grid.along, v = static_cast<double>(i) / grid.across;
                const double belly = 4 * u * (1 - u), across = 4 * v * (1 - v);
                const double thick =
                    (sheet.end + (sheet.thickness - sheet.end) * belly) * (sheet.rim + (1 - sheet.rim) * across);
                const double down = thick * scale * (grid.deep - k) / grid.deep;
                const Vec3d top = outside[static_cast<std::size_t>(j * (grid.across + 1) + i)];
                const Vec3d p = skin.sunk(top - outward_at(sheet, outside, i, j) * down, sheet.cover * scale);
                grid.points.push_back(p * neck_metres_per_unit);
            }
    return grid;
}

AnatomyScene::Muscle named(const std::string& side, const Sheet& sheet, const Grid& grid) {
    AnatomyScene::Muscle muscle;
    muscle.name = side + sheet.name;
    muscle.points = grid.points;
    if (side == "right_")
        for (Vec3d& p : muscle.points) p.x = -p.x;
    return muscle;
}

/// Corners of a cell by bits: 1 along the muscle, 2 across, 4 outwards; on the other side the last two change places,
/// so that volumes stay positive.
std::array<std::uint32_t, 8> cell_of(const Grid& grid, int i, int j, int k, bool mirrored) {
    std::array<std::uint32_t, 8> out{};
    for (int c = 0; c < 8; ++c) {
        const int along = c & 1, one = c >> 1 & 1, two = c >> 2 & 1;
        const int across = mirrored ? two : one, up = mirrored ? one : two;
        out[static_cast<std::size_t>(c)] = static_cast<std::uint32_t>(grid.node(i + across, j + along, k + up));
    }
    return out;
}

template <class Each>
void each_cell(const Grid& grid, bool mirrored, Each each) {
    for (int k = 0; k < grid.deep; ++k)
        for (int j = 0; j < grid.along; ++j)
            for (int i = 0; i < grid.across; ++i) each(cell_of(grid, i, j, k, mirrored));
}

AnatomyScene::Muscle as_hexahedra(const std::string& side, const Sheet& sheet, const Grid& grid) {
    AnatomyScene::Muscle muscle = named(side, sheet, grid);
    each_cell(grid, side == "right_", [&](const auto& corners) {
        muscle.hexahedra.insert(muscle.hexahedra.end(), corners.begin(), corners.end());
    });
    return muscle;
}

/// Six tetrahedra around the diagonal of each cell; neighbours cut their common face alike.
AnatomyScene::Muscle as_tetrahedra(const std::string& side, const Sheet& sheet, const Grid& grid) {
    constexpr int six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    AnatomyScene::Muscle muscle = named(side, sheet, grid);
    each_cell(grid, side == "right_", [&](const auto& corners) {
        for (const auto& tetrahedron : six)
            for (const int c : tetrahedron) muscle.tetrahedra.push_back(corners[static_cast<std::size_t>(c)]);
    });
    return muscle;
}

// From above, from the edge in front to the one behind.
const Sheet sternocleidomastoid{
    "sternocleidomastoid",
    Path({{5.8, 36.2, -2.2}, {5.0, 32.0, -0.6}, {3.7, 27.0, 1.8}, {2.3, 21.8, 3.0}, {1.0, 16.6, 3.0}}),
    Path({{5.7, 35.8, -4.0}, {5.6, 32.0, -3.2}, {5.0, 27.0, -0.7}, {3.9, 21.8, 1.6}, {3.0, 16.9, 3.2}}),
    15,
    3,
    1,
    0.35,
    0.95,
    0.45,
    0.6};
const Sheet sternohyoid{"sternohyoid",
                        Path({{0.45, 26.9, 2.5}, {0.7, 23.0, 3.4}, {0.45, 19.5, 3.0}, {0.4, 16.2, 2.4}}),
                        Path({{1.5, 26.9, 2.0}, {1.9, 23.0, 3.0}, {1.5, 19.5, 2.8}, {1.6, 16.2, 2.6}}),
                        15,
                        3,
                        1,
                        0.3,
                        0.22,
                        0.2};
const Sheet thyrohyoid{"thyrohyoid",
                       Path({{0.7, 26.8, 2.2}, {0.9, 25.3, 2.8}, {0.9, 23.9, 2.8}}),
                       Path({{1.6, 26.9, 1.6}, {1.8, 25.3, 1.8}, {1.9, 24.0, 1.8}}),
                       19,
                       4,
                       1,
                       0.56,
                       0.2,
                       0.2};
// From above, from its free edge to the spine.
const Sheet trapezius{
    "trapezius",
    Path({{2.6, 36.9, -8.0}, {4.2, 32.0, -5.6}, {5.6, 26.5, -4.0}, {9.2, 21.4, -3.4}, {16.4, 17.0, -3.4}}),
    Path({{0.4, 37.2, -8.6}, {0.35, 33.5, -8.0}, {0.35, 29.0, -8.0}, {0.35, 24.5, -8.6}, {0.4, 19.6, -9.6}}),
    24,
    6,
    2,
    0.35,
    0.85,
    0.4,
    0.55};

AnatomyScene::Attachment held_by(const char* body, double within_cm) {
    return {body, within_cm * 0.01, 2000};
}

}  // namespace

std::vector<AnatomyScene::Muscle> neck_muscles(const SkinDepth& skin) {
    const Grid cords = grid_of(sternocleidomastoid, skin), straps = grid_of(sternohyoid, skin),
               throat = grid_of(thyrohyoid, skin), cape = grid_of(trapezius, skin);
    std::vector<AnatomyScene::Muscle> out;
    for (const std::string side : {"left_", "right_"}) {
        out.push_back(as_hexahedra(side, sternocleidomastoid, cords));
        out.back().attachments = {held_by("skull", 1.0), held_by("base", 1.2)};
        out.push_back(as_hexahedra(side, sternohyoid, straps));
        out.back().attachments = {held_by("base", 0.9), held_by("hyoid", 0.5)};
        out.push_back(as_hexahedra(side, thyrohyoid, throat));
        out.back().attachments = {held_by("thyroid", 0.35), held_by("hyoid", 0.4)};
        out.push_back(as_tetrahedra(side, trapezius, cape));
        out.back().attachments = {held_by("skull", 1.0), held_by("C7", 1.2), held_by("C6", 1.2), held_by("C5", 1.2),
                                  held_by("C4", 1.2),    held_by("C3", 1.2), held_by("C2", 1.2), held_by("base", 1.8)};
    }
    return out;
}

}  // namespace fascia::characters
