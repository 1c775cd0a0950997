// As-rigid-as-possible voxels (docs/formulas.md C10). Points that one joint holds follow it; the others start where
// skinning puts them, and are then moved so that the voxels keep their shape as well as they can. The surface is
// embedded in the voxels. The result follows from the pose alone, unless `warm` asks to continue from the last frame.
#include <algorithm>
#include <cmath>

#include "base/workspace.h"
#include "embed/outward.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/solves.h"
#include "methods/shared/stage_timer.h"
#include "methods/volumetric/held_points.h"
#include "methods/volumetric/point_skin.h"
#include "methods/volumetric/volumetric.h"
#include "methods/volumetric/volumetric_rig.h"
#include "sim/grid_arap.h"
#include "sim/rotation_fit.h"

namespace fascia {

namespace {

/// Rounds of a first frame if later ones continue from it.
constexpr int warm_iterations = 20;
/// Rounds that turn and move one after the other, as published; further ones, and all that start from the last frame's
/// solution, are Newton's.
constexpr int published_rounds = 2;
/// A limb cannot become longer between its bones: what its section gains alone is two thirds of what is asked for.
constexpr float volume_step = 1.4f;

struct VolumetricArapScratch {
    Floats skinned, places, turns, skin_turns, near, found;
    std::vector<Affine> pose;
    std::vector<Vec3> surface, normals;
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

/// Vertices that bones carry alone need no check.
embedding::OutwardNormals outward_of(const VolumetricBody& body, std::span<const std::uint8_t> held) {
    const RestSurface& surface = body.surface;
    std::vector<std::uint8_t> watched(surface.positions.size(), 0);
    for (std::size_t k = 0; k < body.bound.points.size(); ++k)
        if (body.bound.weights[k] > 0 && !held[body.bound.points[k]]) watched[k / 8] = 1;
    return {surface.positions, surface.normals, embedding::Fans(surface.positions, surface.triangles), watched};
}

class VolumetricArapRig final : public VolumetricRig, public Solves {
public:
    VolumetricArapRig(const VolumetricArapSettings& settings, std::shared_ptr<const VolumetricBody> given)
        : VolumetricRig(settings, std::move(given)), surface_(body()) {
        const std::vector<std::uint32_t> ends = grid_ends(body().corners);
        held_ = held_points(body(), ends, settings);
        arap_ = arap_of(body(), ends, held_.held);
        skin_ = PointSkin(body(), every_point(body()), rest_pose(),
                          settings.start == "lbs" ? PointSkin::Blend::linear : PointSkin::Blend::dual_quaternions);
        turns_of_skin_ = PointTurns(body(), arap_.padded(), rest_pose());
        outward_ = outward_of(body(), held_.held);
        for (const Joint& joint : body().surface.joints) {
            inverse_rest_.push_back(inverse(joint.rest));
            parents_.push_back(joint.parent);
        }
        if (settings.warm) {
            offsets_ = layout_.add("offsets from skinning", 3 * point_count());
            turns_ = layout_.add("rotations against skinning", 4 * arap_.stride());
        }
        ByteWriter built;
        write_volumetric_body(body(), built);
        built.array(held_.held);
        built.array(settings.start);
        built.value(std::int32_t(settings.rounds));
        built.value(std::int32_t(settings.volume_rounds));
        built.value(std::uint8_t(settings.warm));
        built.value(std::uint8_t(settings.keep_lengths));
        fingerprint_ = fingerprint_of(VolumetricArapSettings::method, built.bytes());
    }

    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return body().point_count(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = body().warnings;
        out.insert(out.end(), held_.warnings.begin(), held_.warnings.end());
        return out;
    }

    State make_state() const override {
        State state = PosedRig::make_state();
        state.stride = point_count();
        // At rest, which is also what solving gives there.
        const Vec3d origin = skin_.origin(rest_pose());
        state.frame = frame_at(origin, body().grid.h);
        state.positions.resize(3 * point_count());
        for (std::size_t p = 0; p < point_count(); ++p) {
            const Vec3 at = to_float((body().place(p) - origin) * (1 / body().grid.h));
            for (std::size_t c = 0; c < 3; ++c)
                state.positions[c * point_count() + p] = c == 0 ? at.x : c == 1 ? at.y : at.z;
        }
        if (own().warm) std::fill_n(layout_.of(state, turns_).begin(), arap_.stride(), 1.0f);
        return state;
    }
    std::shared_ptr<const PointSurface> point_surface() const override {
        return std::make_shared<PointSurface>(PointSurface{body().surface, body().bound, true});
    }

    // ---- inside ----
    std::vector<std::string> layer_names() const override { return {"bone", "flesh"}; }
    std::vector<std::uint8_t> point_layers() const override {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t held : held_.held) out.push_back(held ? 0 : 1);
        return out;
    }
    void point_positions(const State& state, std::span<Vec3> out, Workspace&) const override {
        if (!fits(state) || out.size() < point_count()) return;
        const std::size_t n = point_count();
        for (std::size_t p = 0; p < n; ++p)
            out[p] = to_float(
                transform_point(state.frame, {state.positions[p], state.positions[n + p], state.positions[2 * n + p]}));
    }
    std::vector<std::uint32_t> point_cells() const override { return body().corners.of_cell; }
    std::optional<SolvedFrame> solved(const State& state, Workspace& work) const override;

private:
    const VolumetricArapSettings& own() const { return *settings().as<VolumetricArapSettings>(); }
    bool fits(const State& state) const override {
        return PosedRig::fits(state) && state.positions.size() == 3 * point_count();
    }
    void follow(bool continues, State& state, Workspace& work) const override {
        const int rounds = own().rounds;
        if (continues) return solve(own().warm, rounds, state, work);
        solve(false, own().warm ? std::max(rounds, warm_iterations) : rounds, state, work);
    }
    void show(const State& state, const Surface& out, Workspace& work) const override {
        const std::size_t n = vertex_count();
        if (outward_.empty() || out.normals.size() < n) return embed_in(surface_, state, out, work);
        // What is written to the caller's memory is not read again.
        auto& scratch = work.impl().scratch<VolumetricArapScratch>();
        const std::span<Vec3> places = sized(scratch.surface, n), normals = sized(scratch.normals, n);
        embed_in(surface_, state, {places, normals, out.tangents}, work);
        outward_.correct(places, normals, work.impl().pool);
        if (out.positions.size() >= n) std::copy(places.begin(), places.end(), out.positions.begin());
        std::copy(normals.begin(), normals.end(), out.normals.begin());
    }
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override {
        if (const auto* own = dynamic_cast<const CellsAttachment*>(&attached); own != nullptr)
            embed_in(own->surface, state, out, work);
    }
    std::shared_ptr<AttachedSurface> attachment(const CarriedMesh& mesh) const override {
        return std::make_shared<CellsAttachment>(CellSurface(body(), mesh));
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
        keep_bone_lengths(state.joints, rest_pose(), parents_, pose);
        return pose;
    }
    void skin_places(std::span<const Affine> pose, double cell, VolumetricArapScratch& scratch, Workspace& work) const;
    void solve(bool warm, int iterations, State& state, Workspace& work) const;
    void recall(const State& state, VolumetricArapScratch& scratch) const;
    void remember(State& state, VolumetricArapScratch& scratch) const;

    CellSurface surface_;
    embedding::OutwardNormals outward_;
    HeldPoints held_;
    sim::GridArap arap_;
    PointSkin skin_;
    PointTurns turns_of_skin_;  ///< of the points that the solver turns
    std::vector<Affine> inverse_rest_;
    std::vector<int> parents_;
    MemoryLayout::BlockNumber offsets_ = 0, turns_ = 0;
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

/// The last frame's solution moves along with the skeleton.
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
        const double cell = body().grid.h * std::sqrt(square / 3);
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
    ThreadPool& pool = work.impl().pool;
    const int plain = warm ? 0 : std::min(iterations, published_rounds);
    for (int k = 0; k < plain; ++k) arap_.iterate(places, turns, 1, scratch.arap, pool);
    for (int k = plain; k < iterations; ++k)
        if (!arap_.newton(places, turns, scratch.arap, pool)) break;
    // The next frame goes on from what the edges want: volume comes on top of that.
    if (own().warm) remember(state, scratch);
    for (int k = 0; k < own().volume_rounds && iterations > 0; ++k)
        arap_.restore_volume(places, turns, volume_step, scratch.arap, pool);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t p = 0; p < n; ++p) state.positions[c * n + p] = places[sim::arap_floats * p + c];
}

std::optional<SolvedFrame> VolumetricArapRig::solved(const State& state, Workspace& work) const {
    if (!fits(state)) return std::nullopt;
    auto& scratch = work.impl().scratch<VolumetricArapScratch>();
    const std::size_t n = point_count();
    const std::span<float> places = sized(scratch.found, sim::arap_places(n)),
                           turns = sized(scratch.turns, 4 * arap_.stride());
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t p = 0; p < n; ++p) places[sim::arap_floats * p + c] = state.positions[c * n + p];
    turns_of_skin_.turn(followed_pose(state, scratch), turns, work);
    arap_.fit(places, turns, scratch.arap, work.impl().pool);
    return SolvedFrame{own().rounds, own().volume_rounds, arap_.energy(places, turns) / double(arap_.turned().size())};
}

FieldsOf<VolumetricArapSettings> volumetric_arap_fields() {
    using S = VolumetricArapSettings;
    FieldsOf<S> fields;
    add_volumetric_fields(fields);
    fields
        .number("rounds", &S::rounds, {0, 100}, Use::built_in, "",
                "Rounds of turning and moving per frame; raised: stiffer, slower, until nothing is left to move; 0 is "
                "skinning of the voxels alone")
        .number("volume_rounds", &S::volume_rounds, {0, 20}, Use::built_in, "",
                "Rounds per frame that give flesh the volume back that bending and twisting took, after the others; 0: "
                "none, edges alone count")
        .choice("start", &S::start, {"dqs", "lbs"}, Use::built_in, "The skinning that every frame starts from")
        .choice("hold", &S::hold, {"weights", "bones"}, Use::built_in,
                "Which points follow the skeleton. weights: those that one joint holds nearly alone; bones: those of "
                "the voxels that bones pass through")
        .number("hold_above", &S::hold_above, {0, 1}, Use::built_in, "weight",
                "With hold weights: the weight above which one joint holds a point; raised: more flesh gives way")
        .boolean(
            "warm", &S::warm, Use::built_in,
            "Starts from the last frame's solution: one round does what twenty do, but what is shown depends on the "
            "frames before")
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
    info.abilities.can_be_rectified = true;
    info.abilities.embeddings = all_embeddings();
    info.stages = {"pose", "solve", "embed"};
    using Maker = VolumetricMaker<VolumetricArapRig, VolumetricArapSettings>;
    return make_method<VolumetricArapSettings>(std::move(info), volumetric_arap_fields(), 2,
                                               {&Maker::bind, &Maker::load});
}

}  // namespace fascia
