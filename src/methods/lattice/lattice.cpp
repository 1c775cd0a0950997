// Lattice skinning (Chen, Tsai, Lin, Lu 2012): cells with particles at their corners. The skeleton carries the
// particles by the weights of the file, or by weights that diffuse from the bones; then each part around a joint gets
// its rest volume back, from the root to the leaves. The surface is skinned by its own weights and then moved by how
// far the particles have moved beyond their own skinned places; a surface without weights is embedded in the cells.
//
//     per frame:        volumes   lambda of each part in the frame's own pose
//     per fixed step:   pose      a = blended places and rotations, moved by the lambdas
//                       mix       y = a + delta u
//                       match     goals from rigid fits of overlapping regions to y
//                       update    velocities towards the goals, damped; new offsets u
#include "methods/lattice/lattice.h"

#include <algorithm>
#include <optional>

#include "base/workspace.h"
#include "body/body_of.h"
#include "embed/in_cells.h"
#include "methods/lattice/lattice_attach.h"
#include "methods/lattice/lattice_body.h"
#include "methods/lattice/lattice_file.h"
#include "methods/lattice/lattice_old_states.h"
#include "methods/lattice/lattice_tuning.h"
#include "methods/shared/claimed_scratch.h"
#include "methods/shared/flesh_rig.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/old_states.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "sim/blend_points.h"
#include "sim/shown_points.h"
#include "skin/cell_lines.h"

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
            .fingerprint = body.fingerprint};
}

/// Points, or vertices, that one thread takes at a time.
constexpr std::size_t line_grain = 256;

struct LatticeScratch {
    LayoutTag owner;
    Floats palette, lambdas, swells, records;
    /// channels, zero where there is no particle
    Floats driven, turned, mixed, goals, fits, base_goals, base_places, base_turns;
    Floats seen, plain, shown, push, faded, rows, lines, extra, tangents;
};

class LatticeRig final : public FleshRig, public ReadsOldStates {
public:
    LatticeRig(std::shared_ptr<const LatticeBody> body, const LatticeSettings& settings)
        : FleshRig(driving_of(*body)),
          body_(std::move(body)),
          settings_(settings),
          tuning_(tune_lattice(*body_, settings)),
          lambdas_(layout().add("lambdas before and now", 2 * part_count())),
          swells_(layout().add("swells before and now", 2 * body_->swollen.parts.size())) {}

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return body_->bound.vertex_count(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = tuning_.warnings;
        out.insert(out.end(), body_->warnings.begin(), body_->warnings.end());
        return out;
    }
    bool embed_reads() const override { return false; }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        embed_share(1, state, out, work);
    }
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        embed_share(0, state, out, work);
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_lattice({body_->blueprint, bound_to_particles(*body_), body_->warnings}, out);
        return out.take();
    }

    /// Places and speeds of where the skeleton drives the particles come first in the memory.
    void renew(std::uint32_t version, State& state) const override {
        if (version < packed_since) pack_state(body_->regions, 6, state);
    }

    // ---- inside ----
    std::vector<std::string> layer_names() const override { return {"bone", "flesh"}; }
    std::vector<std::uint8_t> point_layers() const override { return body_->flesh; }
    double point_spacing() const override { return body_->h; }
    int resolution() const override { return int(std::lround(body_->size / body_->h)); }
    /// Includes the secondary motion, mixed by delta, as on the surface.
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override;
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
    std::vector<JointVolume> joint_volumes(const State& state) const override {
        std::vector<JointVolume> out;
        if (!fits(state)) return out;
        for (const VolumePart& part : body_->volumes.parts)
            out.push_back({std::size_t(part.joint),
                           part_volume(body_->volumes, part, body_->stride(), driven(state)) / part.rest_volume});
        return out;
    }

    // ---- live ----
    Result<RigPtr> retuned(const Settings& settings) const override {
        return RigPtr(std::make_shared<LatticeRig>(body_, *settings.as<LatticeSettings>()));
    }

    // ---- clothes ----
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        auto attached = attach_to_lattice(*body_, mesh);
        if (!attached) return attached.error();
        return std::shared_ptr<AttachedSurface>(std::move(*attached));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override;

private:
    Pace pace() const override { return {own().step, own().gravity, tuning_.tag, tuning_.decay}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return driven_at_share(places, 1, state, work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;
    void begin_frame(std::span<const JointPlace> places, State& state, Workspace& work) const override;
    /// Volumes stay as they are.
    void hold_frame(State& state) const override {
        for (const std::span<float> block : {layout().of(state, lambdas_), layout().of(state, swells_)})
            forget_before(block);
    }
    /// A block holds the previous values, then the current ones: copies the current over the previous.
    static void forget_before(std::span<float> block) {
        std::copy(block.begin() + std::ptrdiff_t(block.size() / 2), block.end(), block.begin());
    }
    /// Interpolates from the previous to the current values by `share`.
    static void mix_before(std::span<const float> block, double share, std::span<float> out) {
        const std::size_t n = block.size() / 2;
        for (std::size_t k = 0; k < n; ++k) out[k] = float((1 - share) * block[k] + share * block[n + k]);
    }
    void begin_again(std::span<const JointPlace> places, State& state, Workspace& work) const override {
        begin_frame(places, state, work);
        hold_frame(state);
    }

    /// Where the skeleton carries the particles; valid in the workspace until its next use.
    struct Driven {
        std::span<float> positions;  ///< [3 * stride]
        std::span<float> rotations;  ///< [4 * stride]
    };
    /// What a surface needs from the particles.
    struct ForSurface {
        std::span<const std::uint32_t> segments;  ///< or empty: all
        std::span<float> plain;  ///< [3 * stride] or empty: positions by plain skinning, without pivots and lambdas
    };
    /// Blended positions and rotations, each part moved by its lambda. lambdas: [parts + 1], or empty
    Driven blend(std::span<const JointPlace> places, std::span<const float> lambdas, const State& state,
                 Workspace& work, const ForSurface& surface = {}) const;
    /// The same with the volumes at `share` of the frame.
    Driven driven_at_share(std::span<const JointPlace> places, double share, const State& state, Workspace& work,
                           const ForSurface& surface = {}) const;
    LatticeScratch& claimed(Workspace& work) const;

    /// The surface with a share of the secondary motion: all of it (1) or none (0).
    void embed_share(float share, const State& state, const Surface& out, Workspace& work) const;

    /// At this frame's own time, with a share of the secondary motion, relative to the frame's origin.
    struct Shown {
        std::span<const float> places;     ///< of the particles; relative to plain skinning if weights are painted
        std::span<const float> rotations;  ///< [4 * stride]
    };

    /// The body's own surface, or an attached one.
    struct InCells {
        const LbsSurface& skin;
        const embedding::Trilinear& bound;
        const embedding::PointSides& sides;
        const CellCarriers& cells;
        std::span<const std::uint32_t> segments;   ///< those that it reads
        std::span<const Vec3> arms;                ///< or empty: every vertex is inside its cell
        std::span<const float> normals, tangents;  ///< at rest, if nothing is skinned
        std::span<const Vec4> handedness;          ///< of tangents if nothing is skinned, or empty
    };
    Shown shown_particles(const InCells& surface, float share, const State& state, Workspace& work) const;
    std::span<const float> shown_shares(const State& state, Workspace& work) const;
    std::span<const float> lines_of(const InCells& surface, const Shown& shown, const State& state,
                                    Workspace& work) const;
    CellCarry carry_of(const InCells& surface, const Shown& shown, const State& state, Workspace& work) const;
    void embed_in_cells(const InCells& surface, float share, const State& state, const Surface& out,
                        Workspace& work) const;
    void embed_skinned_first(const InCells& surface, float share, const State& state, const Surface& out,
                             Workspace& work) const;
    const RestSurface& rest_surface() const override { return body_->surface(); }
    const FleshSettings& flesh_settings() const override { return own(); }
    std::span<const float> give() const override { return tuning_.give; }
    PointNumbers point_numbers() const override {
        PointNumbers out;
        for (const std::size_t i : body_->slots()) {
            out.reach.push_back(body_->regions.soft[i] > 0 ? tuning_.swing.limit[i] : 0);
            out.felt.push_back(tuning_.swing.drive[i]);
        }
        return out;
    }
    std::vector<float> point_softness() const override {
        std::vector<float> out;
        for (const std::size_t i : body_->slots()) out.push_back(tuning_.swing.drive[i]);
        return out;
    }
    embedding::Trilinear bound_surface() const override { return bound_to_particles(*body_); }
    double flesh_depth() const override { return body_->blueprint->depth; }
    GripBody grip_body() const override {
        const lattice::CornerLattice& corners = body_->blueprint->corners;
        return {.size = body_->size,
                .h = body_->h,
                .stride = body_->stride(),
                .slots = body_->slots(),
                .rest = body_->rest,
                .flesh = body_->flesh,
                .links = {corners.edge_first, corners.edges, 1},
                .carriers = body_->carriers,
                .shown = tuning_.swing.delta,
                .joints = body_->joints,
                .weights = body_->weights};
    }

    std::size_t part_count() const { return body_->volumes.parts.size(); }

    const LatticeSettings& own() const { return *settings_.as<LatticeSettings>(); }

    std::shared_ptr<const LatticeBody> body_;
    Settings settings_;
    LatticeTuning tuning_;
    MemoryLayout::BlockNumber lambdas_, swells_;
};

// ---- primary ---------------------------------------------------------------------------------------------------
/// Slots without a particle must read as zero in every channel in which a step reads neighbours.
LatticeScratch& LatticeRig::claimed(Workspace& work) const {
    auto& scratch = work.impl().scratch<LatticeScratch>();
    const std::size_t n = body_->stride(), spread = body_->regions.spread();
    claim(scratch.owner, {body_->layout_hash, n},
          {{scratch.driven, 3 * n},
           {scratch.turned, 4 * n},
           {scratch.mixed, 3 * spread},
           {scratch.goals, 3 * n},
           {scratch.fits, 12 * spread},
           {scratch.base_goals, 3 * n},
           {scratch.base_places, 3 * spread},
           {scratch.base_turns, 4 * n}});
    return scratch;
}

/// The rows of the map and the rotation of each joint.
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
                                     const State& state, Workspace& work, const ForSurface& surface) const {
    LatticeScratch& scratch = claimed(work);
    const std::span<float> palette = sized(scratch.palette, sim::blend_floats * joint_count());
    fill_palette(duals(places, state, work), palette);
    const Driven out{channels(scratch.driven, 3), channels(scratch.turned, 4)};
    const std::span<const std::uint32_t> some = surface.segments;
    const sim::BlendedPoints points{.stride = body_->stride(),
                                    .segments = some.empty() ? body_->regions.segments() : some.size(),
                                    .live = body_->regions.layout.live.data(),
                                    .listed = some.empty() ? nullptr : some.data(),
                                    .table = &body_->blend,
                                    .rest = body_->rest.data(),
                                    .pivots = body_->pivots.empty() ? nullptr : body_->pivots.data(),
                                    .palette = palette.data(),
                                    .positions = out.positions.data(),
                                    .rotations = out.rotations.data(),
                                    .plain = surface.plain.empty() ? nullptr : surface.plain.data(),
                                    .lambdas = lambdas.empty() ? nullptr : lambdas.data(),
                                    .part = body_->volumes.mover.data(),
                                    .directions = body_->volumes.directions.data()};
    sim::blend_all(points, work.impl().pool);
    return out;
}

LatticeRig::Driven LatticeRig::driven_at_share(std::span<const JointPlace> places, double share, const State& state,
                                               Workspace& work, const ForSurface& surface) const {
    if (!own().preserve_volume) return blend(places, {}, state, work, surface);
    LatticeScratch& scratch = claimed(work);
    const std::span<float> now = sized(scratch.lambdas, part_count() + 1);
    mix_before(layout().of(state, lambdas_), share, now);
    now.back() = 0;
    const Driven out = blend(places, now, state, work, surface);
    const std::span<float> swells = sized(scratch.swells, body_->swollen.parts.size());
    mix_before(layout().of(state, swells_), share, swells);
    move_swells(body_->swollen, body_->stride(), out.rotations, swells, out.positions);
    return out;
}

/// The lambdas of the frame's pose; those of the previous frame are kept beside them.
void LatticeRig::begin_frame(std::span<const JointPlace> places, State& state, Workspace& work) const {
    if (!own().preserve_volume) return;
    const Driven there = blend(places, {}, state, work);
    const StageTimer timer(work.times["volume"]);
    const std::span<float> lambdas = layout().of(state, lambdas_), swells = layout().of(state, swells_);
    const std::span<float> records = channels(claimed(work).records, volume_record);
    forget_before(lambdas);
    forget_before(swells);
    const double off = solve_volumes(body_->volumes, body_->stride(), there.rotations, there.positions, records,
                                     lambdas.last(part_count()));
    const std::span<float> swells_now = swells.last(body_->swollen.parts.size());
    if (off > volume_slack)
        solve_swells(body_->volumes, body_->swollen, body_->stride(), there.rotations, records, swells_now);
    else
        std::fill(swells_now.begin(), swells_now.end(), 0.0f);
}

// ---- secondary -------------------------------------------------------------------------------------------------
sim::Motion LatticeRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    Driven there;
    {
        const StageTimer timer(work.times["pose"]);
        there = driven_at_share(places, share, state, work);
    }
    const StageTimer timer(work.times["match"]);
    const Vec3 gravity = felt_gravity(state);
    LatticeScratch& scratch = claimed(work);
    const std::size_t spread = body_->regions.spread();
    const std::span<const float> push = push_on_flesh(places, share, state, scratch.push, work);
    sim::SwingArrays arrays{.driven = there.positions,
                            .turned = there.rotations,
                            .last_driven = driven(state),
                            .last_speed = driven_speed(state),
                            .positions = state.positions,
                            .velocities = state.velocities,
                            .rotations = state.rotations,
                            .felt = {gravity.x, gravity.y, gravity.z},
                            .push = push,
                            .mixed = std::span(scratch.mixed).first(3 * spread),
                            .goals = channels(scratch.goals, 3),
                            .fits = std::span(scratch.fits).first(12 * spread),
                            .base_goals = channels(scratch.base_goals, 3),
                            .base_places = std::span(scratch.base_places).first(3 * spread),
                            .base_rotations = channels(scratch.base_turns, 4)};
    return sim::swing(body_->regions, tuning_.swing, arrays, work.impl().pool);
}

// ---- surface ---------------------------------------------------------------------------------------------------
/// [stride] How much of each particle's secondary motion is shown; empty: all of it.
std::span<const float> LatticeRig::shown_shares(const State& state, Workspace& work) const {
    const std::span<const float> shares = shown_joints(state, work);
    if (shares.empty()) return {};
    const std::size_t n = body_->stride();
    const std::span<float> out = sized(claimed(work).faded, n);
    for (std::size_t p = 0; p < n; ++p) {
        out[p] = 0;
        for (std::size_t k = p; k < 4 * n; k += n) out[p] += body_->weights[k] * shares[body_->joints[k]];
    }
    return out;
}

/// Driven exactly at this frame's own time; the offset lags exactly one step behind, so that it lies between the last
/// two steps.
LatticeRig::Shown LatticeRig::shown_particles(const InCells& surface, float share, const State& state,
                                              Workspace& work) const {
    const auto now = posed_places(state, work);
    LatticeScratch& scratch = claimed(work);
    const std::span<float> to = channels(scratch.seen, 3), plain = channels(scratch.plain, 3);
    // Whatever volumes and pivots add to the skinned positions moves the surface, too.
    const bool apart = body_->painted() && (own().preserve_volume || !body_->pivots.empty());
    const Driven there = driven_at_share(now, 1, state, work, {surface.segments, apart ? plain : std::span<float>{}});
    const std::span<const float> faded = shown_shares(state, work);
    const sim::ShownPoints points{.stride = body_->stride(),
                                  .listed = surface.segments.data(),
                                  .segments = surface.segments.size(),
                                  .driven = there.positions.data(),
                                  .skinned = apart ? plain.data() : there.positions.data(),
                                  .positions = state.positions.data(),
                                  .last_driven = driven(state).data(),
                                  .velocities = state.velocities.data(),
                                  .mix = tuning_.swing.delta.data(),
                                  .faded = faded.empty() ? nullptr : faded.data(),
                                  .share = share,
                                  .back = float(own().step - state.accumulator),
                                  .scale = float(frame_of(state).scale),
                                  .to = to.data(),
                                  .plain = plain.data()};
    sim::show_all_points(points, work.impl().pool);
    const PointWeights weights{body_->joints, body_->weights};
    if (!body_->painted()) {
        stretch_points(body_->slots(), weights, now, state, {to}, work);
        return {to, there.rotations};
    }
    stretch_points(body_->slots(), weights, now, state, {to, plain}, work);
    sim::show_all_moves(points, work.impl().pool);
    return {to, there.rotations};
}

void LatticeRig::embed_share(float share, const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    const StageTimer timer(work.times["embed"]);
    const InCells surface{body_->skin,    body_->bound,    body_->sides,
                          body_->cells,   body_->segments, {},
                          body_->normals, body_->tangents, body_->surface().tangents};
    body_->painted() ? embed_skinned_first(surface, share, state, out, work)
                     : embed_in_cells(surface, share, state, out, work);
}

void LatticeRig::embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                                Workspace& work) const {
    const auto* own = dynamic_cast<const LatticeAttachment*>(&attached);
    if (own == nullptr || !fits(state)) return;
    const auto arms = own->has_arms ? std::span(own->arms) : std::span<const Vec3>{};
    const InCells surface{own->skin, own->bound, own->sides, own->cells, own->segments, arms, own->normals, {}, {}};
    body_->painted() ? embed_skinned_first(surface, 1, state, out, work) : embed_in_cells(surface, 1, state, out, work);
}

/// What the kernel reads about the points. [carriers * cell_floats]
std::span<const float> LatticeRig::lines_of(const InCells& surface, const Shown& shown, const State& state,
                                            Workspace& work) const {
    static_assert(embedding::line_floats == cell_floats);
    const std::size_t n = body_->stride(), carriers = surface.sides.points.size();
    LatticeScratch& scratch = claimed(work);
    ThreadPool& pool = work.impl().pool;
    const std::span<float> lines = sized(scratch.lines, carriers * cell_floats);
    if (!body_->painted()) {
        pool.for_ranges(carriers, line_grain, [&](std::size_t begin, std::size_t end, int) {
            embedding::lines_of_places(surface.sides, n, shown.places, begin, end, lines);
        });
        return lines;
    }
    const std::span<float> rows = sized(scratch.rows, n * moved_floats);
    const MovedRows moved{.stride = n,
                          .listed = surface.segments.data(),
                          .moves = shown.places.data(),
                          .rotations = shown.rotations.data(),
                          .rows = rows.data()};
    pool.for_ranges(surface.segments.size(), line_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(moved_rows)(moved, begin, end);
    });
    const CellLines task{.points = surface.sides.points.data(),
                         .ends = surface.sides.ends.data(),
                         .rows = rows.data(),
                         .unit = float(1 / frame_of(state).scale),
                         .lines = lines.data()};
    pool.for_ranges(carriers, line_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(lines_of_moves)(task, begin, end);
    });
    return lines;
}

/// What the kernel reads about the points, and about vertices at the end of an arm.
CellCarry LatticeRig::carry_of(const InCells& surface, const Shown& shown, const State& state, Workspace& work) const {
    const std::size_t n = body_->stride(), vertices = surface.bound.vertex_count();
    LatticeScratch& scratch = claimed(work);
    ThreadPool& pool = work.impl().pool;
    CellCarry out = surface.cells.carry();
    out.rows = lines_of(surface, shown, state, work).data();
    const Vec3d origin = frame_of(state).origin;
    out.origin[0] = origin.x, out.origin[1] = origin.y, out.origin[2] = origin.z;
    if (surface.arms.empty() || out.arm_weights != nullptr) return out;
    const std::span<float> extra = sized(scratch.extra, block_count(vertices) * 3 * skin_block);
    pool.for_ranges(vertices, line_grain, [&](std::size_t begin, std::size_t end, int) {
        embedding::arms_in_cells(surface.bound, n, shown.places, body_->h, surface.arms, begin, end, extra);
    });
    out.extra = extra.data();
    return out;
}

void LatticeRig::embed_in_cells(const InCells& surface, float share, const State& state, const Surface& out,
                                Workspace& work) const {
    const std::size_t vertices = surface.bound.vertex_count();
    CellCarry carry = carry_of(surface, shown_particles(surface, share, state, work), state, work);
    const auto floats = [](std::span<Vec3> v) { return reinterpret_cast<float*>(v.data()); };
    const bool positions = out.positions.size() >= vertices,
               normals = out.normals.size() >= vertices && !surface.normals.empty(),
               tangents = out.tangents.size() >= vertices && !surface.tangents.empty();
    place_in_cells(carry, vertices, normals ? surface.normals.data() : nullptr,
                   positions ? floats(out.positions) : nullptr, normals ? floats(out.normals) : nullptr, work);
    if (!tangents) return;
    carry.tangents = true;
    const std::span<float> turned = sized(claimed(work).tangents, 3 * vertices);
    place_in_cells(carry, vertices, surface.tangents.data(), nullptr, turned.data(), work);
    for (std::size_t v = 0; v < vertices; ++v)
        out.tangents[v] = {turned[3 * v], turned[3 * v + 1], turned[3 * v + 2], surface.handedness[v].w};
}

void LatticeRig::embed_skinned_first(const InCells& surface, float share, const State& state, const Surface& out,
                                     Workspace& work) const {
    const CellCarry cells = carry_of(surface, shown_particles(surface, share, state, work), state, work);
    Carry carry;
    carry.cells = &cells;
    surface.skin.skin(joints_about_frame(state, work), out, work, &carry);
}

void LatticeRig::point_positions(const State& state, std::span<Vec3> out, Workspace& work) const {
    if (!fits(state) || out.size() < point_count()) return;
    const std::size_t n = body_->stride();
    const std::span<const float> before = driven(state);
    const std::span<float> mixed = channels(claimed(work).shown, 3);
    for (const std::size_t i : body_->slots())
        for (std::size_t k = i; k < 3 * n; k += n)
            mixed[k] = before[k] + tuning_.swing.delta[i] * (state.positions[k] - before[k]);
    place_points(mixed, {body_->joints, body_->weights}, state, out, work);
}

/// The body of a character without weights, with room for them: binding reads bones, not weights.
Character with_room_for_weights(const Character& character) {
    Character out = body_of(character);
    out.weights.influences = 1;
    out.weights.joints.assign(out.mesh.vertex_count(), 0);
    out.weights.weights.assign(out.mesh.vertex_count(), 0);
    return out;
}

Result<RigPtr> bind_lattice(const Character& given, const LatticeSettings& asked, const BindInputs& inputs) {
    std::optional<Character> bare;
    if (!has_weights(given)) bare = with_room_for_weights(given);
    const Character& character = bare ? *bare : given;
    if (const Status checked = check_skinned(character, "lattice"); !checked) return checked.error();
    LatticeSettings settings = asked;
    complete_flesh(settings);
    const auto body = build_lattice_body(character, settings, inputs);
    if (!body) return body.error();
    return RigPtr(std::make_shared<LatticeRig>(*body, settings));
}

Result<RigPtr> load_lattice(const LatticeSettings& settings, ByteReader& in) {
    Result<SavedLattice> saved = read_lattice(settings, in);
    if (!saved) return saved.error();
    return RigPtr(std::make_shared<LatticeRig>(
        assemble_lattice_body(saved->blueprint, std::move(saved->bound), saved->warnings), settings));
}

FieldsOf<LatticeSettings> lattice_fields() {
    using S = LatticeSettings;
    FieldsOf<PartSettings> parts = flesh_part_fields();
    parts.number("delta", &PartSettings::delta, {0, 1}, Use::live, "share", "delta around these joints");
    FieldsOf<S> fields;
    add_flesh_fields(fields);
    fields
        .number("region_radius", &S::region_radius, {1, 7}, Use::built_in, "cells",
                "How far coherence reaches in one step; raised: flesh moves in larger pieces, slower to compute")
        .number("delta", &S::delta, {0, 1}, Use::live, "share",
                "Mix of primary and secondary motion; raised: larger, softer swing")
        .boolean("preserve_volume", &S::preserve_volume, Use::built_in,
                 "Restores the rest volume of each part around a joint")
        .boolean("pivoted", &S::pivoted, Use::built_in,
                 "Turns particles about the joint instead of blending them linearly")
        .boolean("unbiased", &S::unbiased, Use::live,
                 "Makes the skinned pose the exact pose of rest, at twice the cost")
        .number("region_damping", &S::region_damping, {0, 1}, Use::live, "share",
                "Share of the motion within regions that is lost in 16 ms; raised: looks stiffer, settles sooner")
        .list(&S::layers, &LayerSettings::name, swing_fields())
        .list(&S::parts, &PartSettings::joint, parts);
    return fields;
}

}  // namespace

Method lattice_method() {
    MethodInfo info;
    info.from = "Chen, Tsai, Lin, Lu 2012";
    info.summary = "cell corners with hierarchical volume";
    info.abilities = {.simulates = true,
                      .has_layers = true,
                      .has_cells = true,
                      .has_parts = true,
                      .takes_clothes = true,
                      .takes_mask = true,
                      .takes_hand = true,
                      .feels_gravity = true,
                      .embeddings = all_embeddings(),
                      .own_weights = {"diffusion"}};
    info.stages = {"pose", "volume", "match", "embed"};
    return make_method<LatticeSettings>(
        std::move(info), lattice_fields(), 2,
        {&bind_lattice, &load_lattice,
         [](const LatticeSettings& own, const Character* character) { return check_flesh(own, character); },
         [](LatticeSettings& own) { complete_flesh(own); }});
}

}  // namespace fascia
