// Structured bindings name every member, so that a new member does not compile until it is written and read, too.
#include "methods/particles/particles_file.h"

#include <cmath>

#include "methods/shared/blueprint_bytes.h"
#include "methods/shared/fingerprint.h"
#include "sim/sub_volumes.h"

namespace fascia {

namespace {

constexpr std::size_t most_layers = 250;
constexpr std::size_t most_points = std::size_t{1} << 26;

template <class Plan, class Bytes>
void exchange_members(Plan& plan, Bytes& bytes) {
    auto& [size, spacing, centre, linear, region_rings, layers, depth, triangles, part, part_joint, places, influences,
           mask, own_amount, thinness, surface] = plan;
    exchange(bytes, size, spacing, centre, linear, region_rings, layers, depth, triangles, part, part_joint, places,
             influences, mask, own_amount, thinness);
}

void write_blueprint(const ParticlesBlueprint& plan, ByteWriter& out) {
    exchange_members(plan, out);
    write_rest_surface(plan.surface, out);
}

bool sound_numbers(const ParticlesBlueprint& plan) {
    const auto finite = [](Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
    return plan.size > 0 && std::isfinite(plan.size) && plan.spacing > 1e-9 * plan.size &&
           std::isfinite(plan.spacing) && finite(plan.centre) && plan.depth >= 0 && plan.depth < 1e6 &&
           plan.region_rings >= 1 && plan.region_rings <= 4;
}

/// Is every vertex used, and is every place near the body?
bool sound_surface(const ParticlesBlueprint& plan, std::size_t vertices) {
    if (plan.triangles.empty() || plan.triangles.size() % 3 != 0 || plan.places.size() != plan.layers * vertices)
        return false;
    std::vector<std::uint8_t> used(vertices, 0);
    for (std::size_t t = 0; t < plan.triangles.size(); t += 3) {
        const std::uint32_t* c = &plan.triangles[t];
        if (c[0] >= vertices || c[1] >= vertices || c[2] >= vertices || c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            return false;
        used[c[0]] = used[c[1]] = used[c[2]] = 1;
    }
    const auto near = [&](Vec3 p) {
        const Vec3d off = to_double(p) - plan.centre;
        return length(off) < 100 * plan.size;
    };
    return all_pass(used, [](std::uint8_t u) { return u != 0; }) && all_pass(plan.places, near);
}

bool sound_parts(const ParticlesBlueprint& plan, std::size_t joints) {
    if (plan.part.size() != plan.triangles.size() / 3) return false;
    std::vector<std::uint8_t> used(plan.part_joint.size(), 0);
    for (const std::uint32_t p : plan.part) {
        if (p != sim::no_part && p >= used.size()) return false;
        if (p != sim::no_part) used[p] = 1;
    }
    return all_pass(used, [](std::uint8_t u) { return u != 0; }) &&
           all_pass(plan.part_joint, [&](std::uint16_t j) { return j < joints; });
}

bool sound_flesh(const ParticlesBlueprint& plan, std::size_t vertices) {
    const auto within = [&](std::size_t size) { return size == 0 || size == vertices; };
    return within(plan.mask.size()) && within(plan.own_amount.size()) && plan.thinness.size() == vertices &&
           all_pass(plan.mask, [](float m) { return m >= 0 && m <= 1.001f; }) &&
           all_pass(plan.own_amount, [](float a) { return a >= 0 && a <= 2.002f; }) &&
           all_pass(plan.thinness, [](float g) { return g > 0 && g <= 1.001f; });
}

Result<std::shared_ptr<const ParticlesBlueprint>> read_blueprint(ByteReader& in, std::size_t flesh_layers) {
    auto plan = std::make_shared<ParticlesBlueprint>();
    exchange_members(*plan, in);
    if (!in.ok()) return input_error("it ends too early");
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    plan->surface = std::move(*surface);

    const std::size_t vertices = plan->influences.weights.size() / 4, joints = plan->surface.joints.size();
    if (!sound_numbers(*plan)) return input_error("its numbers are damaged");
    if (plan->layers != flesh_layers + 1 || vertices == 0 || vertices * plan->layers > most_points ||
        !sound_surface(*plan, vertices))
        return input_error("its particles are damaged");
    if (!is_sound(plan->influences, vertices, joints) || !sound_flesh(*plan, vertices))
        return input_error("its layers or weights are damaged");
    if (!sound_parts(*plan, joints)) return input_error("its parts are damaged");
    return std::shared_ptr<const ParticlesBlueprint>(std::move(plan));
}

}  // namespace

std::uint64_t fingerprint_of(const ParticlesBlueprint& plan) {
    ByteWriter out;
    write_blueprint(plan, out);
    return fingerprint_of(ParticlesSettings::method, out.bytes());
}

void write_particles(const SavedParticles& saved, ByteWriter& out) {
    const auto& [blueprint, bound, calibration, warnings] = saved;
    out.value(calibration);
    write_texts(warnings, out);
    write_blueprint(*blueprint, out);
    exchange(out, bound);
}

Result<SavedParticles> read_particles(const ParticlesSettings& settings, ByteReader& in) {
    SavedParticles out;
    out.calibration = in.value<double>();
    out.warnings = read_texts(in);
    if (!in.ok()) return input_error("it ends too early");
    if (settings.layers.empty() || settings.layers.size() > most_layers ||
        !(out.calibration > 0 && out.calibration < 1e6))
        return input_error("its flesh is damaged");
    auto blueprint = read_blueprint(in, settings.layers.size());
    if (!blueprint) return blueprint.error();
    out.blueprint = std::move(*blueprint);
    exchange(in, out.bound);
    if (!in.ok()) return input_error("it ends too early");
    const std::size_t points = out.blueprint->particle_count();
    const std::size_t inner = points - out.blueprint->vertex_count();
    if (!is_sound(out.bound, out.blueprint->surface.positions.size(), points) ||
        !all_pass(out.bound.points, [&](std::uint32_t p) { return p >= inner; }))
        return input_error("its embedding is damaged");
    return out;
}

}  // namespace fascia
