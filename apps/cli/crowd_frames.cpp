#include "crowd_frames.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "fascia/fascia.h"
#include "interrupt.h"

namespace fascia::cli {

namespace {

constexpr double crowd_fps = 60;
/// At most this many frames of an instance are measured, and at least this many of a crowd.
constexpr std::size_t measured_frames = 400, fewest_crowd_frames = 3;

struct Member {
    State state;
    Pose pose;
    std::vector<Vec3> positions, normals;
};

double ms_of(auto&& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double state_bytes(const State& s) {
    return double(sizeof s) +
           double(sizeof(float)) *
               double(s.positions.size() + s.velocities.size() + s.rotations.size() + s.memory.size()) +
           double(sizeof(Affine) * (s.joints.size() + s.previous_joints.size()) + sizeof(JointTrack) * s.tracks.size());
}

/// Calls work_on(member, workspace) for all members, spread over the workspaces. A single member has a single
/// workspace, which then has all the threads.
void spread(std::vector<Member>& crowd, std::vector<Workspace>& works, auto&& work_on) {
    const auto share = [&](std::size_t w) {
        for (std::size_t k = w; k < crowd.size(); k += works.size()) work_on(k, works[w]);
    };
    std::vector<std::thread> others;
    for (std::size_t w = 1; w < works.size(); ++w) others.emplace_back(share, w);
    share(0);
    for (std::thread& other : others) other.join();
}

}  // namespace

const Clip* lively_clip(const Character& character) {
    for (const char* wanted : {"dance", "bend"})
        for (const Clip& clip : character.clips)
            if (clip.name == wanted) return &clip;
    return character.clips.empty() ? nullptr : &character.clips.front();
}

std::vector<NamedRig> crowd_rigs(const Character& character) {
    struct Asked {
        const char *name, *method, *quality;
    };
    std::vector<NamedRig> out;
    for (const Asked& asked : {Asked{"lbs", "lbs", nullptr}, Asked{"layers 32", "layers", "full"},
                               Asked{"layers 32, fast", "layers", "fast"}, Asked{"lattice 32", "lattice", "full"}}) {
        Flesh flesh = *preset("default");
        if (asked.quality != nullptr) {
            const bool set =
                set_field(flesh, "resolution", "32").ok() && set_field(flesh, "quality", asked.quality).ok();
            if (!set) continue;
        }
        if (Result<RigPtr> rig = fascia::bind(character, asked.method, flesh)) out.push_back({asked.name, *rig});
    }
    return out;
}

CrowdRow measure_crowd(const Character& character, const NamedRig& named, std::size_t instances, int threads,
                       double seconds) {
    const Rig& rig = *named.rig;
    const Clip* clip = lively_clip(character);
    const double duration = clip != nullptr ? std::max(clip->duration, 1 / crowd_fps) : 1;
    const auto time_of = [&](std::size_t k, std::size_t frame) {
        return std::fmod(double(frame) / crowd_fps + 0.037 * double(k), duration);
    };
    std::vector<Workspace> works;
    if (instances == 1) works.emplace_back(threads);
    for (int k = 0; instances > 1 && k < threads; ++k) works.emplace_back(1);
    std::vector<Member> crowd(instances);
    for (std::size_t k = 0; k < instances; ++k) {
        Member& one = crowd[k];
        one.state = rig.make_state();
        one.positions.resize(rig.vertex_count());
        one.normals.resize(rig.has_normals() ? rig.vertex_count() : 0);
        evaluate(character, clip, time_of(k, 0), one.pose);
        reset(rig, one.pose.joints, one.state, works[0]);
    }
    CrowdRow row;
    row.rig = named.name;
    row.vertices = rig.vertex_count();
    row.points = rig.point_count();
    row.instances = instances;
    row.threads = threads;
    row.state_kb = state_bytes(crowd[0].state) / 1000;
    row.pose_ms = row.advance_ms = row.embed_ms = 1e300;
    double spent_ms = 0;
    const auto keep = [&](double& least, auto&& work_on) {
        const double ms = ms_of([&] { spread(crowd, works, work_on); });
        least = std::min(least, ms / double(instances));
        spent_ms += ms;
    };
    const auto goes_on = [&](std::size_t frame) {
        return frame <= fewest_crowd_frames || (frame <= measured_frames && spent_ms < 3e3 * seconds);
    };
    for (std::size_t frame = 1; goes_on(frame) && !interrupted(); ++frame) {
        keep(row.pose_ms,
             [&](std::size_t k, Workspace&) { evaluate(character, clip, time_of(k, frame), crowd[k].pose); });
        keep(row.advance_ms, [&](std::size_t k, Workspace& work) {
            advance(rig, crowd[k].pose.joints, 1 / crowd_fps, crowd[k].state, work);
        });
        keep(row.embed_ms, [&](std::size_t k, Workspace& work) {
            embed(rig, crowd[k].state, {crowd[k].positions, crowd[k].normals, {}}, work);
        });
    }
    return row;
}

}  // namespace fascia::cli
