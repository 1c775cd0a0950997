// Point handles (docs/formulas.md C15): vertices near a handle follow it; all others start where linear blending puts
// them and then move so that the surface keeps its shape as well as it can. The result depends only on the pose, the
// enabled handles and their turns.
#include "methods/handles/handles.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/glob.h"
#include "base/portable_math.h"
#include "base/words.h"
#include "base/workspace.h"
#include "body/body_of.h"
#include "fascia/handles.h"
#include "fascia/weights.h"
#include "methods/handles/handle_maps.h"
#include "methods/handles/handle_points.h"
#include "methods/handles/link_hold.h"
#include "methods/handles/reduced_handles.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/posed_rig.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// Larger surfaces would take seconds to factor and gigabytes to hold.
constexpr std::size_t most_vertices = 300000;
/// Weights are computed for each joint against all others: memory grows with the square.
constexpr std::size_t most_joints = 5000;
/// Number of factorisations to cache, each for one set of enabled handles.
constexpr std::size_t most_factors = 8;
constexpr std::size_t show_grain = 1024;

struct HandlesScratch {
    HandleMaps::Scratch maps;
    std::vector<Affine> pose, carried;
    std::vector<Vec3> skinned;
    std::vector<std::uint8_t> enabled;
    std::vector<float> quaternions;
    Floats places, turns;
    sim::ArapScratch arap;
    ReducedHandles::Scratch reduced;
};

std::optional<TurnMean> mean_named(const std::string& name) {
    if (name == "given") return std::nullopt;
    return name == "slerp"     ? TurnMean::slerp
           : name == "fast"    ? TurnMean::fast
           : name == "printed" ? TurnMean::printed
                               : TurnMean::eigenvector;
}

Vec3 turned(const float* q, Vec3 v) {
    const Vec3 u{q[1], q[2], q[3]}, t = cross(u, v) * 2.0f;
    return v + t * q[0] + cross(u, t);
}

/// A further mesh: each vertex keeps its place beside the triangle it is tied to.
class HandledAttachment final : public AttachedSurface {
public:
    HandledAttachment(const RestSurface& body, TiedMesh given) : tied(std::move(given)) {
        warnings = tied.warnings;
        beneath = vertices_beneath(body, tied);
        for (std::size_t v = 0; v < tied.ties.size(); ++v)
            arms.push_back(to_float(to_double(tied.surface.positions[v]) - tied.ties[v].point));
    }
    std::size_t vertex_count() const override { return tied.ties.size(); }
    TiedMesh tied;
    std::vector<Vec3> arms;
};

/// The initially enabled handles, from a comma-separated list of globs of disabled ones.
std::vector<float> enabled_at_first(const std::string& disabled, std::span<const Joint> joints) {
    std::vector<float> out(joints.size(), 1);
    for (std::size_t at = 0; at < disabled.size();) {
        const std::size_t end = std::min(disabled.find(',', at), disabled.size());
        const std::string pattern = disabled.substr(at, end - at);
        for (std::size_t j = 0; j < joints.size(); ++j)
            if (glob_match(pattern, joints[j].name)) out[j] = 0;
        at = end + 1;
    }
    return out;
}

/// The joints, and the ends of bones that no joint continues: without those, nothing would show how the last bone of a
/// chain turns. Ends are children of their joints.
std::vector<Joint> handles_of(const Character& character) {
    std::vector<Joint> out = character.joints;
    std::vector<std::uint8_t> continued(out.size(), 0);
    for (const Joint& joint : character.joints)
        if (joint.parent >= 0) continued[std::size_t(joint.parent)] = 1;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Joint& joint = character.joints[j];
        const Vec3d arm = joint.tail - translation_of(joint.rest);
        if (continued[j] || !(length(arm) > 1e-6 * character.size())) continue;
        Joint end = joint;
        end.name = joint.name + "_end";
        end.parent = int(j);
        end.rest.m[0][3] += arm.x, end.rest.m[1][3] += arm.y, end.rest.m[2][3] += arm.z;
        end.tail = joint.tail;
        out.push_back(std::move(end));
    }
    return out;
}

/// Everything a rig of handles is made from, and everything its file holds.
struct HandlesPlan {
    RestSurface rest;            ///< with the joints' weights; those of an end count for its joint
    std::vector<Joint> handles;  ///< joints, then ends
    SkinWeights weights;         ///< of handles
    std::vector<std::string> warnings;
};

void write_plan(const HandlesPlan& plan, ByteWriter& out) {
    write_rest_surface(plan.rest, out);
    RestSurface more;
    more.positions = plan.rest.positions;
    more.triangles = plan.rest.triangles;
    more.weights = plan.weights;
    more.joints = plan.handles;
    write_rest_surface(more, out);
}

Result<HandlesPlan> read_plan(ByteReader& in) {
    Result<RestSurface> rest = read_rest_surface(in);
    if (!rest) return rest.error();
    Result<RestSurface> more = read_rest_surface(in);
    if (!more) return more.error();
    if (more->positions.size() != rest->positions.size() || more->joints.size() < rest->joints.size())
        return input_error("its handles do not belong to its surface");
    for (std::size_t j = rest->joints.size(); j < more->joints.size(); ++j)
        if (more->joints[j].parent < 0 || more->joints[j].parent >= int(rest->joints.size()))
            return input_error("an end of its bones belongs to no joint");
    return HandlesPlan{std::move(*rest), std::move(more->joints), std::move(more->weights), {}};
}

/// The weights of ends, added to those of their joints.
SkinWeights weights_of_joints(const SkinWeights& weights, std::span<const Joint> handles, std::size_t joints) {
    SkinWeights out = weights;
    const std::size_t slots = std::size_t(weights.influences);
    for (std::size_t v = 0; v + slots <= out.joints.size(); v += slots)
        for (std::size_t s = v; s < v + slots; ++s) {
            if (out.joints[s] >= joints) out.joints[s] = std::uint16_t(handles[out.joints[s]].parent);
            for (std::size_t before = v; before < s; ++before)
                if (out.joints[before] == out.joints[s] && out.weights[s] > 0)
                    out.weights[before] += out.weights[s], out.weights[s] = 0;
        }
    return out;
}

class HandlesRig final : public PosedRig, public Handling {
public:
    HandlesRig(const HandlesSettings& settings, HandlesPlan plan)
        : PosedRig(settings, plan.rest.joints),
          own_(settings),
          plan_(std::move(plan)),
          rest_(plan_.rest),
          points_(rest_, plan_.weights),
          maps_(plan_.handles, mean_named(settings.turns)),
          links_(settings.links == "rigid" ? LinkHold(points_, maps_, settings.proximal) : LinkHold()),
          skin_(points_.source(), maps_.rest()),
          inverse_first_(inverse(rest_pose()[0])),
          usual_(enabled_at_first(settings.disabled, plan_.handles)) {
        enabled_ = layout_.add("enabled", handle_count(), 1);
        turns_ = layout_.add("own turns", 4 * handle_count());
        if (settings.solver == "reduced") reduced_ = ReducedHandles(rest_, points_);
        frames_ = is_reduced() ? layout_.add("frames", 12 * reduced_.frame_count()) : 0;
        places_ = is_reduced() ? 0 : layout_.add("places", 3 * points_.size());
        rotations_ = is_reduced() ? 0 : layout_.add("rotations", 4 * points_.size());
        ByteWriter built;
        write_plan(plan_, built);
        built.value(std::int32_t(settings.iterations));
        built.value(settings.proximal);
        for (const std::string* text :
             {&settings.turns, &settings.links, &settings.solver, &settings.smoothing, &settings.disabled})
            built.array(*text);
        fingerprint_ = fingerprint_of(HandlesSettings::method, built.bytes());
        note_handles_without_points();
    }

    std::size_t vertex_count() const override { return rest_.positions.size(); }
    std::size_t point_count() const override { return points_.size(); }
    std::vector<std::string> warnings() const override { return plan_.warnings; }
    bool embed_reads() const override { return false; }

    State make_state() const override {
        State state = PosedRig::make_state();
        std::copy(usual_.begin(), usual_.end(), layout_.of(state, enabled_).begin());
        for (std::size_t h = 0; h < handle_count(); ++h) layout_.of(state, turns_)[4 * h] = 1;
        if (is_reduced()) {
            const std::span<float> frames = layout_.of(state, frames_);
            for (std::size_t k = 0; k < reduced_.frame_count(); ++k) {
                const Vec3 at = points_.arap.rest()[reduced_.centres()[k]];
                const float still[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, at.x, at.y, at.z};
                std::copy_n(still, 12, &frames[12 * k]);
            }
            return state;
        }
        const std::span<float> places = layout_.of(state, places_), rotations = layout_.of(state, rotations_);
        for (std::size_t p = 0; p < points_.size(); ++p) {
            const Vec3 at = points_.arap.rest()[p];
            places[3 * p] = at.x, places[3 * p + 1] = at.y, places[3 * p + 2] = at.z;
            rotations[4 * p] = 1;
        }
        return state;
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_plan(plan_, out);
        return out.take();
    }

    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        Result<TiedMesh> tied = tie_mesh(rest_, mesh, size_of(rest_));
        if (!tied) return tied.error();
        return std::shared_ptr<AttachedSurface>(std::make_shared<HandledAttachment>(rest_, std::move(*tied)));
    }

    // ---- handles ----
    Status enable(const std::string& handles, bool on, State& state) const override {
        return for_each_named(handles, [&](std::size_t j) { layout_.of(state, enabled_)[j] = on ? 1 : 0; });
    }
    bool is_enabled(std::size_t handle, const State& state) const override {
        return handle < handle_count() && layout_.of(state, enabled_)[handle] > 0;
    }
    Status turn(const std::string& handles, Quat turn, State& state) const override {
        if (!std::isfinite(dot(turn, turn))) return usage_error("a handle cannot be turned by what is not a number");
        const Quat q = normalized(turn);
        return for_each_named(handles, [&](std::size_t j) {
            float* own = &layout_.of(state, turns_)[4 * j];
            own[0] = float(q.w), own[1] = float(q.x), own[2] = float(q.y), own[3] = float(q.z);
        });
    }

    static Result<RigPtr> bind(const Character& character, const HandlesSettings& settings, const BindInputs& inputs) {
        if (character.mesh.vertex_count() > most_vertices)
            return input_error(character.name + ": has " + std::to_string(character.mesh.vertex_count()) +
                               " vertices, and method 'handles' takes at most " + std::to_string(most_vertices) +
                               "; simplify the mesh first");
        if (character.joints.size() > most_joints)
            return input_error(character.name + ": has " + std::to_string(character.joints.size()) +
                               " joints, and method 'handles' takes at most " + std::to_string(most_joints) +
                               "; remove those that carry nothing, or choose another method");
        HandlesPlan plan;
        Character weighted = body_of(character);
        if (settings.influence == "points") {
            weighted.joints = handles_of(character);
            WeightOptions wanted;
            wanted.method = "points";
            wanted.influences = 8;  // points reach further than bones
            wanted.threads = inputs.threads;
            Result<ComputedWeights> computed = compute_weights(weighted, wanted);
            if (!computed) return computed.error();
            weighted.weights = std::move(computed->weights);
            plan.warnings = std::move(computed->notes);
        }
        if (const Status checked = check_skinned(weighted, HandlesSettings::method); !checked) return checked.error();
        plan.handles = weighted.joints;
        plan.weights = weighted.weights;
        weighted.weights = weights_of_joints(plan.weights, plan.handles, character.joints.size());
        weighted.joints = character.joints;
        plan.rest = RestSurface(weighted);
        return RigPtr(std::make_shared<HandlesRig>(settings, std::move(plan)));
    }
    static Result<RigPtr> load(const HandlesSettings& settings, ByteReader& in) {
        Result<HandlesPlan> plan = read_plan(in);
        if (!plan) return plan.error();
        return RigPtr(std::make_shared<HandlesRig>(settings, std::move(*plan)));
    }

private:
    std::size_t handle_count() const { return plan_.handles.size(); }
    template <class Do>
    Status for_each_named(const std::string& pattern, Do act) const {
        bool any = false;
        for (std::size_t h = 0; h < handle_count(); ++h)
            if (glob_match(pattern, plan_.handles[h].name)) act(h), any = true;
        if (any) return ok_status();
        std::vector<std::string> names;
        for (const Joint& handle : plan_.handles) names.push_back(handle.name);
        return usage_error("there is no handle '" + pattern + "'; did you mean '" + nearest_name(pattern, names) +
                           "'?");
    }
    void note_handles_without_points() {
        std::vector<std::uint8_t> enabled(handle_count());
        for (std::size_t j = 0; j < enabled.size(); ++j) enabled[j] = usual_[j] > 0;
        std::vector<std::size_t> without;
        held_by(points_, enabled, own_.proximal, without);
        if (!without.empty())
            plan_.warnings.push_back(std::to_string(without.size()) +
                                     " handles have no vertex above the weight `proximal`" + " (the first is '" +
                                     plan_.handles[without[0]].name +
                                     "'); each holds the vertex it moves most, and those around it");
    }

    bool is_reduced() const { return reduced_.frame_count() > 0; }
    struct Factor {
        std::vector<std::uint8_t> enabled;
        sim::SurfaceHold hold;  ///< of all points
        ReducedFactor reduced;  ///< of frames; one of the two is empty
    };
    using FactorPtr = std::shared_ptr<const Factor>;

    /// The factorisation for an enabled set, computed unless it is among the last ones used.
    FactorPtr factor_of(std::span<const std::uint8_t> enabled) const {
        const std::lock_guard<std::mutex> lock(factors_mutex_);
        for (std::size_t k = 0; k < factors_.size(); ++k)
            if (std::equal(enabled.begin(), enabled.end(), factors_[k]->enabled.begin())) {
                std::rotate(factors_.begin(), factors_.begin() + std::ptrdiff_t(k),
                            factors_.begin() + std::ptrdiff_t(k) + 1);
                return factors_[0];
            }
        std::vector<std::size_t> without;
        std::vector<std::uint8_t> held = held_by(points_, enabled, own_.proximal, without);
        links_.add_held(enabled, held);
        auto made = std::make_shared<Factor>();
        made->enabled.assign(enabled.begin(), enabled.end());
        if (is_reduced())
            made->reduced = reduced_.factor(held, links_);
        else
            made->hold = sim::SurfaceHold(points_.arap, held);
        factors_.insert(factors_.begin(), std::move(made));
        if (factors_.size() > most_factors) factors_.pop_back();
        return factors_[0];
    }

    const RestSurface& rest_surface() const override { return rest_; }
    /// Where the first joint carries the middle of the body, rounded to floats.
    Vec3d origin_of(const State& state) const {
        return portable::rounded_to_float(
            transform_point(state.joints[0], transform_point(inverse_first_, points_.centre)));
    }
    void follow(bool continues, State& state, Workspace& work) const override;
    void find_maps(const State& state, HandlesScratch& scratch) const;
    void skin_places(const State& state, HandlesScratch& scratch, Workspace& work) const;
    void blended_turn(const HandlesScratch& scratch, std::size_t point, float* out) const;
    void follow_reduced(const ReducedFactor& factor, State& state, HandlesScratch& scratch) const;
    void show_attached_reduced(const HandledAttachment& attached, const State& state, const Surface& out) const;
    void smooth(const sim::SurfaceHold& hold, HandlesScratch& scratch, Workspace& work) const;
    void show(const State& state, const Surface& out, Workspace& work) const override;
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override;

    HandlesSettings own_;
    HandlesPlan plan_;
    const RestSurface& rest_;
    HandlePoints points_;
    HandleMaps maps_;
    LinkHold links_;
    ReducedHandles reduced_;  ///< without frames, every point is solved for
    LbsSurface skin_;         ///< of the points
    Affine inverse_first_;
    std::vector<float> usual_;  ///< [handles] initially enabled
    MemoryLayout::BlockNumber enabled_ = 0, turns_ = 0, places_ = 0, rotations_ = 0, frames_ = 0;
    mutable std::mutex factors_mutex_;
    mutable std::vector<FactorPtr> factors_;  ///< most recently used first
};

/// Finds the handles' poses, their maps from rest and the rotations of those.
void HandlesRig::find_maps(const State& state, HandlesScratch& scratch) const {
    const std::span<Affine> pose = sized(scratch.pose, handle_count());
    maps_.find(state.joints, layout_.of(state, turns_), scratch.maps, pose);
    const std::span<Affine> carried = sized(scratch.carried, handle_count());
    for (std::size_t j = 0; j < handle_count(); ++j) carried[j] = pose[j] * maps_.inverse_rest()[j];
    const std::span<float> quaternions = sized(scratch.quaternions, 4 * handle_count());
    for (std::size_t j = 0; j < handle_count(); ++j) {
        const Quat q = quat_from_matrix(polar(carried[j]).rotation);
        quaternions[4 * j] = float(q.w), quaternions[4 * j + 1] = float(q.x);
        quaternions[4 * j + 2] = float(q.y), quaternions[4 * j + 3] = float(q.z);
    }
}

/// Where the search for a point's best rotation starts: the blended rotations of the handles.
void HandlesRig::blended_turn(const HandlesScratch& scratch, std::size_t point, float* out) const {
    const std::span<const float> quaternions = scratch.quaternions;
    const std::size_t slots = points_.influences, from = slots * point;
    const float* first = &quaternions[4 * std::size_t(points_.joints[from])];
    float sum[4] = {0, 0, 0, 0};
    for (std::size_t s = from; s < from + slots; ++s) {
        const float* q = &quaternions[4 * std::size_t(points_.joints[s])];
        const float along = (q[0] * first[0] + q[1] * first[1]) + (q[2] * first[2] + q[3] * first[3]);
        const float w = along < 0 ? -points_.weights[s] : points_.weights[s];
        for (std::size_t c = 0; c < 4; ++c) sum[c] += w * q[c];
    }
    const float square = (sum[0] * sum[0] + sum[1] * sum[1]) + (sum[2] * sum[2] + sum[3] * sum[3]);
    const float size = square > 1e-8f ? 1 / std::sqrt(square) : 0;
    for (std::size_t c = 0; c < 4; ++c) out[c] = size > 0 ? size * sum[c] : first[c];
}

/// Linear blending by the handles, in units about the origin, and what links change about it.
void HandlesRig::skin_places(const State& state, HandlesScratch& scratch, Workspace& work) const {
    const std::size_t n = points_.size(), stride = points_.arap.stride();
    find_maps(state, scratch);
    const std::span<Affine> pose = scratch.pose, carried = scratch.carried;
    const std::span<float> turns = sized(scratch.turns, 4 * stride);
    for (std::size_t p = 0; p < stride; ++p) {
        float turn[4];
        blended_turn(scratch, std::min(p, n - 1), turn);
        for (std::size_t c = 0; c < 4; ++c) turns[c * stride + p] = turn[c];
    }
    const Vec3d from = origin_of(state);
    for (Affine& joint : pose) joint.m[0][3] -= from.x, joint.m[1][3] -= from.y, joint.m[2][3] -= from.z;
    const std::span<Vec3> skinned = sized(scratch.skinned, n);
    skin_.skin(pose, {skinned, {}, {}}, work);
    const std::span<float> places = sized(scratch.places, sim::arap_places(n));
    const float unit = float(1 / points_.unit);
    for (std::size_t p = 0; p < n; ++p) {
        float* to = &places[sim::arap_floats * p];
        to[0] = unit * skinned[p].x, to[1] = unit * skinned[p].y, to[2] = unit * skinned[p].z;
    }
    if (own_.iterations > 0)
        links_.place(scratch.maps.links, carried, scratch.enabled, from, points_.unit, places, scratch.turns,
                     points_.arap.stride());
}

/// [Luo 2016, eq. 5] One smoothing step for the vertices that handles hold, so that the border of the held area does
/// not show. As printed it moves each vertex to the mean of its neighbours, which also flattens the shape; `rigid`
/// moves it to where its neighbours, with their rotations, want it.
void HandlesRig::smooth(const sim::SurfaceHold& hold, HandlesScratch& scratch, Workspace& work) const {
    if (own_.smoothing == "none") return;
    const sim::SurfaceArap& arap = points_.arap;
    const sim::CotangentGraph& graph = arap.graph();
    const std::span<float> places = scratch.places;
    const std::size_t stride = arap.stride();
    const bool printed = own_.smoothing == "printed";
    arap.fit(places, scratch.turns, scratch.arap, work.impl().pool);
    arap.pull(places, scratch.arap, work.impl().pool);
    const std::span<float> values = scratch.arap.values;
    for (const std::uint32_t p : hold.held()) {
        float all = 0;
        Vec3 off;
        for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e) {
            const float *a = &places[sim::arap_floats * p], *b = &places[sim::arap_floats * graph.to[e]];
            all += graph.weights[e];
            off += Vec3{b[0] - a[0], b[1] - a[1], b[2] - a[2]} * graph.weights[e];
        }
        if (!printed) off = {values[p], values[stride + p], values[2 * stride + p]};
        const float share = all > 0 ? 1 / all : 0;
        values[p] = off.x * share, values[stride + p] = off.y * share, values[2 * stride + p] = off.z * share;
    }
    for (const std::uint32_t p : hold.held())
        for (std::size_t c = 0; c < 3 && !links_.may_hold(p); ++c)
            places[sim::arap_floats * p + c] += values[c * stride + p];
}

void HandlesRig::follow(bool, State& state, Workspace& work) const {
    auto& scratch = work.impl().scratch<HandlesScratch>();
    const std::span<std::uint8_t> enabled = sized(scratch.enabled, handle_count());
    for (std::size_t j = 0; j < enabled.size(); ++j) enabled[j] = layout_.of(state, enabled_)[j] > 0;
    const FactorPtr factor = factor_of(enabled);
    if (is_reduced()) return follow_reduced(factor->reduced, state, scratch);
    const sim::SurfaceHold& hold = factor->hold;
    skin_places(state, scratch, work);
    const sim::SurfaceArap& arap = points_.arap;
    const std::span<float> places = scratch.places, turns = scratch.turns;
    for (int k = 0; k < own_.iterations; ++k) {
        arap.fit(places, turns, scratch.arap, work.impl().pool);
        hold.relax(arap, places, scratch.arap, work.impl().pool);
    }
    if (own_.iterations > 0) smooth(hold, scratch, work);
    arap.fit(places, turns, scratch.arap, work.impl().pool);
    const std::span<float> out = layout_.of(state, places_), rotations = layout_.of(state, rotations_);
    for (std::size_t p = 0; p < points_.size(); ++p) {
        for (std::size_t c = 0; c < 3; ++c) out[3 * p + c] = places[sim::arap_floats * p + c];
        for (std::size_t c = 0; c < 4; ++c) rotations[4 * p + c] = turns[c * arap.stride() + p];
    }
}

/// The same for frames instead of points.
void HandlesRig::follow_reduced(const ReducedFactor& factor, State& state, HandlesScratch& scratch) const {
    find_maps(state, scratch);
    const std::size_t frames = reduced_.frame_count();
    const std::span<float> turns = sized(scratch.turns, 4 * frames);
    for (std::size_t k = 0; k < frames; ++k) {
        float turn[4];
        blended_turn(scratch, reduced_.centres()[k], turn);
        for (std::size_t c = 0; c < 4; ++c) turns[c * frames + k] = turn[c];
    }
    reduced_.follow(factor, points_, scratch.maps.links, scratch.carried, scratch.enabled, origin_of(state), turns,
                    own_.iterations, scratch.reduced, layout_.of(state, frames_));
}

void HandlesRig::show_attached_reduced(const HandledAttachment& attached, const State& state,
                                       const Surface& out) const {
    const std::span<const float> frames = layout_.of(state, frames_);
    const Vec3d origin = origin_of(state);
    const RestSurface& mesh = attached.tied.surface;
    const std::size_t n = attached.vertex_count();
    for (std::size_t v = 0; v < n; ++v) {
        const SurfacePoint& tie = attached.tied.ties[v];
        Affine map;
        for (auto& row : map.m) std::fill(std::begin(row), std::end(row), 0.0);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t corner = rest_.triangles[3 * std::size_t(tie.triangle) + c];
            const Affine at = reduced_.at_point(frames, points_.places[corner]);
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t k = 0; k < 4; ++k) map.m[r][k] += double(tie.share[c]) * at.m[r][k];
        }
        const Vec3d place = translation_of(map) * points_.unit + origin;
        const auto carried = [&](Vec3 along) { return transform_vector(map, to_double(along)); };
        if (out.positions.size() >= n) out.positions[v] = to_float(place + carried(attached.arms[v]));
        if (out.normals.size() >= n && !mesh.normals.empty())
            out.normals[v] = to_float(normalized(carried(mesh.normals[v])));
    }
}

void HandlesRig::show(const State& state, const Surface& out, Workspace& work) const {
    const std::size_t n = vertex_count();
    if (is_reduced())
        return reduced_.show(layout_.of(state, frames_), origin_of(state), points_.unit,
                             work.impl().scratch<HandlesScratch>().reduced, out, work);
    const std::span<const float> places = layout_.of(state, places_), rotations = layout_.of(state, rotations_);
    const Vec3 origin = to_float(origin_of(state));
    const float unit = float(points_.unit);
    const bool normals = out.normals.size() >= n && has_normals(),
               tangents = out.tangents.size() >= n && has_tangents(), positions = out.positions.size() >= n;
    work.impl().pool.for_ranges(n, show_grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t v = begin; v < end; ++v) {
            const std::size_t p = points_.places[v];
            const float *at = &places[3 * p], *q = &rotations[4 * p];
            if (positions) out.positions[v] = Vec3{at[0], at[1], at[2]} * unit + origin;
            if (normals) out.normals[v] = turned(q, rest_.normals[v]);
            if (!tangents) continue;
            const Vec4 t = rest_.tangents[v];
            const Vec3 to = turned(q, {t.x, t.y, t.z});
            out.tangents[v] = {to.x, to.y, to.z, t.w};
        }
    });
}

void HandlesRig::show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                               Workspace&) const {
    const auto* own = dynamic_cast<const HandledAttachment*>(&attached);
    if (own == nullptr) return;
    if (is_reduced()) return show_attached_reduced(*own, state, out);
    const std::span<const float> places = layout_.of(state, places_), rotations = layout_.of(state, rotations_);
    const Vec3 origin = to_float(origin_of(state));
    const float unit = float(points_.unit);
    const RestSurface& mesh = own->tied.surface;
    const std::size_t n = own->vertex_count();
    for (std::size_t v = 0; v < n; ++v) {
        const SurfacePoint& tie = own->tied.ties[v];
        Vec3 at;
        float q[4] = {0, 0, 0, 0};
        const float* first = nullptr;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t p = points_.places[rest_.triangles[3 * std::size_t(tie.triangle) + c]];
            const float share = float(tie.share[c]);
            at += Vec3{places[3 * p], places[3 * p + 1], places[3 * p + 2]} * share;
            const float* turn = &rotations[4 * p];
            if (first == nullptr) first = turn;
            const float along = (turn[0] * first[0] + turn[1] * first[1]) + (turn[2] * first[2] + turn[3] * first[3]);
            for (std::size_t k = 0; k < 4; ++k) q[k] += (along < 0 ? -share : share) * turn[k];
        }
        const float square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        const float size = square > 1e-8f ? 1 / std::sqrt(square) : 0;
        for (std::size_t k = 0; k < 4; ++k) q[k] = size > 0 ? size * q[k] : first[k];
        if (out.positions.size() >= n) out.positions[v] = at * unit + turned(q, own->arms[v]) + origin;
        if (out.normals.size() >= n && !mesh.normals.empty()) out.normals[v] = turned(q, mesh.normals[v]);
    }
}

FieldsOf<HandlesSettings> handles_fields() {
    using S = HandlesSettings;
    FieldsOf<S> fields;
    fields
        .number("surface_rounds", &S::iterations, {0, 100}, Use::built_in, "",
                "Rounds of turning and moving per frame; raised: nearer to as rigid as possible, slower; 0 is "
                "linear blending by the handles alone")
        .number("proximal", &S::proximal, {0.5, 1}, Use::built_in, "weight",
                "The weight above which a handle holds a vertex; raised: handles hold less and more gives way")
        .choice("turns", &S::turns, {"eigenvector", "slerp", "fast", "printed", "given"}, Use::built_in,
                "How handles turn. By the mean of the links between them: eigenvector, slerp, fast, or printed (as the "
                "publication prints the fast one, not a mean); given: as the joints turn")
        .choice("links", &S::links, {"rigid", "free"}, Use::built_in,
                "Flesh along a link between two handles. rigid: turns with the link, as along a bone; free: bends as "
                "the surface wants, as in the publication")
        .choice(
            "solver", &S::solver, {"full", "reduced"}, Use::built_in,
            "full: every vertex is solved for; reduced: at most 80 frames, which skin the surface: many times faster "
            "on large meshes, smoother and less exact")
        .choice("smoothing", &S::smoothing, {"rigid", "printed", "none"}, Use::built_in,
                "Hides the border of what handles hold. printed: towards the mean of the neighbours, which also "
                "flattens the shape")
        .choice("influence", &S::influence, {"points", "file"}, Use::built_in,
                "Weights: computed from the handles, or those that the character has")
        .text("disabled", &S::disabled, Use::built_in,
              "Handles that hold nothing at first: names or patterns between commas");
    return fields;
}

}  // namespace

Method handles_method() {
    MethodInfo info;
    info.from = "Luo 2016";
    info.summary = "a surface posed by points, as rigid as it can be between them";
    info.abilities.takes_clothes = true;
    info.stages = {"pose", "embed"};
    return make_method<HandlesSettings>(std::move(info), handles_fields(), 2, {&HandlesRig::bind, &HandlesRig::load});
}

}  // namespace fascia
