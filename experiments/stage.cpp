#include "stage.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fascia::experiments {

void must(const Status& status) {
    if (status) return;
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    std::exit(1);
}

namespace {

template <class T>
T must(Result<T> result) {
    if (!result) must(Status(result.error()));
    return std::move(*result);
}

}  // namespace

Character cast(const std::string& name) {
    return must(bundled_character(name));
}

RigPtr dressed(const Character& character, const Settings& settings, const BindInputs& inputs) {
    return must(fascia::bind(character, settings, inputs));
}

Settings settings_of(const std::string& method, const std::string& preset_name) {
    return must(settings_for(method, must(preset(preset_name))));
}

StageTimes play(const Character& character, const Rig& rig, const std::string& clip_name, const Playing& playing,
                const std::function<void(const Frame&)>& seen) {
    const Clip* clip = must(find_clip(character, clip_name));
    State state = make_state(rig);
    Workspace work;
    Pose pose;
    std::vector<Vec3> positions(rig.vertex_count()), normals(positions), skinned(positions);
    const int frames = int(std::lround(playing.seconds * playing.fps));
    for (int k = 0; k <= frames; ++k) {
        const double time = k / playing.fps;
        evaluate(character, clip, time, pose);
        if (playing.disturb) playing.disturb(k, pose.joints);
        if (k == 0)
            reset(rig, pose.joints, state, work);
        else
            advance(rig, pose.joints, 1 / playing.fps, state, work);
        if (!seen) continue;
        embed(rig, state, {positions, normals, {}}, work);
        rig.embed_skinned(state, {skinned, {}, {}}, work);
        seen({k, time, positions, normals, skinned, state});
    }
    return work.times;
}

std::vector<std::size_t> vertices_of(const Character& character, const std::string& joint) {
    std::vector<std::size_t> out;
    const auto slots = std::size_t(character.weights.influences);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        const auto first = character.weights.weights.begin() + std::ptrdiff_t(v * slots);
        const auto most = std::max_element(first, first + std::ptrdiff_t(slots));
        const std::size_t slot = v * slots + std::size_t(most - first);
        if (character.joints[character.weights.joints[slot]].name == joint) out.push_back(v);
    }
    return out;
}

namespace {

std::vector<Vec4> offset_colors(const Frame& frame, double size) {
    constexpr double red = 0.1;
    std::vector<Vec4> out;
    for (std::size_t v = 0; v < frame.positions.size(); ++v)
        out.push_back(heat_color(float(double(length(frame.positions[v] - frame.skinned[v])) / (red * size))));
    return out;
}

}  // namespace

void add_row(ContactSheet& sheet, const std::string& label, const Character& character, const Rig& rig,
             const std::string& clip, const std::vector<double>& times, const Framing& framing, Playing playing) {
    const Appearance looks(character);
    playing.seconds = times.back();
    sheet.begin_row(label);
    std::size_t next = 0;
    const double size = character.size();
    play(character, rig, clip, playing, [&](const Frame& frame) {
        if (next == times.size() || frame.time < times[next] - 0.5 / playing.fps) return;
        char caption[32];
        std::snprintf(caption, sizeof caption, "%.2f s", frame.time);
        Shot shot = looks.shot(frame.positions, frame.normals);
        const std::vector<Vec4> heat = framing.heat ? offset_colors(frame, size) : std::vector<Vec4>();
        if (framing.heat) shot.colors = heat;
        View view = framing.view ? *framing.view : view_of(frame.skinned);
        if (!framing.view) view.box_max.y += 0.12 * size;  // room for what swings beyond
        sheet.cell(render(shot, view, framing.width, framing.height), caption);
        ++next;
    });
}

View view_of_clip(const Character& character, const std::string& clip, double seconds) {
    View view;
    const RigPtr rig = dressed(character, Settings{LbsSettings{}});
    play(character, *rig, clip, {seconds, 10, {}}, [&](const Frame& frame) {
        if (frame.index == 0) view = view_of(frame.positions);
        include_in_view(view, frame.positions);
    });
    return view;
}

}  // namespace fascia::experiments
