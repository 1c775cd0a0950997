// A made-up method, as proof that a folder and a line are enough: every joint carries a weight on a spring, and the
// skin moves with the weights of its joints.
#include <algorithm>
#include <cmath>

#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/method.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/stepped_rig.h"
#include "skin/skinned_surface.h"

namespace fascia {
namespace {
struct ToySettings {
    static constexpr const char* method = "toy";
    double hertz = 3;
    std::string along = "all";
};

struct ToyBody {
    explicit ToyBody(RestSurface rest_surface) : surface(std::move(rest_surface)), gate(surface.joints) {
        for (const Joint& joint : surface.joints) {
            inverse_rest.push_back(inverse(joint.rest));
            parents.push_back(joint.parent);
            pivots.push_back(translation_of(joint.rest));
            slots.push_back(std::uint32_t(slots.size()));
        }
        for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z})
            for (const Vec3d& at : pivots) rest.push_back(float(at.*axis));
        fingerprint = fingerprint_of(ToySettings::method, bytes());
    }
    std::vector<std::uint8_t> bytes() const {
        ByteWriter out;
        write_rest_surface(surface, out);
        return out.take();
    }
    SteppedBody driving() const {
        return {size_of(surface), 1,       {},     0,          slots.size(), slots, rest, &gate,
                inverse_rest,     parents, pivots, fingerprint};
    }
    RestSurface surface;
    PoseGate gate;
    std::vector<Affine> inverse_rest;
    std::vector<int> parents;
    std::vector<Vec3d> pivots;
    std::vector<std::uint32_t> slots;
    Floats rest;
    std::uint64_t fingerprint = 0;
};

class ToyRig final : public SteppedRig, public Live {
public:
    ToyRig(std::shared_ptr<const ToyBody> body, const ToySettings& settings)
        : SteppedRig(body->driving()),
          body_(std::move(body)),
          settings_(settings),
          skin_(body_->surface.source(), body_->gate.rest()) {}

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return skin_.vertex_count(); }
    bool has_normals() const override { return !body_->surface.normals.empty(); }
    bool has_tangents() const override { return !body_->surface.tangents.empty(); }
    void embed_skinned(const State& s, const Surface& out, Workspace& w) const override { embed_share(0, s, out, w); }
    void embed(const State& s, const Surface& out, Workspace& w) const override { embed_share(1, s, out, w); }
    Result<std::vector<std::uint8_t>> save_content() const override { return body_->bytes(); }
    const Live* live() const override { return this; }
    std::vector<std::string> joint_names() const override { return {}; }
    Result<RigPtr> retuned(const Settings& settings) const override {
        return RigPtr(std::make_shared<ToyRig>(body_, *settings.as<ToySettings>()));
    }

private:
    void embed_share(float share, const State& state, const Surface& out, Workspace& work) const {
        if (!fits(state) || out.positions.size() < vertex_count()) return;
        skin_.skin(joints_about_frame(state, work), out, work);
        const SkinWeights& weights = body_->surface.weights;
        const std::size_t n = point_count(), slots = std::size_t(weights.influences);
        const float scale = share * float(frame_of(state).scale), back = float(pace().step - state.accumulator);
        const auto u = [&](auto k) { return state.positions[k] - driven(state)[k] - back * state.velocities[k]; };
        for (std::size_t k = 0; k < vertex_count() * slots; ++k) {
            const std::size_t j = weights.joints[k];
            out.positions[k / slots] += Vec3{u(j), u(n + j), u(2 * n + j)} * (scale * weights.weights[k]);
        }
        place_in_scene(state, out.positions.first(vertex_count()));
    }
    Pace pace() const override { return {1.0 / 240, {}, std::uint64_t(1e6 * own_.hertz)}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        struct Scratch : Floats {};
        const std::span<float> out = channels(work.impl().scratch<Scratch>(), 3);
        const PointFrame frame = frame_of(state);
        for (std::size_t j = 0, n = places.size(); j < n; ++j) {
            const Vec3 at = to_float((places[j].place - frame.origin) * (1 / frame.scale));
            out[j] = at.x, out[n + j] = at.y, out[2 * n + j] = at.z;
        }
        return out;
    }
    sim::Motion step(std::span<const JointPlace> places, double, State& state, Workspace& work) const override {
        const StageTimer timer(work.times["swing"]);
        const std::span<const float> there = drive(places, state, work);
        const std::span<float> before = driven(state), speed = driven_speed(state);
        const float dt = float(pace().step), w = float(6.2831853 * own_.hertz),
                    limit = float(0.18 * size_of(body_->surface));
        sim::Motion out;
        for (std::size_t k = 0; k < there.size(); ++k) {
            const float driven_now = (there[k] - before[k]) / dt, last = state.positions[k] - before[k];
            float v = state.velocities[k] - 2.2f * (driven_now - speed[k]);
            v -= dt * w * (w * last + 0.3f * v);
            const bool swings = own_.along == "all" || k / point_count() == 1;
            const float u = swings ? std::clamp(last + dt * v, -limit, limit) : 0;
            state.velocities[k] = (u - last) / dt;
            state.positions[k] = there[k] + u;
            before[k] = there[k];
            speed[k] = driven_now;
            out.fastest = std::max({out.fastest, std::abs(state.velocities[k]), w * std::abs(u)});
        }
        return out;
    }

    std::shared_ptr<const ToyBody> body_;
    Settings settings_;
    const ToySettings& own_ = *settings_.as<ToySettings>();
    LbsSurface skin_;
};

Result<RigPtr> bind_toy(const Character& character, const ToySettings& settings, const BindInputs&) {
    if (const Status checked = check_skinned(character, "toy"); !checked) return checked.error();
    return RigPtr(std::make_shared<ToyRig>(std::make_shared<ToyBody>(RestSurface(character)), settings));
}

Result<RigPtr> load_toy(const ToySettings& settings, ByteReader& in) {
    Result<RestSurface> rest = read_rest_surface(in);
    if (!rest) return rest.error();
    return RigPtr(std::make_shared<ToyRig>(std::make_shared<ToyBody>(std::move(*rest)), settings));
}

}  // namespace
Method toy_method() {
    FieldsOf<ToySettings> fields;
    fields.number("hertz", &ToySettings::hertz, {0.5, 20}, Use::live, "Hz", "What a joint's flesh swings at")
        .choice("along", &ToySettings::along, {"all", "up"}, Use::built_in, "Where it swings");
    MethodInfo info;
    info.abilities.simulates = true;
    info.stages = {"pose", "swing", "embed"};
    return make_method<ToySettings>(std::move(info), fields, 1, {&bind_toy, &load_toy});
}

}  // namespace fascia
