// As-rigid-as-possible voxels (docs/formulas.md C10). Points that one joint holds follow it; the others start where
// skinning puts them, and are then moved so that the voxels keep their shape as well as they can. The surface lies in
// the voxels. What is shown follows from the pose alone, unless `warm` asks to go on from the last frame.
#include <algorithm>
#include <cmath>

#include "base/workspace.h"
#include "methods/shared/corner_surface.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/memory_layout.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"
#include "methods/volumetric/cell_surface.h"
#include "methods/volumetric/held_points.h"
#include "methods/volumetric/point_skin.h"
#include "methods/volumetric/volumetric.h"
#include "sim/grid_arap.h"
#include "sim/rotation_fit.h"

namespace fascia {

namespace {

/// Iterations of a first frame where later ones go on from it.
constexpr int warm_iterations = 20;
/// A warm start follows a solution that moves on: longer steps lag behind less. Up to 2 the energy still falls.
constexpr float warm_step = 1.8f;

struct VolumetricArapScratch {
    Floats skinned, places, turns, skin_turns, near;
    std::vector<Affine> pose;
    sim::ArapScratch arap;
};

/// Points of a State, for one surface.
class CellsAttachment final : public AttachedSurface {
public:
    explicit CellsAttachment(CellSurface given) : surface(std::move(given)) {}
    std::size_t vertex_count() const override { return surface.vertex_count(); }
    CellSurface surface;
};

std::vector<std::uint32_t> every_point(const VolumetricBody& body) {
    std::vector<std::uint32_t> out(body.point_count());
    for (std::uint32_t p = 0; p < out.size(); ++p) out[p] = p;
    return out;
}

sim::GridArap arap_of(const VolumetricBody& body, std::span<const std::uint32_t> ends,
                      std::span<const std::uint8_t> held) {
    std::vector<std::array<int, 3>> places;
    for (const lattice::Cell c : body.corners.places) places.push_back({c.x, c.y, c.z});
    return sim::GridArap({places, ends, held});
}

class VolumetricArapRig final : public Rig, public Inside, public Clothes {
public:
    VolumetricArapRig(const VolumetricArapSettings& settings, std::shared_ptr<const VolumetricBody> body)
        : settings_(settings), body_(std::move(body)), gate_(body_->surface.joints), surface_(*body_) {
        const std::vector<std::uint32_t> ends = grid_ends(body_->corners);
        held_ = held_points(*body_, ends, settings);
        arap_ = arap_of(*body_, ends, held_.held);
        skin_ = PointSkin(*body_, every_point(*body_), gate_.rest(),
                          settings.start == "lbs" ? PointSkin::Blend::linear : PointSkin::Blend::dual_quaternions);
        turns_of_skin_ = PointTurns(*body_, arap_.padded(), gate_.rest());
        for (const Joint& joint : body_->surface.joints) {
            inverse_rest_.push_back(inverse(joint.rest));
            parents_.push_back(joint.parent);
        }
        if (settings.warm) {
            offsets_ = layout_.add("offsets from skinning", 3 * point_count());
            turns_ = layout_.add("rotations against skinning", 4 * arap_.stride());
        }
        ByteWriter built;
        write_volumetric_body(*body_, built);
        built.array(held_.held);
        built.array(settings.start);
        built.value(std::int32_t(settings.rounds));
        built.value(std::uint8_t(settings.warm));
        built.value(std::uint8_t(settings.keep_lengths));
        fingerprint_ = fingerprint_of(VolumetricArapSettings::method, built.bytes());
    }

    const Settings& settings() const override { return settings_; }
    std::size_t joint_count() const override { return gate_.size(); }
    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return body_->point_count(); }
    std::uint64_t fingerprint() const override { return fingerprint_; }
    bool has_normals() const override { return !body_->surface.normals.empty(); }
    bool has_tangents() const override { return !body_->surface.tangents.empty(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = body_->warnings;
        out.insert(out.end(), held_.warnings.begin(), held_.warnings.end());
        return out;
    }

    State make_state() const override {
        State state;
        state.rig = fingerprint_;
        gate_.make(state);
        layout_.make(state);
        state.stride = point_count();
        // At rest, which is also what solving gives there.
        const Vec3d origin = skin_.origin(gate_.rest());
        state.frame = frame_at(origin, body_->grid.h);
        state.positions.resize(3 * point_count());
        for (std::size_t p = 0; p < point_count(); ++p) {
            const Vec3 at = to_float((body_->place(p) - origin) * (1 / body_->grid.h));
            for (std::size_t c = 0; c < 3; ++c)
                state.positions[c * point_count() + p] = c == 0 ? at.x : c == 1 ? at.y : at.z;
        }
        if (own().warm) std::fill_n(layout_.of(state, turns_).begin(), arap_.stride(), 1.0f);
        return state;
    }
    bool accepts(const State& state) const override { return is_sound_like(state, make_state()); }
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const override {
        if (!fits(state)) begin_as_own(*this, state);
        gate_.reset(joints, state);
        solve(false, own().warm ? std::max(own().rounds, warm_iterations) : own().rounds, state, work);
    }
    void advance(std::span<const Affine> joints, double, State& state, Workspace& work) const override {
        if (!fits(state)) begin_as_own(*this, state);
        gate_.advance(joints, state);
        solve(own().warm, own().rounds, state, work);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        const StageTimer timer(work.times["embed"]);
        if (fits(state)) embed_in(surface_, state, out, work);
    }
    bool embed_reads() const override { return false; }
    std::shared_ptr<const PointSurface> point_surface() const override {
        return std::make_shared<PointSurface>(PointSurface{body_->surface, body_->bound, true});
    }
    const SkinWeights* skin_weights() const override { return &body_->surface.weights; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_volumetric_body(*body_, out);
        return out.take();
    }

    // ---- inside ----
    const Inside* inside() const override { return this; }
    std::vector<std::string> layer_names() const override { return {"bone", "flesh"}; }
    std::vector<std::uint8_t> point_layers() const override {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t held : held_.held) out.push_back(held ? 0 : 1);
        return out;
    }
    double point_spacing() const override { return body_->grid.h; }
    int resolution() const override { return body_->resolution(); }
    void point_positions(const State& state, std::span<Vec3> out, Workspace&) const override {
        if (!fits(state) || out.size() < point_count()) return;
        const std::size_t n = point_count();
        for (std::size_t p = 0; p < n; ++p)
            out[p] = to_float(
                transform_point(state.frame, {state.positions[p], state.positions[n + p], state.positions[2 * n + p]}));
    }
    std::vector<std::uint32_t> point_cells() const override { return body_->corners.of_cell; }

    // ---- clothes ----
    const Clothes* clothes() const override { return this; }
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<CarriedMesh> carried =
            carry_mesh({body_->grid, body_->corners, body_->surface, body_->bound, body_->size}, mesh);
        if (!carried) return carried.error();
        auto out = std::make_shared<CellsAttachment>(CellSurface(*body_, *carried));
        out->warnings = carried->tied.warnings;
        out->beneath = vertices_beneath(body_->surface, carried->tied);
        return std::shared_ptr<AttachedSurface>(std::move(out));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        const auto* own = dynamic_cast<const CellsAttachment*>(&attached);
        if (own != nullptr && fits(state)) embed_in(own->surface, state, out, work);
    }

    static Result<RigPtr> bind(const Character& character, const VolumetricArapSettings& settings, const BindInputs&) {
        const auto body = build_volumetric_body(character, settings, VolumetricArapSettings::method);
        if (!body) return body.error();
        return RigPtr(std::make_shared<VolumetricArapRig>(settings, *body));
    }
    static Result<RigPtr> load(const VolumetricArapSettings& settings, ByteReader& in) {
        const auto body = read_volumetric_body(in);
        if (!body) return body.error();
        return RigPtr(std::make_shared<VolumetricArapRig>(settings, *body));
    }

private:
    const VolumetricArapSettings& own() const { return *settings_.as<VolumetricArapSettings>(); }
    bool fits(const State& state) const {
        return state.rig == fingerprint_ && state.joints.size() == gate_.size() &&
               state.positions.size() == 3 * point_count() && layout_.fits(state);
    }
    /// From cells about the origin to the scene.
    static Affine frame_at(Vec3d origin, double cell) {
        Affine out;
        for (int k = 0; k < 3; ++k) out.m[k][k] = cell;
        out.m[0][3] = origin.x, out.m[1][3] = origin.y, out.m[2][3] = origin.z;
        return out;
    }
    void embed_in(const CellSurface& surface, const State& state, const Surface& out, Workspace& work) const {
        const std::vector<std::uint32_t>& points = surface.points();
        const std::size_t n = points.size();
        const std::span<float> near = sized(work.impl().scratch<VolumetricArapScratch>().near, 3 * n);
        const float cell = float(state.frame.m[0][0]);
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t k = 0; k < n; ++k) near[c * n + k] = cell * state.positions[c * point_count() + points[k]];
        surface.place(near, translation_of(state.frame), out, work);
    }

    /// The pose that points follow.
    std::span<const Affine> followed_pose(const State& state, VolumetricArapScratch& scratch) const {
        if (!own().keep_lengths) return state.joints;
        const std::span<Affine> pose = sized(scratch.pose, state.joints.size());
        keep_bone_lengths(state.joints, gate_.rest(), parents_, pose);
        return pose;
    }
    void skin_places(std::span<const Affine> pose, double cell, VolumetricArapScratch& scratch, Workspace& work) const;
    void solve(bool warm, int iterations, State& state, Workspace& work) const;
    void recall(const State& state, VolumetricArapScratch& scratch) const;
    void remember(State& state, VolumetricArapScratch& scratch) const;

    Settings settings_;
    std::shared_ptr<const VolumetricBody> body_;
    PoseGate gate_;
    CellSurface surface_;
    HeldPoints held_;
    sim::GridArap arap_;
    PointSkin skin_;
    PointTurns turns_of_skin_;  ///< of the points that the solver turns
    std::vector<Affine> inverse_rest_;
    std::vector<int> parents_;
    MemoryLayout layout_;
    MemoryLayout::BlockNumber offsets_ = 0, turns_ = 0;
    std::uint64_t fingerprint_ = 0;
};

/// Where skinning puts every point, in cells.
void VolumetricArapRig::skin_places(std::span<const Affine> pose, double cell, VolumetricArapScratch& scratch,
                                    Workspace& work) const {
    const std::size_t n = point_count();
    const std::span<float> skinned = sized(scratch.skinned, 3 * n), places = sized(scratch.places, sim::arap_places(n));
    skin_.pose(pose, skinned, work);
    const float unit = float(1 / cell);
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t c = 0; c < 3; ++c) {
            skinned[c * n + p] *= unit;
            places[sim::arap_floats * p + c] = skinned[c * n + p];
        }
}

sim::Rotation rotation_at(std::span<const float> channels, std::size_t stride, std::size_t k) {
    return {channels[k], channels[stride + k], channels[2 * stride + k], channels[3 * stride + k]};
}
void put_rotation(sim::Rotation q, std::span<float> channels, std::size_t stride, std::size_t k) {
    channels[k] = q.w, channels[stride + k] = q.x, channels[2 * stride + k] = q.y, channels[3 * stride + k] = q.z;
}
Vec3 turned_by(sim::Rotation q, Vec3 v) {
    const Vec3 u{q.x, q.y, q.z}, t = cross(u, v) * 2.0f;
    return v + t * q.w + cross(u, t);
}

/// What the last frame has found goes along with the skeleton.
void VolumetricArapRig::recall(const State& state, VolumetricArapScratch& scratch) const {
    const std::span<const float> offsets = layout_.of(state, offsets_), turns = layout_.of(state, turns_);
    const std::size_t n = point_count(), stride = arap_.stride();
    for (std::size_t k = 0; k < stride; ++k) {
        const sim::Rotation skin = rotation_at(scratch.skin_turns, stride, k);
        put_rotation(sim::unit(skin * rotation_at(turns, stride, k)), scratch.turns, stride, k);
        if (k >= arap_.turned().size()) continue;
        const std::size_t p = arap_.turned()[k];
        if (held_.held[p]) continue;
        const Vec3 to = turned_by(skin, {offsets[p], offsets[n + p], offsets[2 * n + p]});
        float* place = &scratch.places[sim::arap_floats * p];
        place[0] += to.x, place[1] += to.y, place[2] += to.z;
    }
}

void VolumetricArapRig::remember(State& state, VolumetricArapScratch& scratch) const {
    const std::span<float> offsets = layout_.of(state, offsets_), turns = layout_.of(state, turns_);
    const std::size_t n = point_count(), stride = arap_.stride();
    for (std::size_t k = 0; k < stride; ++k) {
        const sim::Rotation back = conjugate(rotation_at(scratch.skin_turns, stride, k));
        put_rotation(sim::unit(back * rotation_at(scratch.turns, stride, k)), turns, stride, k);
        if (k >= arap_.turned().size()) continue;
        const std::size_t p = arap_.turned()[k];
        const float* place = &scratch.places[sim::arap_floats * p];
        const Vec3 off{place[0] - scratch.skinned[p], place[1] - scratch.skinned[n + p],
                       place[2] - scratch.skinned[2 * n + p]};
        const Vec3 by = turned_by(back, off);
        offsets[p] = by.x, offsets[n + p] = by.y, offsets[2 * n + p] = by.z;
    }
}

void VolumetricArapRig::solve(bool warm, int iterations, State& state, Workspace& work) const {
    auto& scratch = work.impl().scratch<VolumetricArapScratch>();
    const std::size_t n = point_count();
    {
        const StageTimer timer(work.times["pose"]);
        const std::span<const Affine> pose = followed_pose(state, scratch);
        const Affine first = pose[0] * inverse_rest_[0];
        double square = 0;
        for (const auto& row : first.m) square += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
        const double cell = body_->grid.h * std::sqrt(square / 3);
        state.frame = frame_at(skin_.origin(pose), cell);
        skin_places(pose, cell, scratch, work);
        // Where the search for the best rotations begins.
        const std::span<float> turns = sized(scratch.turns, 4 * arap_.stride());
        turns_of_skin_.turn(pose, turns, work);
        if (own().warm) std::copy(turns.begin(), turns.end(), sized(scratch.skin_turns, turns.size()).begin());
        if (warm) recall(state, scratch);
    }
    const StageTimer timer(work.times["solve"]);
    const std::span<float> places = sized(scratch.places, sim::arap_places(n)),
                           turns = sized(scratch.turns, 4 * arap_.stride());
    const float step = warm ? warm_step : 1;
    for (int k = 0; k < iterations; ++k) arap_.iterate(places, turns, step, scratch.arap, work.impl().pool);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t p = 0; p < n; ++p) state.positions[c * n + p] = places[sim::arap_floats * p + c];
    if (own().warm) remember(state, scratch);
}

FieldsOf<VolumetricArapSettings> volumetric_arap_fields() {
    using S = VolumetricArapSettings;
    FieldsOf<S> fields;
    add_volumetric_fields(fields);
    fields
        .number("rounds", &S::rounds, {0, 100}, Use::built_in, "",
                "Rounds of turning and moving per frame; raised: stiffer, slower; 0 is skinning of the voxels alone")
        .choice("start", &S::start, {"dqs", "lbs"}, Use::built_in, "The skinning that every frame starts from")
        .choice("hold", &S::hold, {"weights", "bones"}, Use::built_in,
                "Which points follow the skeleton. weights: those that one joint holds nearly alone; bones: those of "
                "the voxels that bones pass through")
        .number("hold_above", &S::hold_above, {0, 1}, Use::built_in, "weight",
                "With hold weights: the weight above which one joint holds a point; raised: more flesh gives way")
        .boolean("warm", &S::warm, Use::built_in,
                 "Starts from the last frame's solution: fewer iterations do, but what is shown depends on the frames "
                 "before")
        .boolean("keep_lengths", &S::keep_lengths, Use::built_in,
                 "Bones keep their lengths where joints are dragged apart");
    return fields;
}

}  // namespace

Method volumetric_arap_method() {
    MethodInfo info;
    info.from = "Luo 2016";
    info.summary = "voxels that stay as rigid as they can";
    info.abilities.has_layers = true;
    info.abilities.has_cells = true;
    info.abilities.takes_clothes = true;
    info.abilities.embeddings = all_embeddings();
    info.stages = {"pose", "solve", "embed"};
    return make_method<VolumetricArapSettings>(std::move(info), volumetric_arap_fields(), 1,
                                               {&VolumetricArapRig::bind, &VolumetricArapRig::load});
}

}  // namespace fascia
