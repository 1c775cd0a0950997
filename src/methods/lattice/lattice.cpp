// Lattice skinning (Chen, Tsai, Lin, Lu 2012): cells with particles at their corners. The skeleton carries the
// particles by weights that diffuse from the bones; then each part around a joint gets its rest volume back, from the
// root to the leaves; the surface lies in the cells.
//
//     per frame:        volumes   lambda of each part in the frame's own pose
//     per fixed step:   pose      a = blended places and rotations, moved by the lambdas
//                       mix       y = a + delta u
//                       match     goals from rigid fits of overlapping regions to y
//                       update    velocities towards the goals, damped; new offsets u
#include <algorithm>

#include "base/workspace.h"
#include "embed/in_cells.h"
#include "methods/shared/claim_scratch.h"
#include "methods/shared/fades.h"
#include "methods/shared/flesh_pull.h"
#include "methods/lattice/lattice_attach.h"
#include "methods/lattice/lattice_body.h"
#include "methods/lattice/lattice_file.h"
#include "methods/lattice/lattice_tuning.h"
#include "methods/shared/methods.h"
#include "methods/shared/retuning.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/stepped_rig.h"
#include "methods/shared/usual_layers.h"
#include "sim/blend_points.h"

namespace fascia {

namespace {

SteppedBody driving_of(const LatticeBody& body) {
    return {.size = body.size,
            .h = body.h,
            .centre = body.centre,
            .stride = body.stride(),
            .slots = body.slots(),
            .rest = body.rest,
            .gate = &body.gate,
            .inverse_rest = body.inverse_rest,
            .parents = body.parents,
            .pivots = body.joint_pivots,
            .memory = 2 * body.volumes.parts.size()};
}

class LatticeRig final : public SteppedRig {
public:
    LatticeRig(std::shared_ptr<const LatticeBody> body, const LatticeSettings& settings)
        : SteppedRig(driving_of(*body)),
          body_(std::move(body)),
          flesh_(settings.flesh),
          tuning_(tune_lattice(*body_, flesh_)) {}

    const char* method() const override { return "lattice"; }
    std::size_t vertex_count() const override { return body_->bound.vertex_count(); }
    PointCounts points() const override {
        const std::vector<std::uint8_t>& bone = body_->blueprint->bone;
        return {.total = bone.size(), .bone = std::size_t(std::count(bone.begin(), bone.end(), 1))};
    }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = tuning_.warnings;
        out.insert(out.end(), body_->warnings.begin(), body_->warnings.end());
        return out;
    }
    std::vector<std::uint8_t> point_layers() const override {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t bone : body_->blueprint->bone) out.push_back(bone ? 0 : 1);
        return out;
    }

    PointParts point_parts() const override {
        const LatticeBlueprint& plan = *body_->blueprint;
        PointParts out;
        for (std::size_t p = 0; p < plan.particle_count(); ++p) {
            out.bones.push_back(plan.influences.joints[4 * p]);
            out.joints.push_back(std::uint16_t(plan.part[p]));
        }
        return out;
    }
    std::vector<std::uint32_t> point_cells() const override { return body_->blueprint->corners.of_cell; }
    /// Mixed by delta: where the surface sees them.
    void point_positions(const State& state, std::span<Vec3> out) const override {
        if (!fits(state) || out.size() < body_->particle_count()) return;
        const std::size_t n = body_->stride();
        const auto mixed = [&](std::size_t k, float delta) {
            return state.driven[k] + delta * (state.positions[k] - state.driven[k]);
        };
        for (std::size_t p = 0; p < body_->particle_count(); ++p) {
            const std::size_t i = body_->slots()[p];
            const float delta = tuning_.swing.delta[i];
            const Vec3d local{mixed(i, delta), mixed(n + i, delta), mixed(2 * n + i, delta)};
            out[p] = to_float(transform_point(state.frame, local));
        }
    }

    std::vector<JointVolume> joint_volumes(const State& state) const override {
        std::vector<JointVolume> out;
        if (!fits(state)) return out;
        const auto driven = std::span(state.driven).first(3 * body_->stride());
        for (const VolumePart& part : body_->volumes.parts)
            out.push_back({std::size_t(part.joint),
                           part_volume(body_->volumes, part, body_->stride(), driven) / part.rest_volume});
        return out;
    }

    void embed(const State& state, const Surface& out, Workspace& work) const override {
        embed_share(1, state, out, work);
    }
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        embed_share(0, state, out, work);
    }

    std::optional<Vec3d> pick(const Ray& ray, const State& state, Workspace& work) const override {
        if (!fits(state)) return std::nullopt;
        return pick_surface(*this, body_->surface().triangles, ray, state, work);
    }
    bool grip(Vec3d point, State& state) const override {
        if (!fits(state) || !grip_flesh(grip_body(), frame_of(state), point, tuning_.give, state)) return false;
        state.asleep = 0;
        return true;
    }
    Result<std::shared_ptr<const AttachedSurface>> attach(const Mesh& mesh) const override {
        auto attached = attach_to_lattice(*body_, mesh);
        if (!attached) return attached.error();
        return std::shared_ptr<const AttachedSurface>(std::move(*attached));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override;
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_lattice({body_->blueprint, {flesh_}, body_->warnings}, out);
        return out.take();
    }
    Result<RigPtr> retuned(const Settings& settings) const override;
    Status fade(const std::string& joints, double amount, double seconds, State& state) const override {
        if (!fits(state)) state = make_state();
        std::vector<std::string> names;
        for (const Joint& joint : body_->surface().joints) names.push_back(joint.name);
        return start_fade(names, joints, amount, seconds, state.fades);
    }

private:
    enum Scratch : std::size_t {
        palette_at = first_scratch,
        driven_at,
        turned_at,
        records_at,
        lambdas_at,
        to_at,
        mixed_at,
        goals_at,
        fits_at,
        base_goals_at,
        base_turns_at,
        push_at,
        gradients_at,
        owner_at
    };

    Pace pace() const override { return {flesh_.step, flesh_.gravity, tuning_.tag}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return driven_at_share(places, 1, state, work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;
    void begin_frame(std::span<const JointPlace> places, State& state, Workspace& work) const override;
    void begin_again(std::span<const JointPlace> places, State& state, Workspace& work) const override {
        begin_frame(places, state, work);
        const auto lambdas = memory(state);
        std::copy(lambdas.begin() + std::ptrdiff_t(part_count()), lambdas.end(), lambdas.begin());
    }

    /// Where the skeleton carries the particles, in the workspace until its next use.
    struct Driven {
        std::span<float> positions;  ///< [3 * stride]
        std::span<float> rotations;  ///< [4 * stride]
    };
    /// Blended places and rotations, each part moved by its lambda: [parts + 1], or empty.
    Driven blend(std::span<const JointPlace> places, std::span<const float> lambdas, const State& state,
                 Workspace& work) const;
    /// The same with the volumes as they are at `share` of the frame.
    Driven driven_at_share(std::span<const JointPlace> places, double share, const State& state, Workspace& work) const;
    void claim(Workspace& work) const;

    /// The surface with all of the secondary motion (1) or none (0).
    void embed_share(float share, const State& state, const Surface& out, Workspace& work) const;

    /// Where the particles are at this frame's own time, with a share of the secondary motion, about the frame's
    /// origin.
    std::span<const float> shown_particles(float share, const State& state, Workspace& work) const;
    GripBody grip_body() const {
        const lattice::CornerLattice& corners = body_->blueprint->corners;
        return {.size = body_->size,
                .h = body_->h,
                .stride = body_->stride(),
                .slots = body_->slots(),
                .rest = body_->rest,
                .flesh = body_->flesh,
                .links = {corners.edge_first, corners.edges, 1},
                .carriers = body_->carriers,
                .shown = tuning_.swing.delta};
    }

    std::size_t part_count() const { return body_->volumes.parts.size(); }

    std::shared_ptr<const LatticeBody> body_;
    Flesh flesh_;
    LatticeTuning tuning_;
};

// ---- primary ---------------------------------------------------------------------------------------------------
/// Cells without a particle must read as zero in every channel that a step reads around its own particles.
void LatticeRig::claim(Workspace& work) const {
    const std::size_t n = body_->stride();
    claim_scratch(work, owner_at, {body_->layout_hash, n},
                  {{driven_at, 3 * n},
                   {turned_at, 4 * n},
                   {mixed_at, 3 * n},
                   {goals_at, 3 * n},
                   {fits_at, 12 * n},
                   {base_goals_at, 3 * n},
                   {base_turns_at, 4 * n}});
}

/// Rows of the map and the rotation of each joint.
void fill_palette(std::span<const float> duals, std::span<float> palette) {
    for (std::size_t j = 0; j < duals.size() / 8; ++j) {
        const float* d = &duals[8 * j];
        const Quat q{d[0], d[1], d[2], d[3]};
        const Quat t = Quat{d[4], d[5], d[6], d[7]} * conjugate(q);
        const Vec3d columns[3] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
        float* out = &palette[sim::blend_floats * j];
        const double shift[3] = {2 * t.x, 2 * t.y, 2 * t.z};
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c)
                out[4 * r + c] = float(r == 0 ? columns[c].x : r == 1 ? columns[c].y : columns[c].z);
            out[4 * r + 3] = float(shift[r]);
        }
        std::copy(d, d + 4, out + 12);
    }
}

LatticeRig::Driven LatticeRig::blend(std::span<const JointPlace> places, std::span<const float> lambdas,
                                     const State& state, Workspace& work) const {
    claim(work);
    Floats& palette = work.impl().array(palette_at, sim::blend_floats * joint_count());
    fill_palette(duals(places, state, work), palette);
    const Driven out{scratch(work, driven_at, 3), scratch(work, turned_at, 4)};
    const sim::BlendedPoints points{.stride = body_->stride(),
                                    .segments = body_->regions.segments(),
                                    .own = body_->regions.own.data(),
                                    .live = body_->regions.layout.live.data(),
                                    .table = &body_->blend,
                                    .rest = body_->rest.data(),
                                    .pivots = body_->pivots.empty() ? nullptr : body_->pivots.data(),
                                    .palette = palette.data(),
                                    .positions = out.positions.data(),
                                    .rotations = out.rotations.data(),
                                    .lambdas = lambdas.empty() ? nullptr : lambdas.data(),
                                    .part = body_->volumes.mover.data(),
                                    .directions = body_->volumes.directions.data()};
    sim::blend_all(points, work.impl().pool);
    return out;
}

LatticeRig::Driven LatticeRig::driven_at_share(std::span<const JointPlace> places, double share, const State& state,
                                               Workspace& work) const {
    if (!flesh_.preserve_volume) return blend(places, {}, state, work);
    const std::size_t parts = part_count();
    const std::span<const float> lambdas = memory(state);
    const std::span<float> now(work.impl().array(lambdas_at, parts + 1).data(), parts + 1);
    for (std::size_t k = 0; k < parts; ++k) now[k] = float((1 - share) * lambdas[k] + share * lambdas[parts + k]);
    now[parts] = 0;
    return blend(places, now, state, work);
}

/// The lambdas of the frame's pose; those of the frame before stay beside them.
void LatticeRig::begin_frame(std::span<const JointPlace> places, State& state, Workspace& work) const {
    if (!flesh_.preserve_volume) return;
    const Driven driven = blend(places, {}, state, work);
    const StageTimer timer(work.times.volume);
    const std::span<float> lambdas = memory(state);
    std::copy(lambdas.begin() + std::ptrdiff_t(part_count()), lambdas.end(), lambdas.begin());
    solve_volumes(body_->volumes, body_->stride(), driven.rotations, driven.positions,
                  scratch(work, records_at, volume_record), lambdas.last(part_count()));
}

// ---- secondary -------------------------------------------------------------------------------------------------
sim::Motion LatticeRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    const std::size_t n = body_->stride();
    Driven driven;
    {
        const StageTimer timer(work.times.pose);
        driven = driven_at_share(places, share, state, work);
    }
    const StageTimer timer(work.times.match);
    const Vec3 gravity = felt_gravity(state);
    const std::span<float> push = is_held(state, n) ? scratch(work, push_at, 3) : std::span<float>{};
    std::fill(push.begin(), push.end(), 0.0f);
    if (!push.empty()) push_of_grip(grip_body(), frame_of(state), state, share, flesh_.step, push);
    sim::SwingArrays arrays{.driven = driven.positions,
                            .turned = driven.rotations,
                            .last_driven = std::span(state.driven).first(3 * n),
                            .last_speed = std::span(state.driven).subspan(3 * n, 3 * n),
                            .positions = state.positions,
                            .velocities = state.velocities,
                            .rotations = state.rotations,
                            .felt = {gravity.x, gravity.y, gravity.z},
                            .push = push,
                            .mixed = scratch(work, mixed_at, 3),
                            .goals = scratch(work, goals_at, 3),
                            .fits = scratch(work, fits_at, 12),
                            .base_goals = scratch(work, base_goals_at, 3),
                            .base_rotations = scratch(work, base_turns_at, 4)};
    return sim::swing(body_->regions, tuning_.swing, arrays, work.impl().pool);
}

// ---- surface ---------------------------------------------------------------------------------------------------
std::span<const float> LatticeRig::shown_particles(float share, const State& state, Workspace& work) const {
    const std::size_t n = body_->stride();
    const float scale = float(frame_of(state).scale);
    const auto now = posed_places(state, work);
    const Driven driven = driven_at_share(now, 1, state, work);
    const std::span<float> to = scratch(work, to_at, 3);
    // Driven exactly at this frame's own time; the offset as it was one step ago plus what has passed since.
    const float back = float(flesh_.step - state.accumulator);
    const std::span<const float> shares = shown_joints(state, work);
    for (const std::size_t p : body_->slots()) {
        float mix = share * tuning_.swing.delta[p];
        if (!shares.empty()) {
            float shown = 0;
            for (std::size_t k = 0; k < 4; ++k) shown += body_->weights[k * n + p] * shares[body_->joints[k * n + p]];
            mix *= shown;
        }
        for (std::size_t k = p; k < 3 * n; k += n) {
            const float u = (state.positions[k] - state.driven[k]) - back * state.velocities[k];
            to[k] = scale * (driven.positions[k] + mix * u);
        }
    }
    stretch_points(body_->slots(), {body_->joints, body_->weights}, now, state, {to}, work);
    return to;
}

void LatticeRig::embed_share(float share, const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    const StageTimer timer(work.times.embed);
    const std::size_t n = body_->stride(), vertices = vertex_count();
    const std::span<const float> to = shown_particles(share, state, work);
    if (out.positions.size() >= vertices) {
        const auto positions = out.positions.first(vertices);
        embedding::place_in_cells(body_->bound, n, to, positions);
        place_in_scene(state, positions);
    }
    const RestSurface& rest = body_->surface();
    const bool normals = out.normals.size() >= vertices && rest.normals.size() == vertices,
               tangents = out.tangents.size() >= vertices && rest.tangents.size() == vertices;
    if (!normals && !tangents) return;
    const std::span<float> gradients = scratch(work, gradients_at, embedding::gradient_floats);
    embedding::gradients_at_points(body_->sides, n, to, gradients);
    if (normals) embedding::turn_normals_in_cells(body_->bound, gradients, rest.normals, out.normals.first(vertices));
    if (tangents)
        embedding::turn_tangents_in_cells(body_->bound, gradients, rest.tangents, out.tangents.first(vertices));
}

void LatticeRig::embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                                Workspace& work) const {
    const auto* own = dynamic_cast<const LatticeAttachment*>(&attached);
    if (own == nullptr || !fits(state)) return;
    const std::size_t n = body_->stride(), vertices = own->vertex_count();
    const std::span<const float> to = shown_particles(1, state, work);
    if (out.positions.size() >= vertices) {
        const auto positions = out.positions.first(vertices);
        embedding::place_in_cells(own->bound, n, to, positions);
        embedding::add_arms_in_cells(own->bound, n, to, body_->h, own->arms, positions);
        place_in_scene(state, positions);
    }
    if (out.normals.size() < vertices || own->normals.size() != vertices) return;
    const std::span<float> gradients = scratch(work, gradients_at, embedding::gradient_floats);
    embedding::gradients_at_points(own->sides, n, to, gradients);
    embedding::turn_normals_in_cells(own->bound, gradients, own->normals, out.normals.first(vertices));
}

/// Which setting of `b` was built in otherwise, or nothing.
std::string built_in_difference(const Flesh& a, const Flesh& b, const std::vector<Joint>& joints) {
    const std::pair<bool, const char*> checks[] = {{a.resolution == b.resolution, "resolution"},
                                                   {a.region_radius == b.region_radius, "region_radius"},
                                                   {a.mode == b.mode, "mode"},
                                                   {a.pivoted == b.pivoted, "pivoted"},
                                                   {a.preserve_volume == b.preserve_volume, "preserve_volume"},
                                                   {a.bone_width == b.bone_width, "bone_width"}};
    for (const auto& [same, name] : checks)
        if (!same) return name;
    for (const Joint& joint : joints)
        if (flesh_at(a, joint.name).bone_width != flesh_at(b, joint.name).bone_width)
            return "parts." + joint.name + ".bone_width";
    return {};
}

Result<RigPtr> LatticeRig::retuned(const Settings& settings) const {
    const auto asked = retuning<LatticeSettings>(settings, [&](const LatticeSettings& wanted) {
        return built_in_difference(flesh_, wanted.flesh, body_->surface().joints);
    });
    if (!asked) return asked.error();
    return RigPtr(std::make_shared<LatticeRig>(body_, *asked));
}

}  // namespace

Result<RigPtr> bind_lattice(const Character& character, const LatticeSettings& asked) {
    if (const Status checked = check_skinned(character, "lattice"); !checked) return checked.error();
    const Result<LatticeSettings> settings = with_layers(asked);
    if (!settings) return settings.error();
    auto body = build_lattice_body(character, *settings);
    if (!body) return body.error();
    return RigPtr(std::make_shared<LatticeRig>(*body, *settings));
}

Result<RigPtr> load_lattice(ByteReader& in) {
    Result<SavedLattice> saved = read_lattice(in);
    if (!saved) return saved.error();
    return RigPtr(
        std::make_shared<LatticeRig>(assemble_lattice_body(saved->blueprint, saved->warnings), saved->settings));
}

}  // namespace fascia
