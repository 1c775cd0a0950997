#include "rectify/rectified.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/workspace.h"
#include "body/body_cells.h"
#include "methods/lattice/lattice_body.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/rest_surface.h"
#include "sim/blend_points.h"
#include "skin/joint_maps.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// Weights of the particles according to the file's weights on the surface: gathered from the vertices in their cells,
/// then passed inwards from particle to particle.
weights::Influences surface_weights(const Character& character, const LatticeBody& body) {
    const embedding::Trilinear bound = bound_to_particles(body);
    const lattice::CornerLattice& corners = body.blueprint->corners;
    const std::size_t count = body.particle_count(), slots = std::size_t(character.weights.influences);
    std::vector<weights::Mixture> sums(count);
    for (std::size_t k = 0; k < bound.points.size(); ++k) {
        const std::size_t v = k / embedding::Trilinear::slots;
        if (!(bound.weights[k] > 0)) continue;
        for (std::size_t s = v * slots; s < (v + 1) * slots; ++s)
            if (character.weights.weights[s] > 0)
                sums[bound.points[k]].add(character.weights.joints[s],
                                          double(bound.weights[k]) * character.weights.weights[s]);
    }
    weights::Influences out;
    out.joints.assign(4 * count, 0);
    out.weights.assign(4 * count, 0);
    std::vector<std::uint8_t> known(count, 0);
    const auto store = [&](std::size_t p, weights::Mixture& sum) {
        return sum.store({&out.joints[4 * p], 4}, {&out.weights[4 * p], 4});
    };
    for (std::size_t p = 0; p < count; ++p) known[p] = store(p, sums[p]);
    for (bool any = true; any;) {
        any = false;
        const std::vector<std::uint8_t> before = known;
        for (std::size_t p = 0; p < count; ++p) {
            if (known[p]) continue;
            weights::Mixture sum;
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) {
                const std::size_t q = corners.edges[e];
                for (std::size_t k = 4 * q; k < 4 * q + 4 && before[q]; ++k)
                    if (out.weights[k] > 0) sum.add(out.joints[k], double(out.weights[k]));
            }
            if (sum.empty()) continue;
            known[p] = store(p, sum);
            any = true;
        }
    }
    for (std::size_t p = 0; p < count; ++p)
        if (!known[p]) out.weights[4 * p] = 1;
    return out;
}

/// The particles as a surface, for methods that are not linear.
Character particle_character(const Character& character, const LatticeBody& body, const weights::Influences& own) {
    Character out;
    out.name = character.name;
    out.joints = character.joints;
    const std::size_t n = body.stride();
    for (const std::size_t i : body.slots())
        out.mesh.positions.push_back(
            to_float(Vec3d{body.rest[i], body.rest[n + i], body.rest[2 * n + i]} * body.h + body.centre));
    out.weights.influences = 4;
    out.weights.joints = own.joints;
    out.weights.weights = own.weights;
    return out;
}

constexpr double furthest_move = 2;  ///< cells

/// The parts according to the file's weights, not the lattice's own, because the file's weights move the surface.
VolumeParts parts_of_surface(const Character& character, const LatticeBody& body, const weights::Influences& own) {
    LatticeBlueprint plan = *body.blueprint;
    std::vector<Vec3d> places;
    const std::size_t n = body.stride();
    for (const std::size_t i : body.slots())
        places.push_back(Vec3d{body.rest[i], body.rest[n + i], body.rest[2 * n + i]} * body.h + body.centre);
    plan.influences = own;
    plan.part = joint_parts(own, places, find_bones(character, used_joints(character, true)));
    VolumeParts out = volume_parts(plan, body.parents, {n, body.slots(), body.rest});
    // Here the cells only carry the correction to a surface that its own method has already placed: a fold among them
    // does not show, but missing volume does.
    for (VolumePart& part : out.parts) part.furthest_in = part.furthest_out = furthest_move;
    return out;
}

class RectifiedRig final : public Rig {
public:
    RectifiedRig(RigPtr inner, std::optional<DqsSurface> particles, std::shared_ptr<const LatticeBody> body,
                 VolumeParts volumes, const weights::Influences& own)
        : inner_(std::move(inner)),
          particles_(std::move(particles)),
          body_(std::move(body)),
          volumes_(std::move(volumes)),
          blend_(sim::make_blend_table(body_->regions.layout, own.joints, own.weights)) {}

    const Settings& settings() const override { return inner_->settings(); }
    std::size_t joint_count() const override { return inner_->joint_count(); }
    std::size_t vertex_count() const override { return inner_->vertex_count(); }
    std::size_t point_count() const override { return inner_->point_count(); }
    std::uint64_t fingerprint() const override { return inner_->fingerprint(); }
    bool has_normals() const override { return inner_->has_normals(); }
    bool has_tangents() const override { return inner_->has_tangents(); }
    std::vector<std::string> warnings() const override { return inner_->warnings(); }
    State make_state() const override { return inner_->make_state(); }
    bool accepts(const State& state) const override { return inner_->accepts(state); }
    const SkinWeights* skin_weights() const override { return inner_->skin_weights(); }
    void take_over(const Rig& from, const State& other, State& state, Workspace& work) const override {
        inner_->take_over(from, other, state, work);
    }
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const override {
        inner_->reset(joints, state, work);
    }
    void settle(State& state, Workspace& work) const override { inner_->settle(state, work); }
    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const override {
        inner_->advance(joints, dt, state, work);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        inner_->embed(state, out, work);
        if (out.positions.size() >= vertex_count() && state.joints.size() == joint_count())
            add_volume(state, out.positions.first(vertex_count()), work);
    }

private:
    struct Scratch {
        Floats palette, places, turns, moves, lambdas, records;
        std::vector<Vec3> world;  ///< [particles]
    };
    void add_volume(const State& state, std::span<Vec3> surface, Workspace& work) const;

    RigPtr inner_;
    std::optional<DqsSurface> particles_;  ///< for methods that are not linear
    std::shared_ptr<const LatticeBody> body_;
    VolumeParts volumes_;
    sim::BlendTable blend_;
};

void RectifiedRig::add_volume(const State& state, std::span<Vec3> surface, Workspace& work) const {
    const std::size_t n = body_->stride(), joints = joint_count();
    auto& scratch = work.impl().scratch<Scratch>();
    // Cells relative to the root, with the root's scale.
    const Affine root = state.joints[0] * body_->inverse_rest[0];
    const Vec3d origin = translation_of(state.joints[0]);
    const double unit = body_->h * std::cbrt(std::abs(determinant(root)));
    const std::span<float> palette = sized(scratch.palette, sim::blend_floats * joints);
    for (std::size_t j = 0; j < joints; ++j) {
        const Affine map = state.joints[j] * body_->inverse_rest[j];
        const Vec3d shift = (transform_point(map, body_->centre) - origin) * (1 / unit);
        const double t[3] = {shift.x, shift.y, shift.z};
        float* out = &palette[sim::blend_floats * j];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) out[4 * r + c] = float(map.m[r][c] * body_->h / unit);
            out[4 * r + 3] = float(t[r]);
        }
        const Quat q = quat_from_matrix(polar(map).rotation);
        out[12] = float(q.w), out[13] = float(q.x), out[14] = float(q.y), out[15] = float(q.z);
    }
    const std::span<float> places = sized(scratch.places, 3 * n), turns = sized(scratch.turns, 4 * n);
    sim::blend_all({.stride = n,
                    .segments = body_->regions.segments(),
                    .own = body_->regions.own.data(),
                    .live = body_->regions.layout.live.data(),
                    .table = &blend_,
                    .rest = body_->rest.data(),
                    .palette = palette.data(),
                    .positions = places.data(),
                    .rotations = turns.data()},
                   work.impl().pool);
    if (particles_) {
        const std::size_t count = body_->particle_count();
        const std::span<Vec3> world = sized(scratch.world, count);
        particles_->skin(state.joints, {world, {}, {}}, work);
        for (std::size_t p = 0; p < count; ++p) {
            const Vec3 v = to_float((to_double(world[p]) - origin) * (1 / unit));
            const std::size_t i = body_->slots()[p];
            places[i] = v.x, places[n + i] = v.y, places[2 * n + i] = v.z;
        }
    }
    const std::span<float> moves = sized(scratch.moves, 3 * n), lambdas = sized(scratch.lambdas, volumes_.parts.size());
    solve_volumes(volumes_, n, turns, places, sized(scratch.records, volume_record * n), lambdas);
    std::fill(moves.begin(), moves.end(), 0.0f);
    // Carries the displacements of the particles to the surface.
    move_parts(volumes_, n, turns, lambdas, moves);
    const float size = float(unit);
    for (std::size_t v = 0; v < surface.size(); ++v)
        for (std::size_t k = v * embedding::Trilinear::slots; k < (v + 1) * embedding::Trilinear::slots; ++k) {
            const std::size_t p = body_->bound.points[k];
            surface[v] += Vec3{moves[p], moves[n + p], moves[2 * n + p]} * (size * body_->bound.weights[k]);
        }
}

}  // namespace

Result<RigPtr> rectified(RigPtr inner, const Character& character, const LatticeSettings& cells) {
    const auto body = build_lattice_body(character, cells);
    if (!body) return body.error();
    const weights::Influences own = surface_weights(character, **body);
    std::optional<DqsSurface> particles;
    // As far as volume is concerned, bones blending turns flesh like dual quaternions.
    if (std::string_view(inner->method()) != LbsSettings::method)
        particles.emplace(RestSurface(particle_character(character, **body, own)).source(), (*body)->gate.rest());
    return RigPtr(std::make_shared<RectifiedRig>(std::move(inner), std::move(particles), *body,
                                                 parts_of_surface(character, **body, own), own));
}

}  // namespace fascia
