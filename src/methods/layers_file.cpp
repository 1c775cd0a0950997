// Structured bindings name every member of what is written: a new member does not compile until it is written too.
#include "methods/layers_file.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr int most_cells = 4096;  ///< along one side of a grid

// ---- flesh -----------------------------------------------------------------------------------------------------
void write_optional(const std::optional<double>& v, ByteWriter& out) {
    out.value(std::uint8_t(v.has_value()));
    out.value(v.value_or(0));
}

std::optional<double> read_optional(ByteReader& in) {
    const bool there = in.value<std::uint8_t>() != 0;
    const double value = in.value<double>();
    return there ? std::optional<double>(value) : std::nullopt;
}

/// Runs `one` for each entry of a list that the bytes hold.
template <class One>
void read_list(ByteReader& in, One&& one) {
    const auto count = in.value<std::uint64_t>();
    for (std::uint64_t k = 0; k < count && in.ok(); ++k) one();
}

void write_flesh(const Flesh& flesh, ByteWriter& out) {
    const auto& [preset, mode, resolution, region_width, region_radius, delta, preserve_volume, unbiased,
                 region_damping, pivoted, bone_width, muscle, gravity, step, layers, parts, mask, joints, primary,
                 rest_method] = flesh;
    out.array(preset);
    out.value(std::int32_t(mode));
    out.value(std::int32_t(resolution));
    out.value(std::int32_t(region_width));
    out.value(std::int32_t(region_radius));
    out.value(delta);
    out.value(std::int32_t(preserve_volume));
    out.value(std::int32_t(unbiased));
    out.value(region_damping);
    out.value(std::int32_t(pivoted));
    out.value(bone_width);
    out.value(muscle);
    out.value(gravity);
    out.value(step);
    out.array(mask);
    out.array(primary);
    out.array(rest_method);
    out.value(std::uint64_t{layers.size()});
    for (const auto& [name, frequency, damping, amount, share, k_s, k_d] : layers) {
        out.array(name);
        for (const double v : {frequency, damping, amount, share, k_s, k_d}) out.value(v);
    }
    out.value(std::uint64_t{parts.size()});
    for (const auto& [joint, part_width, part_muscle, amount, part_delta] : parts) {
        out.array(joint);
        for (const auto& v : {part_width, part_muscle, amount, part_delta}) write_optional(v, out);
    }
    out.value(std::uint64_t{joints.size()});
    for (const auto& [joint, t_min, t_max, blend] : joints) {
        out.array(joint);
        for (const auto& v : {t_min, t_max, blend}) write_optional(v, out);
    }
}

Flesh read_flesh(ByteReader& in) {
    Flesh out;
    out.preset = in.text();
    out.mode = Mode(std::clamp(in.value<std::int32_t>(), 0, 2));
    out.resolution = in.value<std::int32_t>();
    out.region_width = in.value<std::int32_t>();
    out.region_radius = in.value<std::int32_t>();
    out.delta = in.value<double>();
    out.preserve_volume = in.value<std::int32_t>();
    out.unbiased = in.value<std::int32_t>();
    out.region_damping = in.value<double>();
    out.pivoted = in.value<std::int32_t>();
    for (double* v : {&out.bone_width, &out.muscle}) *v = in.value<double>();
    out.gravity = in.value<Vec3d>();
    out.step = in.value<double>();
    out.mask = in.text();
    out.primary = in.text();
    out.rest_method = in.text();
    read_list(in, [&] {
        LayerSettings& layer = out.layers.emplace_back();
        layer.name = in.text();
        for (double* v : {&layer.frequency, &layer.damping, &layer.amount, &layer.share, &layer.k_s, &layer.k_d})
            *v = in.value<double>();
    });
    read_list(in, [&] {
        PartSettings& part = out.parts.emplace_back();
        part.joint = in.text();
        for (auto* v : {&part.bone_width, &part.muscle, &part.amount, &part.delta}) *v = read_optional(in);
    });
    read_list(in, [&] {
        Flesh::JointZone& zone = out.joints.emplace_back();
        zone.joint = in.text();
        for (auto* v : {&zone.t_min, &zone.t_max, &zone.blend}) *v = read_optional(in);
    });
    return out;
}

// ---- blueprint -------------------------------------------------------------------------------------------------
void write_blueprint(const LayersBlueprint& plan, ByteWriter& out) {
    const auto& [size, grid, centre, engine, linear, region_width, tissue, layer, to_skin, thinness, mask, influences,
                 bound, surface] = plan;
    out.value(size);
    out.value(grid.origin);
    out.value(grid.h);
    for (const int n : {grid.nx, grid.ny, grid.nz}) out.value(std::int32_t(n));
    out.value(centre);
    out.value(std::int32_t(engine));
    out.value(std::uint8_t(linear));
    out.value(std::int32_t(region_width));
    out.array(tissue.cells);
    out.array(tissue.link_first);
    out.array(tissue.links);
    out.array(tissue.neighbours);
    out.array(layer);
    out.array(to_skin);
    out.array(thinness);
    out.array(mask);
    out.array(influences.joints);
    out.array(influences.weights);
    out.array(bound.points);
    out.array(bound.weights);
    write_rest_surface(surface, out);
}

bool finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

template <class Values, class Test>
bool all(const Values& values, Test&& test) {
    return std::all_of(values.begin(), values.end(), test);
}

bool sound_grid(const LayersBlueprint& plan) {
    const lattice::Grid& g = plan.grid;
    const auto side = [](int n) { return n >= 1 && n <= most_cells; };
    return side(g.nx) && side(g.ny) && side(g.nz) && g.h > 0 && std::isfinite(g.h) && plan.size > 0 &&
           std::isfinite(plan.size) && finite(g.origin) && finite(plan.centre);
}

/// Cells in order, sheets of one cell beside one another.
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
           all(tissue.links, [&](std::uint32_t node) { return node < tissue.size(); });
}

/// Each neighbour lies where its place says, and has this node for a neighbour in turn.
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
    if (plan.influences.joints.size() != 4 * n || plan.influences.weights.size() != 4 * n) return false;
    return all(plan.layer, [&](std::uint8_t l) { return l <= layers; }) &&
           all(plan.to_skin, [](std::int32_t d) { return d >= -1 && d <= 3 * most_cells; }) &&
           all(plan.thinness, [](float g) { return g > 0 && g <= 1; }) &&
           all(plan.mask, [](float m) { return m >= 0 && m <= 1.001f; }) &&
           all(plan.influences.joints, [&](std::uint16_t j) { return j < joints; }) &&
           all(plan.influences.weights, [](float w) { return w >= 0 && w <= 1.001f; });
}

bool sound_bound(const LayersBlueprint& plan) {
    const std::size_t slots = plan.surface.positions.size() * embedding::Trilinear::slots;
    return plan.bound.points.size() == slots && plan.bound.weights.size() == slots &&
           all(plan.bound.points, [&](std::uint32_t p) { return p < plan.tissue.size(); }) &&
           all(plan.bound.weights, [](float w) { return w >= 0 && w <= 1.001f; });
}

Result<std::shared_ptr<const LayersBlueprint>> read_blueprint(ByteReader& in, std::size_t layers) {
    auto plan = std::make_shared<LayersBlueprint>();
    plan->size = in.value<double>();
    plan->grid.origin = in.value<Vec3d>();
    plan->grid.h = in.value<double>();
    for (int* n : {&plan->grid.nx, &plan->grid.ny, &plan->grid.nz}) *n = in.value<std::int32_t>();
    plan->centre = in.value<Vec3d>();
    const auto engine = in.value<std::int32_t>();
    plan->linear = in.value<std::uint8_t>() != 0;
    plan->region_width = in.value<std::int32_t>();
    in.array(plan->tissue.cells);
    in.array(plan->tissue.link_first);
    in.array(plan->tissue.links);
    in.array(plan->tissue.neighbours);
    in.array(plan->layer);
    in.array(plan->to_skin);
    in.array(plan->thinness);
    in.array(plan->mask);
    in.array(plan->influences.joints);
    in.array(plan->influences.weights);
    in.array(plan->bound.points);
    in.array(plan->bound.weights);
    if (!in.ok()) return input_error("it ends too early");
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    plan->surface = std::move(*surface);

    if (engine < 0 || engine > 1 || plan->region_width < 2 || plan->region_width > 15 || (plan->linear && engine == 0))
        return input_error("its way of stepping is unknown");
    plan->engine = Engine(engine);
    if (!sound_grid(*plan)) return input_error("its grid is damaged");
    if (!sound_cells(*plan) || !sound_links(plan->tissue) || !sound_neighbours(plan->tissue))
        return input_error("its lattice is damaged");
    if (!sound_nodes(*plan, layers)) return input_error("its layers or weights are damaged");
    if (!sound_bound(*plan)) return input_error("its embedding is damaged");
    return std::shared_ptr<const LayersBlueprint>(std::move(plan));
}

}  // namespace

void write_layers(const SavedLayers& saved, ByteWriter& out) {
    const auto& [blueprint, settings, calibration, warnings] = saved;
    const auto& [flesh, weights, mask_values, max_influences] = settings;
    (void)mask_values;  // the blueprint holds what became of them
    write_flesh(flesh, out);
    out.array(weights);
    out.value(std::int32_t(max_influences));
    out.value(calibration);
    out.value(std::uint64_t{warnings.size()});
    for (const std::string& warning : warnings) out.array(warning);
    write_blueprint(*blueprint, out);
}

Result<SavedLayers> read_layers(ByteReader& in) {
    SavedLayers out;
    Flesh& flesh = out.settings.flesh;
    flesh = read_flesh(in);
    out.settings.weights = in.text();
    out.settings.max_influences = in.value<std::int32_t>();
    out.calibration = in.value<double>();
    read_list(in, [&] { out.warnings.push_back(in.text()); });
    if (!in.ok()) return input_error("it ends too early");
    if (const Status checked = check(flesh, nullptr); !checked)
        return input_error("its flesh is damaged (" + checked.error().message + ")");
    if (flesh.layers.empty() || flesh.layers.size() > 250 || !(out.calibration > 0 && out.calibration < 1e6))
        return input_error("its flesh is damaged");
    auto blueprint = read_blueprint(in, flesh.layers.size());
    if (!blueprint) return blueprint.error();
    out.blueprint = std::move(*blueprint);
    return out;
}

}  // namespace fascia
