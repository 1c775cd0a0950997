#include "report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "console.h"

namespace fascia::cli {

namespace {

using nlohmann::ordered_json;

/// JSON has no infinities: what is not finite is null.
ordered_json number(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json number(const std::optional<double>& value) {
    return value ? number(*value) : ordered_json(nullptr);
}

/// 60 rather than 60.0: rates are whole most of the time.
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

bool has_layers(const PointCounts& points) {
    return points.bone + points.muscle + points.fat + points.skin > 0;
}

ordered_json points_json(const PointCounts& points) {
    ordered_json out{{"total", points.total}};
    const std::pair<const char*, std::size_t> layers[] = {
        {"bone", points.bone}, {"muscle", points.muscle}, {"fat", points.fat}, {"skin", points.skin}};
    for (const auto& [name, count] : layers) out[name] = has_layers(points) ? ordered_json(count) : nullptr;
    return out;
}

/// Mean of a stage over the steps, microseconds.
ordered_json stages_json(const StageTimes& stages, std::uint64_t steps) {
    const std::pair<const char*, double> list[] = {{"pose", stages.pose},       {"predict", stages.predict},
                                                   {"stretch", stages.stretch}, {"volume", stages.volume},
                                                   {"match", stages.match},     {"update", stages.update}};
    ordered_json out;
    for (const auto& [name, seconds] : list)
        out[name] = steps > 0 ? number(1e6 * seconds / static_cast<double>(steps)) : nullptr;
    return out;
}

std::optional<double> ns_per_point_step(const BakeRecord& record) {
    const std::optional<double> median = record.measures.clock.step_us(0.5);
    const std::size_t points = record.rig.points().total;
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

/// By the name of the joint, over the rest volume.
ordered_json joint_volumes_json(const std::vector<JointVolume>& volumes, const Character& character) {
    if (volumes.empty()) return nullptr;
    ordered_json out = ordered_json::object();
    for (const JointVolume& v : volumes) out[printable(character.joints[v.joint].name)] = number(v.ratio);
    return out;
}

ordered_json quality_json(const BakeMeasures& m, const Character& character) {
    const QualityMeasures& q = m.quality;
    return {{"finite", q.finite},
            {"volume_ratio", volume_json(q.volume_ratio)},
            {"secondary_rms", {{"max", number(q.secondary_rms.max)}, {"last", number(q.secondary_rms.last)}}},
            {"max_offset", number(q.max_offset)},
            {"edge_strain", {{"p99", number(q.edge_strain_p99)}, {"max", number(q.edge_strain_max)}}},
            {"flipped_triangles",
             {{"max", static_cast<std::uint64_t>(q.flipped_triangles.max)},
              {"last", static_cast<std::uint64_t>(q.flipped_triangles.last)}}},
            {"inverted_cells", nullptr},
            {"rest_jitter", number(q.rest_jitter)},
            {"joint_volumes", joint_volumes_json(m.joint_volumes, character)},
            {"refused_poses", m.counters.refused_poses},
            {"resets", m.counters.resets},
            {"limited_points", m.counters.limited_points}};
}

}  // namespace

std::string report_json(const BakeRecord& record) {
    const ordered_json report{{"fascia", FASCIA_VERSION},
                              {"method", record.rig.method()},
                              {"hash", fmt::format("{:016x}", record.measures.state_hash)},
                              {"character", character_json(record.character)},
                              {"motion", motion_json(record)},
                              {"points", points_json(record.rig.points())},
                              {"time", time_json(record)},
                              {"quality", quality_json(record.measures, record.character)},
                              {"warnings", record.warnings}};
    return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> summary_headings() {
    return {"", "points", "frames", "bind ms", "ms/frame", "volume kept", "offset max", "strain p99", "flipped max"};
}

std::vector<std::string> summary_row(const std::string& name, const BakeRecord& record) {
    const BakeMeasures& m = record.measures;
    const QualityMeasures& q = m.quality;
    const std::string volume =
        q.volume_ratio ? fmt::format("{:.2f}-{:.2f} %", 100 * q.volume_ratio->min, 100 * q.volume_ratio->max)
                       : std::string("open");
    return {printable(name),
            fmt::format("{}", record.rig.points().total),
            fmt::format("{}", record.times.count),
            fmt::format("{:.2f}", record.bind_ms),
            fmt::format("{:.3f}", m.clock.ms_per_frame()),
            volume,
            fmt::format("{:.2f} %", 100 * q.max_offset),
            fmt::format("{:.2f}", q.edge_strain_p99),
            fmt::format("{:.0f}", q.flipped_triangles.max)};
}

}  // namespace fascia::cli
