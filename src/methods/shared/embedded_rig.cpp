#include "methods/shared/embedded_rig.h"

#include <algorithm>

#include "base/words.h"
#include "base/workspace.h"
#include "embed/point_embedding.h"
#include "methods/shared/fades.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

constexpr int fewest_samples = 4, most_samples = 5000;

struct EmbeddedScratch {
    std::vector<Vec3> points, skinned, skinned_normals;
    embedding::EmbeddingScratch embedding;
};

/// [vertices] the joint that each follows most; the first in a tie.
std::vector<std::uint16_t> strongest_joints(const SkinWeights& weights, std::size_t vertices) {
    const auto slots = std::size_t(weights.influences);
    std::vector<std::uint16_t> out(vertices, 0);
    for (std::size_t v = 0; v < vertices; ++v) {
        float most = 0;
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k) {
            const bool first = weights.weights[k] == most && weights.joints[k] < out[v];
            if (weights.weights[k] > most || (most > 0 && first)) most = weights.weights[k], out[v] = weights.joints[k];
        }
    }
    return out;
}

std::shared_ptr<const embedding::PointEmbedding> embedding_of(const Rig& rig, const EmbedOptions& options) {
    const std::shared_ptr<const PointSurface> from = rig.point_surface();
    std::vector<Vec3> rest(rig.point_count());
    Workspace work(1);
    rig.inside()->point_positions(rig.make_state(), rest, work);
    std::vector<Vec3d> points;
    for (const Vec3 p : rest) points.push_back(to_double(p));
    const RestSurface& surface = from->surface;
    const std::vector<std::uint16_t> joints = strongest_joints(surface.weights, surface.positions.size());
    embedding::EmbeddingInput input;
    input.how = *embedding::how_named(options.how);
    input.kernel = *embedding::kernel_named(options.kernel);
    input.samples = std::size_t(options.samples);
    input.positions = surface.positions, input.normals = surface.normals, input.tangents = surface.tangents;
    input.triangles = surface.triangles;
    input.joints = joints;
    input.bound = from->in_cells ? &from->bound : nullptr;
    input.points = points;
    return embedding::make_embedding(input);
}

class EmbeddedRig final : public Rig, public Live {
public:
    EmbeddedRig(RigPtr inner, EmbedOptions options, std::shared_ptr<const embedding::PointEmbedding> carried)
        : inner_(std::move(inner)), options_(std::move(options)), carried_(std::move(carried)) {}

    const Settings& settings() const override { return inner_->settings(); }
    std::size_t joint_count() const override { return inner_->joint_count(); }
    std::size_t vertex_count() const override { return inner_->vertex_count(); }
    std::size_t point_count() const override { return inner_->point_count(); }
    std::uint64_t fingerprint() const override { return inner_->fingerprint(); }
    bool has_normals() const override { return inner_->has_normals(); }
    bool has_tangents() const override { return inner_->has_tangents(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = inner_->warnings();
        if (carried_->left_out() > 0)
            out.push_back("embed rbf: the surface passes through " + std::to_string(carried_->left_out()) +
                          " voxels, which are too many for one system; domains carry it by " +
                          std::to_string(carried_->sample_places().size()) + " samples");
        return out;
    }
    State make_state() const override { return inner_->make_state(); }
    bool accepts(const State& state) const override { return inner_->accepts(state); }
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const override {
        inner_->reset(joints, state, work);
    }
    void settle(State& state, Workspace& work) const override { inner_->settle(state, work); }
    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const override {
        inner_->advance(joints, dt, state, work);
    }
    void take_over(const Rig& from, const State& other, State& state, Workspace& work) const override {
        inner_->take_over(from, other, state, work);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override;
    bool embed_reads() const override { return false; }
    const SkinWeights* skin_weights() const override { return inner_->skin_weights(); }
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        inner_->embed_skinned(state, out, work);
    }
    Result<std::vector<std::uint8_t>> save_content() const override { return inner_->save_content(); }
    std::shared_ptr<const PointSurface> point_surface() const override { return inner_->point_surface(); }
    const EmbedOptions* embedding() const override { return &options_; }
    const Rig& plain() const override { return inner_->plain(); }

    const Inside* inside() const override { return inner_->inside(); }
    const Clothes* clothes() const override { return inner_->clothes(); }

    // ---- live ----
    const Live* live() const override { return inner_->live() != nullptr ? this : nullptr; }
    std::vector<std::string> joint_names() const override { return inner_->live()->joint_names(); }
    Result<RigPtr> retuned(const Settings& settings) const override {
        Result<RigPtr> inner = inner_->live()->retuned(settings);
        if (!inner) return inner.error();
        // Points and surface at rest stay the same, and so does the embedding of one in the other.
        return RigPtr(std::make_shared<EmbeddedRig>(std::move(*inner), options_, carried_));
    }
    Status fade(const std::string& joints, double amount, double seconds, State& state) const override {
        return inner_->live()->fade(joints, amount, seconds, state);
    }
    std::optional<Vec3d> pick(const Ray& ray, const State& state, Workspace& work) const override {
        return inner_->live()->pick(ray, state, work);
    }
    bool grip(Vec3d point, State& state) const override { return inner_->live()->grip(point, state); }

private:
    void fade_out(const State& state, const embedding::EmbeddedSurface& shown, Workspace& work) const;

    RigPtr inner_;
    EmbedOptions options_;
    std::shared_ptr<const embedding::PointEmbedding> carried_;
};

void EmbeddedRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (state.rig != fingerprint()) return inner_->embed(state, out, work);
    const StageTimer timer(work.times["embed"]);
    auto& scratch = work.impl().scratch<EmbeddedScratch>();
    const std::span<Vec3> points = sized(scratch.points, point_count());
    inside()->point_positions(state, points, work);
    const std::size_t vertices = vertex_count();
    embedding::EmbeddedSurface to;
    if (out.positions.size() >= vertices) to.positions = out.positions.first(vertices);
    if (out.normals.size() >= vertices && has_normals()) to.normals = out.normals.first(vertices);
    if (out.tangents.size() >= vertices && has_tangents()) to.tangents = out.tangents.first(vertices);
    carried_->place(points, to, scratch.embedding, work.impl().pool);
    if (state.fades.size() == joint_count()) fade_out(state, to, work);
}

/// Where joints are faded, the skinned surface replaces what the points carry, by the weights of each vertex.
void EmbeddedRig::fade_out(const State& state, const embedding::EmbeddedSurface& to, Workspace& work) const {
    const SkinWeights* weights = skin_weights();
    if (weights == nullptr) return;
    auto& scratch = work.impl().scratch<EmbeddedScratch>();
    const std::size_t vertices = vertex_count();
    const std::span<Vec3> skinned = sized(scratch.skinned, vertices),
                          normals = sized(scratch.skinned_normals, to.normals.empty() ? 0 : vertices);
    inner_->embed_skinned(state, {skinned, normals, {}}, work);
    const auto slots = std::size_t(weights->influences);
    for (std::size_t v = 0; v < vertices; ++v) {
        float all = 0, kept = 0;
        for (std::size_t k = slots * v; k < slots * (v + 1); ++k) {
            all += weights->weights[k];
            kept += weights->weights[k] * shown(state.fades[weights->joints[k]]);
        }
        if (!(all > 0) || kept >= all) continue;
        const float share = kept / all;
        if (!to.positions.empty()) to.positions[v] = skinned[v] + (to.positions[v] - skinned[v]) * share;
        if (!to.normals.empty())
            to.normals[v] = normalized(normals[v] + (to.normals[v] - normals[v]) * share, normals[v]);
    }
}

}  // namespace

Status check_embed_options(const Method& method, const EmbedOptions& options) {
    if (options.how == "auto") return ok_status();
    if (!embedding::how_named(options.how))
        return usage_error("embed: '" + options.how + "' is unknown; there are auto, " +
                           listed(all_embeddings(), "and"));
    const std::vector<std::string>& own = method.info.abilities.embeddings;
    if (own.empty())
        return usage_error("embed: method '" + method.info.name +
                           "' has no points inside the body that could carry the surface; leave it out");
    if (std::find(own.begin(), own.end(), options.how) == own.end())
        return usage_error("embed: with method '" + method.info.name + "' there are only auto and " +
                           listed(own, "and"));
    if (!embedding::kernel_named(options.kernel))
        return usage_error("embed: kernel '" + options.kernel +
                           "' is unknown; there are gauss, wendland and thin-plate");
    if (options.samples < fewest_samples || options.samples > most_samples)
        return usage_error("embed: " + std::to_string(options.samples) + " samples; take " +
                           std::to_string(fewest_samples) + " to " + std::to_string(most_samples));
    return ok_status();
}

Result<RigPtr> embedded(RigPtr inner, const Method& method, const EmbedOptions& options) {
    if (const Status checked = check_embed_options(method, options); !checked) return checked.error();
    if (options.how == "auto" || inner->point_count() == 0 || inner->vertex_count() == 0) return inner;
    auto carried = embedding_of(*inner, options);
    return RigPtr(std::make_shared<EmbeddedRig>(std::move(inner), options, std::move(carried)));
}

void write_embed_options(const EmbedOptions& options, ByteWriter& out) {
    const auto& [how, kernel, samples] = options;
    out.array(how);
    out.array(kernel);
    out.value(std::int32_t(samples));
}

EmbedOptions read_embed_options(ByteReader& in) {
    EmbedOptions out;
    out.how = in.text();
    out.kernel = in.text();
    out.samples = in.value<std::int32_t>();
    return out;
}

}  // namespace fascia
