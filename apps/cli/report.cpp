#include "report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "console.h"

namespace fascia::cli {

namespace {

using nlohmann::ordered_json;

/// JSON has no infinities: anything not finite becomes null.
ordered_json number(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json number(const std::optional<double>& value) {
    return value ? number(*value) : ordered_json(nullptr);
}

/// 60 rather than 60.0: rates are usually whole numbers.
ordered_json rate(double fps) {
    return fps == std::floor(fps) ? ordered_json(static_cast<std::int64_t>(fps)) : number(fps);
}

ordered_json character_json(const Character& character) {
    return {{"name", character.name},
            {"vertices", character.mesh.vertex_count()},
            {"triangles", character.mesh.triangle_count()},
            {"joints", character.joints.size()},
            {"size", number(character.size())}};
}

ordered_json motion_json(const BakeRecord& record) {
    const FrameTimes& times = record.times;
    return {{"name", record.motion},
            {"fps", rate(times.fps)},
            {"frames", times.count},
            {"seconds", static_cast<double>(times.count - 1) / times.fps}};
}

/// The usual layers by name; a layer of any other name counts as fat.
ordered_json points_json(const Rig& rig) {
    const std::vector<LayerCount> layers = layer_counts(rig);
    std::vector<std::pair<std::string, std::size_t>> usual{{"bone", 0}, {"muscle", 0}, {"fat", 0}, {"skin", 0}};
    for (const LayerCount& layer : layers) {
        const auto same = [&](const auto& each) { return each.first == layer.name; };
        const auto found = std::find_if(usual.begin(), usual.end(), same);
        // The single flesh layer of a lattice is none of these.
        if (found != usual.end())
            found->second += layer.points;
        else if (layer.name != "flesh")
            usual[2].second += layer.points;
    }
    ordered_json out{{"total", rig.point_count()}};
    for (const auto& [name, count] : usual) out[name] = layers.empty() ? ordered_json(nullptr) : ordered_json(count);
    return out;
}

/// Voxels along the longest side, whether given or chosen by the method.
ordered_json resolution_json(const Rig& rig) {
    const Inside* inside = rig.inside();
    return inside != nullptr && inside->resolution() > 0 ? ordered_json(inside->resolution()) : ordered_json(nullptr);
}

/// Hz by layer.
ordered_json frequencies_json(const Rig& rig) {
    const Inside* inside = rig.inside();
    if (!inside || inside->layer_frequencies().empty()) return nullptr;
    ordered_json out = ordered_json::object();
    for (const LayerFrequency& each : inside->layer_frequencies()) out[each.layer] = number(each.hz);
    return out;
}

/// Mean time of a stage over the steps, microseconds. The usual stages are listed for every method, others if they ran.
ordered_json stages_json(const StageTimes& stages, std::uint64_t steps) {
    ordered_json out;
    const auto put = [&](const std::string& name) {
        out[name] = steps > 0 ? number(1e6 * stages.of(name) / static_cast<double>(steps)) : nullptr;
    };
    for (const char* name : {"pose", "predict", "stretch", "volume", "match", "update"}) put(name);
    for (const StageTimes::Stage& stage : stages.all())
        if (std::string(stage.name) != "embed" && !out.contains(stage.name)) put(stage.name);
    return out;
}

std::optional<double> ns_per_point_step(const BakeRecord& record) {
    const std::optional<double> median = record.measures.clock.step_us(0.5);
    const std::size_t points = record.rig.point_count();
    if (!median || points == 0) return std::nullopt;
    return 1e3 * *median / static_cast<double>(points);
}

ordered_json time_json(const BakeRecord& record) {
    const BakeMeasures& m = record.measures;
    return {{"bind_ms", number(record.bind_ms)},
            {"steps", m.steps},
            {"step_us", {{"median", number(m.clock.step_us(0.5))}, {"p99", number(m.clock.step_us(0.99))}}},
            {"ns_per_point_step", number(ns_per_point_step(record))},
            {"embed_ns_per_vertex", number(m.clock.embed_ns_per_vertex())},
            {"stages_us", stages_json(m.stages, m.steps)}};
}

ordered_json volume_json(const std::optional<Extremes>& volume) {
    if (!volume) return nullptr;
    return {{"min", number(volume->min)}, {"max", number(volume->max)}, {"last", number(volume->last)}};
}

/// By joint name, divided by the rest volume.
ordered_json joint_volumes_json(const std::vector<JointVolume>& volumes, const Character& character) {
    if (volumes.empty()) return nullptr;
    ordered_json out = ordered_json::object();
    for (const JointVolume& v : volumes) out[printable(character.joints[v.joint].name)] = number(v.ratio);
    return out;
}

/// The worst of the frames examined; anything not measured is null.
ordered_json penetration_json(const std::optional<Penetration>& found) {
    ordered_json out{{"twice_volume", nullptr},
                     {"pairs", nullptr},
                     {"vertices_inside", nullptr},
                     {"depth", nullptr},
                     {"forced", nullptr}};
    if (!found) return out;
    out["twice_volume"] = number(found->twice_volume);
    out["pairs"] = static_cast<std::uint64_t>(found->pairs);
    out["vertices_inside"] = static_cast<std::uint64_t>(found->vertices_inside);
    out["depth"] = number(found->depth);
    if (found->forced) out["forced"] = static_cast<std::uint64_t>(*found->forced);
    return out;
}

ordered_json quality_json(const BakeMeasures& m, const Character& character) {
    const QualityMeasures& q = m.quality;
    return {{"finite", q.finite},
            {"volume_ratio", volume_json(q.volume_ratio)},
            {"secondary_rms", {{"max", number(q.secondary_rms.max)}, {"last", number(q.secondary_rms.last)}}},
            {"max_offset", number(q.max_offset)},
            {"max_offset_from_lbs", number(q.max_offset_from_lbs)},
            {"edge_strain", {{"p99", number(q.edge_strain_p99)}, {"max", number(q.edge_strain_max)}}},
            {"flipped_triangles",
             {{"max", static_cast<std::uint64_t>(q.flipped_triangles.max)},
              {"last", static_cast<std::uint64_t>(q.flipped_triangles.last)}}},
            {"inverted_cells", nullptr},
            {"penetration", penetration_json(q.penetration)},
            {"rest_jitter", number(q.rest_jitter)},
            {"joint_volumes", joint_volumes_json(m.joint_volumes, character)},
            {"refused_poses", m.counters.refused_poses},
            {"resets", m.counters.resets},
            {"limited_points", m.counters.limited_points}};
}

}  // namespace

std::string report_json(const BakeRecord& record) {
    const ordered_json report{{"fascia", FASCIA_VERSION_STRING},
                              {"method", record.rig.method()},
                              {"hash", fmt::format("{:016x}", record.measures.state_hash)},
                              {"character", character_json(record.character)},
                              {"motion", motion_json(record)},
                              {"resolution", resolution_json(record.rig)},
                              {"points", points_json(record.rig)},
                              {"frequencies", frequencies_json(record.rig)},
                              {"time", time_json(record)},
                              {"quality", quality_json(record.measures, record.character)},
                              {"warnings", record.warnings}};
    return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> summary_headings() {
    return {"",         "resolution",  "points",     "frames",     "bind ms",
            "ms/frame", "volume kept", "offset max", "strain p99", "flipped max"};
}

std::vector<std::string> summary_row(const std::string& name, const BakeRecord& record) {
    const BakeMeasures& m = record.measures;
    const QualityMeasures& q = m.quality;
    const std::string volume =
        q.volume_ratio ? fmt::format("{:.2f}-{:.2f} %", 100 * q.volume_ratio->min, 100 * q.volume_ratio->max)
                       : std::string("open");
    const Inside* inside = record.rig.inside();
    return {printable(name),
            inside != nullptr && inside->resolution() > 0 ? fmt::format("{}", inside->resolution()) : std::string("-"),
            fmt::format("{}", record.rig.point_count()),
            fmt::format("{}", record.times.count),
            fmt::format("{:.2f}", record.bind_ms),
            fmt::format("{:.3f}", m.clock.ms_per_frame()),
            volume,
            fmt::format("{:.2f} %", 100 * q.max_offset),
            fmt::format("{:.2f}", q.edge_strain_p99),
            fmt::format("{:.0f}", q.flipped_triangles.max)};
}

}  // namespace fascia::cli
