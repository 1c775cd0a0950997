// Lattice skinning (Chen, Tsai, Lin, Lu 2012): cells with particles at their corners. The skeleton carries the
// particles by weights that diffuse from the bones; then each part around a joint gets its rest volume back, from the
// root to the leaves; the surface lies in the cells.
//
//     per frame:        volumes   lambda of each part in the frame's own pose
//     per fixed step:   pose      blended places and rotations, moved by the lambdas
#include <algorithm>

#include "base/workspace.h"
#include "embed/in_cells.h"
#include "methods/lattice_body.h"
#include "methods/methods.h"
#include "methods/skinned_character.h"
#include "methods/stage_timer.h"
#include "methods/stepped_rig.h"
#include "sim/blend_points.h"

namespace fascia {

namespace {

SteppedBody driving_of(const LatticeBody& body) {
    return {.size = body.size,
            .h = body.grid.h,
            .centre = body.centre,
            .stride = body.stride,
            .slots = body.slots,
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
        : SteppedRig(driving_of(*body)), body_(std::move(body)), flesh_(settings.flesh) {}

    const char* method() const override { return "lattice"; }
    std::size_t vertex_count() const override { return body_->bound.vertex_count(); }
    PointCounts points() const override {
        const auto bone = std::size_t(std::count(body_->bone.begin(), body_->bone.end(), 1));
        return {.total = body_->particle_count(), .bone = bone};
    }
    std::vector<std::string> warnings() const override { return body_->warnings; }
    std::vector<std::uint8_t> point_layers() const override {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t bone : body_->bone) out.push_back(bone ? 0 : 1);
        return out;
    }

    std::vector<JointVolume> joint_volumes(const State& state) const override {
        std::vector<JointVolume> out;
        if (!fits(state)) return out;
        for (const VolumePart& part : body_->volumes.parts)
            out.push_back({std::size_t(part.joint), part_volume(body_->volumes, part, body_->stride,
                                                                std::span(state.driven).first(3 * body_->stride)) /
                                                        part.rest_volume});
        return out;
    }

    void embed(const State& state, const Surface& out, Workspace& work) const override {
        embed_skinned(state, out, work);
    }
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override;

private:
    enum Scratch : std::size_t { palette_at = first_scratch, driven_at, turned_at, moves_at, lambdas_at, to_at };

    Pace pace() const override { return {flesh_.step, {}, 0}; }
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
    /// Blended places and rotations, before the volumes are put right.
    Driven blend(std::span<const JointPlace> places, const State& state, Workspace& work) const;
    /// The same with the volumes as they are at `share` of the frame.
    Driven driven_at_share(std::span<const JointPlace> places, double share, const State& state, Workspace& work) const;

    std::size_t part_count() const { return body_->volumes.parts.size(); }

    std::shared_ptr<const LatticeBody> body_;
    Flesh flesh_;
};

// ---- primary ---------------------------------------------------------------------------------------------------
LatticeRig::Driven LatticeRig::blend(std::span<const JointPlace> places, const State& state, Workspace& work) const {
    const std::size_t n = body_->stride, joints = joint_count();
    const std::span<const float> posed = duals(places, state, work);
    Floats& palette = work.impl().array(palette_at, sim::blend_floats * joints);
    for (std::size_t j = 0; j < joints; ++j) {
        const float* d = &posed[8 * j];
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
    const Driven out{scratch(work, driven_at, 3), scratch(work, turned_at, 4)};
    const sim::BlendedPoints points{.stride = n,
                                    .rest = body_->rest.data(),
                                    .joints = body_->joints.data(),
                                    .weights = body_->weights.data(),
                                    .pivots = body_->pivots.empty() ? nullptr : body_->pivots.data(),
                                    .palette = palette.data(),
                                    .positions = out.positions.data(),
                                    .rotations = out.rotations.data()};
    sim::blend_all(points, work.impl().pool);
    return out;
}

LatticeRig::Driven LatticeRig::driven_at_share(std::span<const JointPlace> places, double share, const State& state,
                                               Workspace& work) const {
    const Driven out = blend(places, state, work);
    if (!flesh_.preserve_volume) return out;
    const std::span<const float> lambdas = memory(state);
    const std::span<float> now(work.impl().array(lambdas_at, part_count()).data(), part_count());
    for (std::size_t k = 0; k < part_count(); ++k)
        now[k] = float((1 - share) * lambdas[k] + share * lambdas[part_count() + k]);
    move_parts(body_->volumes, body_->stride, out.rotations, now, out.positions);
    return out;
}

/// The lambdas of the frame's pose; those of the frame before stay beside them.
void LatticeRig::begin_frame(std::span<const JointPlace> places, State& state, Workspace& work) const {
    if (!flesh_.preserve_volume) return;
    const Driven driven = blend(places, state, work);
    const StageTimer timer(work.times.volume);
    const std::span<float> lambdas = memory(state), moves = scratch(work, moves_at, 3);
    std::copy(lambdas.begin() + std::ptrdiff_t(part_count()), lambdas.end(), lambdas.begin());
    std::fill(moves.begin(), moves.end(), 0.0f);
    preserve_volumes(body_->volumes, body_->stride, driven.rotations, moves, driven.positions,
                     lambdas.last(part_count()));
}

sim::Motion LatticeRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    const StageTimer timer(work.times.pose);
    const Driven driven = driven_at_share(places, share, state, work);
    std::copy(driven.positions.begin(), driven.positions.end(), state.positions.begin());
    std::copy(driven.positions.begin(), driven.positions.end(), state.driven.begin());
    return {};
}

// ---- surface ---------------------------------------------------------------------------------------------------
void LatticeRig::embed_skinned(const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    const StageTimer timer(work.times.embed);
    const std::size_t n = body_->stride, vertices = vertex_count();
    const float scale = float(frame_of(state).scale);
    const auto now = posed_places(state, work);
    const Driven driven = driven_at_share(now, 1, state, work);
    const std::span<float> to = scratch(work, to_at, 3);
    for (std::size_t k = 0; k < 3 * n; ++k) to[k] = scale * driven.positions[k];
    stretch_points(body_->slots, {body_->joints, body_->weights}, now, state, {to}, work);
    if (out.positions.size() >= vertices) {
        const auto positions = out.positions.first(vertices);
        embedding::place_in_cells(body_->bound, n, to, positions);
        place_in_scene(state, positions);
    }
    const RestSurface& rest = body_->surface;
    if (out.normals.size() >= vertices && rest.normals.size() == vertices)
        embedding::turn_normals_in_cells(body_->bound, n, to, rest.normals, out.normals.first(vertices));
    if (out.tangents.size() >= vertices && rest.tangents.size() == vertices)
        embedding::turn_tangents_in_cells(body_->bound, n, to, rest.tangents, out.tangents.first(vertices));
}

}  // namespace

Result<RigPtr> bind_lattice(const Character& character, const LatticeSettings& settings) {
    if (const Status checked = check_skinned(character, "lattice"); !checked) return checked.error();
    auto body = build_lattice_body(character, settings);
    if (!body) return body.error();
    return RigPtr(std::make_shared<LatticeRig>(*body, settings));
}

}  // namespace fascia
