#include "methods/shared/blueprint_bytes.h"

#include <cmath>

namespace fascia {

namespace {

using lattice::Cell;

bool places_in_order(const std::vector<Cell>& places, const lattice::Grid& grid) {
    if (places.empty() || places.size() > (std::size_t{1} << 28)) return false;
    const auto inside = [](int at, int cells) { return at >= 0 && at <= cells; };
    const auto number = [&](Cell c) { return (std::int64_t(c.z) * (grid.ny + 1) + c.y) * (grid.nx + 1) + c.x; };
    for (std::size_t p = 0; p < places.size(); ++p) {
        const Cell c = places[p];
        if (!inside(c.x, grid.nx) || !inside(c.y, grid.ny) || !inside(c.z, grid.nz)) return false;
        if (p > 0 && number(c) < number(places[p - 1])) return false;
    }
    return true;
}

bool cells_are_cubes(const lattice::CornerLattice& corners) {
    if (corners.of_cell.empty() || corners.of_cell.size() % 8 != 0) return false;
    std::vector<std::uint8_t> sides(corners.size(), 0);
    for (std::size_t k = 0; k < corners.of_cell.size(); ++k) {
        const std::uint32_t p = corners.of_cell[k], first = corners.of_cell[k & ~std::size_t{7}];
        if (p >= corners.size() || first >= corners.size()) return false;
        const Cell a = corners.places[first], b = corners.places[p];
        const auto corner = int(k % 8);
        if (b.x - a.x != (corner & 1) || b.y - a.y != (corner >> 1 & 1) || b.z - a.z != corner >> 2) return false;
        const auto side = std::uint8_t(1u << corner);
        if (sides[p] & side) return false;
        sides[p] |= side;
    }
    return all_pass(sides, [](std::uint8_t s) { return s != 0; });
}

}  // namespace

void write_texts(const std::vector<std::string>& texts, ByteWriter& out) {
    out.value(std::uint64_t{texts.size()});
    for (const std::string& text : texts) out.array(text);
}

std::vector<std::string> read_texts(ByteReader& in) {
    std::vector<std::string> out;
    const auto count = in.value<std::uint64_t>();
    for (std::uint64_t k = 0; k < count && in.ok(); ++k) out.push_back(in.text());
    return out;
}

bool is_sound(const lattice::Grid& g, double size, Vec3d centre) {
    const auto side = [](int n) { return n >= 1 && n <= most_cells; };
    const auto finite = [](Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
    return side(g.nx) && side(g.ny) && side(g.nz) && g.h > 0 && std::isfinite(g.h) && size > 0 && std::isfinite(size) &&
           finite(g.origin) && finite(centre);
}

bool is_sound(const weights::Influences& influences, std::size_t points, std::size_t joints) {
    return influences.joints.size() == 4 * points && influences.weights.size() == 4 * points &&
           all_pass(influences.joints, [&](std::uint16_t j) { return j < joints; }) &&
           all_pass(influences.weights, [](float w) { return w >= 0 && w <= 1.001f; });
}

bool are_shares(const weights::Influences& influences) {
    const std::vector<float>& w = influences.weights;
    for (std::size_t k = 0; k + 4 <= w.size(); k += 4) {
        if (std::abs(w[k] + w[k + 1] + w[k + 2] + w[k + 3] - 1) > 1e-3f) return false;
        if (w[k + 1] > w[k] || w[k + 2] > w[k + 1] || w[k + 3] > w[k + 2]) return false;
    }
    return true;
}

bool is_sound(const lattice::CornerLattice& corners, const lattice::Grid& grid) {
    return places_in_order(corners.places, grid) && cells_are_cubes(corners);
}

bool is_sound(const embedding::Trilinear& bound, std::size_t vertices, std::size_t points) {
    const std::size_t slots = vertices * embedding::Trilinear::slots;
    return bound.points.size() == slots && bound.weights.size() == slots &&
           all_pass(bound.points, [&](std::uint32_t p) { return p < points; }) &&
           all_pass(bound.weights, [](float w) { return w >= 0 && w <= 1.001f; });
}

}  // namespace fascia
