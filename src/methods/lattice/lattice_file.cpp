// Structured bindings name every member, so that a new member does not compile until it is written and read, too.
#include "methods/lattice/lattice_file.h"

#include "methods/shared/blueprint_bytes.h"
#include "methods/shared/fingerprint.h"

namespace fascia {

namespace {

template <class Plan, class Bytes>
void exchange_members(Plan& plan, Bytes& bytes) {
    auto& [size, grid, centre, region_radius, pivoted, painted, depth, corners, influences, bone, part, mask,
           own_amount, thinness, surface] = plan;
    exchange(bytes, size, grid, centre, region_radius, pivoted, painted, depth, corners, influences, bone, part, mask,
             own_amount, thinness);
}

void write_blueprint(const LatticeBlueprint& plan, ByteWriter& out) {
    exchange_members(plan, out);
    write_rest_surface(plan.surface, out);
}

bool sound_particles(const LatticeBlueprint& plan) {
    const std::size_t n = plan.particle_count(), joints = plan.surface.joints.size();
    return is_sound(plan.influences, n, joints) && are_shares(plan.influences) && plan.bone.size() == n &&
           plan.part.size() == n && (plan.mask.empty() || plan.mask.size() == n) &&
           all_pass(plan.mask, [](float m) { return m >= 0 && m <= 1.001f; }) &&
           (plan.thinness.empty() || plan.thinness.size() == n) &&
           all_pass(plan.thinness, [](float g) { return g > 0 && g <= 1.001f; }) &&
           (plan.own_amount.empty() || plan.own_amount.size() == n) &&
           all_pass(plan.own_amount, [](float a) { return a >= 0 && a <= 2.002f; }) &&
           all_pass(plan.bone, [](std::uint8_t b) { return b <= 1; }) &&
           all_pass(plan.part, [&](std::int32_t j) { return j >= 0 && std::size_t(j) < joints; });
}

Result<std::shared_ptr<const LatticeBlueprint>> read_blueprint(ByteReader& in) {
    auto plan = std::make_shared<LatticeBlueprint>();
    exchange_members(*plan, in);
    if (!in.ok()) return input_error("it ends too early");
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    plan->surface = std::move(*surface);

    if (!is_sound(plan->grid, plan->size, plan->centre)) return input_error("its grid is damaged");
    if (plan->region_radius < 1 || plan->region_radius > 7 || !is_sound(plan->corners, plan->grid))
        return input_error("its lattice is damaged");
    if (!sound_particles(*plan)) return input_error("its weights or parts are damaged");
    lattice::complete_corners(plan->corners);
    return std::shared_ptr<const LatticeBlueprint>(std::move(plan));
}

}  // namespace

std::uint64_t fingerprint_of(const LatticeBlueprint& plan) {
    ByteWriter out;
    write_blueprint(plan, out);
    return fingerprint_of(LatticeSettings::method, out.bytes());
}

void write_lattice(const SavedLattice& saved, ByteWriter& out) {
    const auto& [blueprint, bound, warnings] = saved;
    write_texts(warnings, out);
    write_blueprint(*blueprint, out);
    exchange(out, bound);
}

Result<SavedLattice> read_lattice(const LatticeSettings& settings, ByteReader& in) {
    SavedLattice out;
    out.warnings = read_texts(in);
    if (!in.ok()) return input_error("it ends too early");
    if (settings.layers.empty()) return input_error("its flesh is damaged");
    auto blueprint = read_blueprint(in);
    if (!blueprint) return blueprint.error();
    out.blueprint = std::move(*blueprint);
    exchange(in, out.bound);
    if (!in.ok()) return input_error("it ends too early");
    if (!is_sound(out.bound, out.blueprint->surface.positions.size(), out.blueprint->particle_count()))
        return input_error("its embedding is damaged");
    return out;
}

}  // namespace fascia
