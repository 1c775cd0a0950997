// Structured bindings name every member, so that a new member does not compile until it is written and read, too.
#include "methods/layers/layers_file.h"

#include <algorithm>

#include "methods/shared/blueprint_bytes.h"
#include "methods/shared/fingerprint.h"

namespace fascia {

namespace {

// ---- blueprint -------------------------------------------------------------------------------------------------
template <class Plan, class Bytes>
void exchange_members(Plan& plan, Bytes& bytes) {
    auto& [size, grid, centre, engine, linear, region_width, depth, tissue, layer, to_skin, thinness, mask, own_amount,
           influences, surface] = plan;
    exchange(bytes, size, grid, centre, engine, linear, region_width, depth, tissue.cells, tissue.link_first,
             tissue.links, tissue.neighbours, layer, to_skin, thinness, mask, own_amount, influences);
}

void write_blueprint(const LayersBlueprint& plan, ByteWriter& out) {
    exchange_members(plan, out);
    write_rest_surface(plan.surface, out);
}

/// Are cells in order, with the sheets of one cell next to one another?
bool sound_cells(const LayersBlueprint& plan) {
    const auto& cells = plan.tissue.cells;
    if (cells.empty() || cells.size() > (std::size_t{1} << 30)) return false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!plan.grid.contains(cells[i])) return false;
        if (i > 0 && plan.grid.index(cells[i]) < plan.grid.index(cells[i - 1])) return false;
    }
    return true;
}

bool sound_links(const lattice::Tissue& tissue) {
    const auto& first = tissue.link_first;
    if (first.size() != 6 * tissue.size() + 1 || first.front() != 0 || first.back() != tissue.links.size())
        return false;
    return std::is_sorted(first.begin(), first.end()) &&
           all_pass(tissue.links, [&](std::uint32_t node) { return node < tissue.size(); });
}

/// Is each neighbour where its place in the list says, and does it have this node as a neighbour in turn?
bool sound_neighbours(const lattice::Tissue& tissue) {
    if (tissue.neighbours.size() != 27 * tissue.size()) return false;
    for (std::size_t i = 0; i < tissue.size(); ++i)
        for (int place = 0; place < 27; ++place) {
            const std::int32_t j = tissue.neighbours[27 * i + place];
            if (j == -1 && place != 13) continue;
            if (j < 0 || std::size_t(j) >= tissue.size()) return false;
            const lattice::Cell a = tissue.cells[i], b = tissue.cells[j];
            if (lattice::block_place(b.x - a.x, b.y - a.y, b.z - a.z) != place || std::abs(b.x - a.x) > 1 ||
                std::abs(b.y - a.y) > 1 || tissue.neighbours[27 * std::size_t(j) + 26 - place] != std::int32_t(i))
                return false;
        }
    return true;
}

bool sound_nodes(const LayersBlueprint& plan, std::size_t layers) {
    const std::size_t n = plan.tissue.size(), joints = plan.surface.joints.size();
    if (plan.layer.size() != n || plan.to_skin.size() != n || plan.thinness.size() != n) return false;
    if (!plan.mask.empty() && plan.mask.size() != n) return false;
    if (!plan.own_amount.empty() && plan.own_amount.size() != n) return false;
    return all_pass(plan.layer, [&](std::uint8_t l) { return l <= layers; }) &&
           all_pass(plan.to_skin, [](std::int32_t d) { return d >= -1 && d <= 3 * most_cells; }) &&
           all_pass(plan.thinness, [](float g) { return g > 0 && g <= 1; }) &&
           all_pass(plan.mask, [](float m) { return m >= 0 && m <= 1.001f; }) &&
           all_pass(plan.own_amount, [](float a) { return a >= 0 && a <= 2.002f; }) &&
           is_sound(plan.influences, n, joints);
}

Result<std::shared_ptr<const LayersBlueprint>> read_blueprint(ByteReader& in, std::size_t layers) {
    auto plan = std::make_shared<LayersBlueprint>();
    exchange_members(*plan, in);
    if (!in.ok()) return input_error("it ends too early");
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    plan->surface = std::move(*surface);

    const bool vectors = plan->engine == Engine::segments;
    if ((!vectors && plan->engine != Engine::reference) || plan->region_width < 2 || plan->region_width > 15 ||
        (plan->linear && vectors))
        return input_error("its way of stepping is unknown");
    if (!is_sound(plan->grid, plan->size, plan->centre)) return input_error("its grid is damaged");
    if (!(plan->depth >= 0 && plan->depth < 1e6)) return input_error("the depth of its flesh is damaged");
    if (!sound_cells(*plan) || !sound_links(plan->tissue) || !sound_neighbours(plan->tissue))
        return input_error("its lattice is damaged");
    if (!sound_nodes(*plan, layers)) return input_error("its layers or weights are damaged");
    return std::shared_ptr<const LayersBlueprint>(std::move(plan));
}

}  // namespace

std::uint64_t fingerprint_of(const LayersBlueprint& plan) {
    ByteWriter out;
    write_blueprint(plan, out);
    return fingerprint_of(LayersSettings::method, out.bytes());
}

void write_layers(const SavedLayers& saved, ByteWriter& out) {
    const auto& [blueprint, bound, calibration, warnings] = saved;
    out.value(calibration);
    write_texts(warnings, out);
    write_blueprint(*blueprint, out);
    exchange(out, bound);
}

Result<SavedLayers> read_layers(const LayersSettings& settings, ByteReader& in) {
    SavedLayers out;
    out.calibration = in.value<double>();
    out.warnings = read_texts(in);
    if (!in.ok()) return input_error("it ends too early");
    if (settings.layers.empty() || settings.layers.size() > 250 || !(out.calibration > 0 && out.calibration < 1e6))
        return input_error("its flesh is damaged");
    auto blueprint = read_blueprint(in, settings.layers.size());
    if (!blueprint) return blueprint.error();
    out.blueprint = std::move(*blueprint);
    exchange(in, out.bound);
    if (!in.ok()) return input_error("it ends too early");
    if (!is_sound(out.bound, out.blueprint->surface.positions.size(), out.blueprint->tissue.size()))
        return input_error("its embedding is damaged");
    return out;
}

}  // namespace fascia
