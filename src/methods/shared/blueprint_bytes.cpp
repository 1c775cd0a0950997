#include "methods/shared/blueprint_bytes.h"

#include <cmath>

namespace fascia {

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

void write_grid(const lattice::Grid& grid, ByteWriter& out) {
    out.value(grid.origin);
    out.value(grid.h);
    for (const int n : {grid.nx, grid.ny, grid.nz}) out.value(std::int32_t(n));
}

lattice::Grid read_grid(ByteReader& in) {
    lattice::Grid out;
    out.origin = in.value<Vec3d>();
    out.h = in.value<double>();
    for (int* n : {&out.nx, &out.ny, &out.nz}) *n = in.value<std::int32_t>();
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

bool is_sound(const embedding::Trilinear& bound, std::size_t vertices, std::size_t points) {
    const std::size_t slots = vertices * embedding::Trilinear::slots;
    return bound.points.size() == slots && bound.weights.size() == slots &&
           all_pass(bound.points, [&](std::uint32_t p) { return p < points; }) &&
           all_pass(bound.weights, [](float w) { return w >= 0 && w <= 1.001f; });
}

}  // namespace fascia
