// Structured bindings name every member of what is written: a new member does not compile until it is written too.
#include "methods/shared/flesh_bytes.h"

#include <cmath>

namespace fascia {

namespace {

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

}  // namespace

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

void write_texts(const std::vector<std::string>& texts, ByteWriter& out) {
    out.value(std::uint64_t{texts.size()});
    for (const std::string& text : texts) out.array(text);
}

std::vector<std::string> read_texts(ByteReader& in) {
    std::vector<std::string> out;
    read_list(in, [&] { out.push_back(in.text()); });
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
