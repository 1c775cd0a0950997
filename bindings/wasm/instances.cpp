// An instance: bind once, then per frame pose, advance, embed. Arrays are read through pointers into the heap.
#include <algorithm>
#include <cstdio>

#include <emscripten/em_js.h>
#include <nlohmann/json.hpp>

#include "handles.h"

/// Calls onBind of the module, if there is one, with the share of a bind that is done; 0 stops it.
EM_JS(int, fascia_report_bind, (double share), { return Module["onBind"] ? Number(Module["onBind"](share)) : 1; });

InstanceHandle::InstanceHandle(const CharacterHandle& from, fascia::RigPtr bound, int threads)
    : character(from),
      rig(std::move(bound)),
      state(rig->make_state()),
      work(threads),
      positions(rig->vertex_count()),
      normals(rig->vertex_count()),
      skinned(rig->vertex_count()),
      strain(rig->vertex_count()) {
    fascia::evaluate(character.value, nullptr, 0, pose);
    const fascia::Inside* inside = rig->inside();
    if (inside == nullptr) return;
    point_layers = inside->point_layers();
    points.resize(point_layers.size());
    parts = inside->point_parts();
    cells = inside->point_cells();
    carriers = fascia::surface_carriers(*rig);
}

namespace {

fascia::Result<fascia::RigPtr> bind_with(const fascia::Character& character, const char* method, const char* flesh_json,
                                         const fascia::EmbedOptions& embed) {
    auto flesh = fascia::preset("default");
    if (flesh && flesh_json != nullptr && *flesh_json != 0) flesh = fascia::parse_flesh(flesh_json, "flesh", *flesh);
    if (!flesh) return flesh.error();
    const fascia::Status checked = fascia::check(*flesh, &character);
    if (!checked) return checked.error();
    fascia::BindInputs inputs;
    inputs.read_mask = fascia::load_mask;
    inputs.embed = embed;
    inputs.progress = [](double share) { return fascia_report_bind(share) != 0; };
    return fascia::bind(character, method, *flesh, inputs);
}

}  // namespace

/// threads: 1, or more in the module with threads. embed, kernel, samples: fascia::EmbedOptions
FASCIA_WASM InstanceHandle* fascia_bind(const CharacterHandle* character, const char* method, const char* flesh_json,
                                        int threads, const char* embed, const char* kernel, int samples) {
    return fascia_wasm::guarded<InstanceHandle*>(nullptr, [&]() -> InstanceHandle* {
        auto rig = bind_with(character->value, method, flesh_json, {embed, kernel, samples});
        if (!rig) return fascia_wasm::fail(rig.error().message);
        return new InstanceHandle(*character, *rig, threads);
    });
}

/// Another instance of the same rig, at rest.
FASCIA_WASM InstanceHandle* fascia_instance_twin(const InstanceHandle* instance) {
    return fascia_wasm::guarded<InstanceHandle*>(
        nullptr, [&] { return new InstanceHandle(instance->character, instance->rig, instance->work.threads()); });
}

FASCIA_WASM void fascia_instance_free(InstanceHandle* instance) {
    delete instance;
}

FASCIA_WASM const char* fascia_instance_describe(const InstanceHandle* instance) {
    nlohmann::json counts = nlohmann::json::array();
    for (const fascia::LayerCount& layer : fascia::layer_counts(*instance->rig))
        counts.push_back({{"name", layer.name}, {"points", layer.points}});
    const fascia::Inside* inside = instance->rig->inside();
    const nlohmann::json out = {{"method", instance->rig->method()},
                                {"pointCount", instance->rig->point_count()},
                                {"layerCounts", counts},
                                {"insidePoints", instance->points.size()},
                                {"pointSpacing", inside != nullptr ? inside->point_spacing() : 0},
                                {"cells", instance->cells.size() / 8},
                                {"domains", instance->carriers.domains.size()},
                                {"samples", instance->carriers.samples.size()},
                                {"hasParts", !instance->parts.joints.empty()},
                                {"warnings", instance->rig->warnings()}};
    return fascia_wasm::text(out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// ---- pose --------------------------------------------------------------------------------------------------------
/// Poses by a clip of the character (-1: the default pose; -2: the bind pose). Clamped to the clip's keys.
FASCIA_WASM void fascia_pose(InstanceHandle* instance, int clip, double seconds) {
    const fascia::Character& character = instance->character.value;
    if (clip == -2) {
        instance->pose = fascia::rest_pose(character);
        return;
    }
    const bool known = clip >= 0 && std::size_t(clip) < character.clips.size();
    fascia::evaluate(character, known ? &character.clips[std::size_t(clip)] : nullptr, seconds, instance->pose);
}
/// [joints * 12] rows of (A | t), world. Write here instead of fascia_pose to drive the character yourself.
FASCIA_WASM double* fascia_joints(InstanceHandle* instance) {
    return &instance->pose.joints.data()->m[0][0];
}
/// [nodes * 12] after fascia_pose.
FASCIA_WASM const double* fascia_nodes(const InstanceHandle* instance) {
    return &instance->pose.nodes.data()->m[0][0];
}

// ---- verbs -------------------------------------------------------------------------------------------------------
FASCIA_WASM void fascia_reset(InstanceHandle* instance) {
    fascia::reset(*instance->rig, instance->pose.joints, instance->state, instance->work);
}
FASCIA_WASM void fascia_reset_settled(InstanceHandle* instance) {
    fascia::reset_settled(*instance->rig, instance->pose.joints, instance->state, instance->work);
}
/// Takes over from another instance of the same character, of any method and resolution; 0 if their skeletons differ.
FASCIA_WASM int fascia_reset_from(InstanceHandle* instance, const InstanceHandle* from, double seconds) {
    if (instance->rig->joint_count() != from->rig->joint_count()) return 0;
    fascia::reset_from(*instance->rig, *from->rig, from->state, instance->state, instance->work, seconds);
    instance->pose = from->pose;
    return 1;
}
FASCIA_WASM void fascia_advance(InstanceHandle* instance, double dt) {
    fascia::advance(*instance->rig, instance->pose.joints, dt, instance->state, instance->work);
}
FASCIA_WASM void fascia_embed(InstanceHandle* instance) {
    fascia::embed(*instance->rig, instance->state, {.positions = instance->positions, .normals = instance->normals},
                  instance->work);
}
/// The same pose without simulation.
FASCIA_WASM void fascia_embed_skinned(InstanceHandle* instance) {
    instance->rig->embed_skinned(instance->state, {.positions = instance->skinned}, instance->work);
}
FASCIA_WASM const float* fascia_positions(const InstanceHandle* instance) {
    return &instance->positions.data()->x;
}
FASCIA_WASM const float* fascia_normals(const InstanceHandle* instance) {
    return &instance->normals.data()->x;
}
FASCIA_WASM const float* fascia_skinned(const InstanceHandle* instance) {
    return &instance->skinned.data()->x;
}
FASCIA_WASM const char* fascia_hash(const InstanceHandle* instance) {
    char out[17];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(fascia::hash(instance->state)));
    return fascia_wasm::text(out);
}

// ---- inside --------------------------------------------------------------------------------------------------------
/// [points * 3] where the points are now.
FASCIA_WASM const float* fascia_points(InstanceHandle* instance) {
    if (const fascia::Inside* inside = instance->rig->inside())
        inside->point_positions(instance->state, instance->points, instance->work);
    return &instance->points.data()->x;
}
/// [points] 0 bone, then the layers of the flesh outwards.
FASCIA_WASM const std::uint8_t* fascia_point_layers(const InstanceHandle* instance) {
    return instance->point_layers.data();
}
/// [points] joint of the bone that carries each point most; only if the method has parts.
FASCIA_WASM const std::uint16_t* fascia_point_bones(const InstanceHandle* instance) {
    return instance->parts.bones.data();
}
/// [points] joint around which each point lies.
FASCIA_WASM const std::uint16_t* fascia_point_joints(const InstanceHandle* instance) {
    return instance->parts.joints.data();
}
/// [cells * 8] points at the corners of each cell.
FASCIA_WASM const std::uint32_t* fascia_cells(const InstanceHandle* instance) {
    return instance->cells.data();
}
/// [vertices] the part of the surface that each belongs to where it is carried by domains.
FASCIA_WASM const std::uint32_t* fascia_vertex_domains(const InstanceHandle* instance) {
    return instance->carriers.domains.data();
}
/// [samples] the vertex nearest to each.
FASCIA_WASM const std::uint32_t* fascia_sample_vertices(const InstanceHandle* instance) {
    return instance->carriers.samples.data();
}
/// Of methods that solve for their points: 1, rounds, rounds of volume, energy; otherwise 0.
FASCIA_WASM const double* fascia_solved(InstanceHandle* instance) {
    const auto frame = fascia::solved_frame(*instance->rig, instance->state, instance->work);
    instance->numbers = {0, 0, 0, 0};
    if (frame) instance->numbers = {1, double(frame->rounds), double(frame->volume_rounds), frame->energy};
    return instance->numbers.data();
}
/// Number of parts, then for each its joint and its volume divided by the rest volume.
FASCIA_WASM const double* fascia_joint_volumes(InstanceHandle* instance) {
    instance->numbers = {0};
    const fascia::Inside* inside = instance->rig->inside();
    if (inside == nullptr) return instance->numbers.data();
    for (const fascia::JointVolume& part : inside->joint_volumes(instance->state)) {
        instance->numbers[0] += 1;
        instance->numbers.insert(instance->numbers.end(), {double(part.joint), part.ratio});
    }
    return instance->numbers.data();
}
/// [vertices] mean stretch of the edges at each vertex of the surface that embed wrote.
FASCIA_WASM const float* fascia_strain(InstanceHandle* instance) {
    instance->character.meter->vertex_strain(instance->positions, instance->strain);
    return instance->strain.data();
}

/// After embed and embed_skinned: volume divided by rest volume (NaN if nothing is closed), RMS and largest secondary
/// offset divided by the size, 99th percentile of the edge strain.
FASCIA_WASM const double* fascia_measures(InstanceHandle* instance) {
    const fascia::SurfaceMeter& meter = *instance->character.meter;
    const fascia::Offset offset = fascia::surface_offset(instance->positions, instance->skinned, meter.size());
    const auto volume = meter.volume_ratio(instance->positions);
    instance->numbers = {volume ? *volume : std::nan(""), offset.rms, offset.max,
                         meter.edge_strain(instance->positions).p99};
    return instance->numbers.data();
}

/// As JSON: seconds by stage since the last call, then the counters since the instance was made.
FASCIA_WASM const char* fascia_times(InstanceHandle* instance) {
    nlohmann::json stages = nlohmann::json::array();
    for (const fascia::StageTimes::Stage& stage : instance->work.times.all())
        stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
    const fascia::Counters& c = instance->state.counters;
    const nlohmann::json out = {{"stages", stages},
                                {"steps", c.steps},
                                {"refusedPoses", c.refused_poses},
                                {"resets", c.resets},
                                {"limitedPoints", c.limited_points},
                                {"droppedSteps", c.dropped_steps}};
    instance->work.times = {};
    return fascia_wasm::text(out.dump());
}
