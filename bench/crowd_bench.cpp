// A whole frame as a game sees it: pose, advance and embed of one instance and of crowds at 60 frames per second,
// beside plain skinning, and what a vertex of the surface costs.
//
//     bench_crowd                      the bunny
//     bench_crowd FILE.glb bunny ...   any characters, each with its first clip
//     bench_crowd --quick              one instance only
//     bench_crowd --surface            only what a vertex costs
//     bench_crowd --bind               only how long binding takes
//     bench_crowd --split N            every triangle in four, N times
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "split_mesh.h"
#include "step_row.h"

namespace fascia::bench {
namespace {

constexpr double fps = 60;

struct Subject {
    std::string name;
    Character character;
    const Clip* clip = nullptr;
};

Result<Subject> load_subject(const std::string& name) {
    Subject out{name, {}, nullptr};
    Result<Character> read = name.find('.') == std::string::npos ? bundled_character(name) : load_character(name);
    if (!read) return read.error();
    out.character = std::move(*read);
    return out;
}

RigPtr bound(const Character& character, const std::string& method,
             std::initializer_list<std::pair<const char*, const char*>> values) {
    Flesh flesh = *preset("default");
    for (const auto& [key, value] : values)
        if (const Status set = set_field(flesh, key, value); !set) std::printf("%s\n", set.error().message.c_str());
    const Result<RigPtr> rig = fascia::bind(character, method, flesh);
    if (!rig) std::printf("%s: %s\n", method.c_str(), rig.error().message.c_str());
    return rig ? *rig : nullptr;
}

struct Instance {
    State state;
    Pose pose;
    std::vector<Vec3> positions, normals;
};

/// Milliseconds of one instance in the frame that was disturbed least, stage by stage.
struct FrameCost {
    double pose = 1e300, advance = 1e300, embed = 1e300, steps = 1e300;
    double kilobytes = 0;  ///< of the State of one instance that has moved
    double sum() const { return pose + advance + embed; }
};

/// Calls body(instance, workspace), instances spread over the workspaces.
template <class Body>
void spread(std::vector<Instance>& crowd, std::vector<Workspace>& works, Body&& body) {
    const auto share = [&](std::size_t w) {
        for (std::size_t k = w; k < crowd.size(); k += works.size()) body(k, works[w]);
    };
    std::vector<std::thread> others;
    for (std::size_t w = 1; w < works.size(); ++w) others.emplace_back(share, w);
    share(0);
    for (std::thread& other : others) other.join();
}

FrameCost measure(const Subject& subject, const Rig& rig, std::size_t instances, int threads) {
    const Clip* clip = clip_named(subject.character, "dance");
    if (clip == nullptr && !subject.character.clips.empty()) clip = &subject.character.clips.front();
    const double duration = clip ? std::max(clip->duration, 1 / fps) : 1;
    std::vector<Workspace> works;
    for (int k = 0; k < threads; ++k) works.emplace_back(1);
    std::vector<Instance> crowd(instances);
    const auto time_of = [&](std::size_t k, int frame) { return std::fmod(frame / fps + 0.037 * double(k), duration); };
    for (std::size_t k = 0; k < instances; ++k) {
        Instance& one = crowd[k];
        one.state = rig.make_state();
        one.positions.resize(rig.vertex_count());
        one.normals.resize(rig.vertex_count());
        evaluate(subject.character, clip, time_of(k, 0), one.pose);
        rig.reset(one.pose.joints, one.state, works[0]);
    }
    FrameCost out;
    const int frames = std::max(8, int(400 / instances));
    const double unit = 1e3 / double(instances);
    for (int frame = 1; frame <= frames; ++frame) {
        for (Workspace& work : works) work.times = {};
        const auto pose = [&](std::size_t k, Workspace&) {
            evaluate(subject.character, clip, time_of(k, frame), crowd[k].pose);
        };
        const auto advance = [&](std::size_t k, Workspace& work) {
            rig.advance(crowd[k].pose.joints, 1 / fps, crowd[k].state, work);
        };
        const auto embed = [&](std::size_t k, Workspace& work) {
            rig.embed(crowd[k].state, {crowd[k].positions, crowd[k].normals, {}}, work);
        };
        out.pose = std::min(out.pose, unit * seconds_of([&] { spread(crowd, works, pose); }));
        out.advance = std::min(out.advance, unit * seconds_of([&] { spread(crowd, works, advance); }));
        double steps = 0;
        for (Workspace& work : works)
            for (const StageTimes::Stage& stage : work.times.all()) steps += unit * stage.seconds;
        out.steps = std::min(out.steps, steps / threads);
        out.embed = std::min(out.embed, unit * seconds_of([&] { spread(crowd, works, embed); }));
    }
    out.kilobytes = double(bytes_of(crowd[0].state)) / 1000;
    return out;
}

void print_frames(const Subject& subject, const char* what, const Rig& rig, bool quick) {
    for (const std::size_t instances : {std::size_t{1}, std::size_t{50}, std::size_t{500}})
        for (const int threads : {1, 2}) {
            if ((quick && instances > 1) || (instances == 1 && threads > 1)) continue;
            const FrameCost cost = measure(subject, rig, instances, threads);
            std::printf("%-24s %-18s %6zu %3d %8.4f %8.4f %8.4f %8.4f %9.3f %9.0f\n", subject.name.c_str(), what,
                        instances, threads, cost.pose, cost.advance, cost.embed, cost.sum(),
                        cost.steps > 0 ? cost.sum() / cost.steps : 0.0, cost.kilobytes);
        }
}

void print_surface(const Subject& subject, const char* what, const Rig& rig, double plain) {
    const FrameCost cost = measure(subject, rig, 1, 1);
    const double ns = cost.embed * 1e6 / double(rig.vertex_count());
    std::printf("%-24s %-18s %8zu %8.2f %8.2f\n", subject.name.c_str(), what, rig.vertex_count(), ns, ns / plain);
}

/// A coat: the body's own mesh, a hundredth of the size further out.
void print_coat(const Subject& subject, const char* what, const RigPtr& rig, double plain) {
    Mesh coat = subject.character.mesh;
    const float out = float(0.01 * subject.character.size());
    for (std::size_t v = 0; v < coat.vertex_count() && v < coat.normals.size(); ++v)
        coat.positions[v] += coat.normals[v] * out;
    const Result<AttachedMesh> attached = attach(rig, coat);
    if (!attached) return;
    const Clip* clip = clip_named(subject.character, "dance");
    if (clip == nullptr && !subject.character.clips.empty()) clip = &subject.character.clips.front();
    Workspace work;
    Instance one;
    one.state = rig->make_state();
    one.positions.resize(coat.vertex_count());
    one.normals.resize(coat.vertex_count());
    double least = 1e300;
    for (int frame = 0; frame < 400; ++frame) {
        evaluate(subject.character, clip, clip ? std::fmod(frame / fps, clip->duration) : 0, one.pose);
        rig->advance(one.pose.joints, 1 / fps, one.state, work);
        least = std::min(least, seconds_of([&] {
                             fascia::embed(*attached, one.state, {one.positions, one.normals, {}}, work);
                         }));
    }
    const double ns = least * 1e9 / double(coat.vertex_count());
    std::printf("%-24s %-18s %8zu %8.2f %8.2f\n", subject.name.c_str(), what, coat.vertex_count(), ns, ns / plain);
}

void print_binds(const Subject& subject) {
    std::printf("\nseconds to bind\n%-24s %-18s %8s %8s %8s\n", "", "", "vertices", "points", "s");
    const auto row = [&](const char* what, const char* method,
                         std::initializer_list<std::pair<const char*, const char*>> values) {
        RigPtr rig;
        const double seconds = best_seconds(2, [&] { rig = bound(subject.character, method, values); });
        if (rig)
            std::printf("%-24s %-18s %8zu %8zu %8.3f\n", subject.name.c_str(), what, rig->vertex_count(),
                        rig->point_count(), seconds);
    };
    row("lbs", "lbs", {});
    row("layers 32", "layers", {{"resolution", "32"}});
    row("layers", "layers", {});
    row("lattice 32", "lattice", {{"resolution", "32"}});
    row("lattice", "lattice", {});
    row("particles", "particles", {});
}

void run(const Subject& subject, bool quick, bool only_surface) {
    const Character& c = subject.character;
    const RigPtr lbs = bound(c, "lbs", {}), layers32 = bound(c, "layers", {{"resolution", "32"}}),
                 layers64 = bound(c, "layers", {{"resolution", "64"}}),
                 lattice = bound(c, "lattice", {{"resolution", "32"}}),
                 fast = bound(c, "layers", {{"resolution", "32"}, {"quality", "fast"}});
    if (!lbs || !layers32 || !layers64 || !lattice || !fast) return;
    std::printf("\nns per vertex, positions and normals, one thread\n%-24s %-18s %8s %8s %8s\n", "", "", "vertices",
                "ns", "of lbs");
    const double plain = measure(subject, *lbs, 1, 1).embed * 1e6 / double(lbs->vertex_count());
    print_surface(subject, "lbs", *lbs, plain);
    print_surface(subject, "layers 32", *layers32, plain);
    print_surface(subject, "layers 64", *layers64, plain);
    print_surface(subject, "lattice 32", *lattice, plain);
    print_coat(subject, "coat on layers 32", layers32, plain);
    print_coat(subject, "coat on lattice 32", lattice, plain);
    if (only_surface) return;
    std::printf("\nms per instance and frame of 1/60 s; kB of State\n%-24s %-18s %6s %3s %8s %8s %8s %8s %9s %9s\n", "",
                "", "bodies", "thr", "pose", "advance", "embed", "sum", "of steps", "kB");
    print_frames(subject, "lbs", *lbs, quick);
    print_frames(subject, "layers 32", *layers32, quick);
    print_frames(subject, "layers 32, fast", *fast, quick);
    print_frames(subject, "lattice 32", *lattice, quick);
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    using namespace fascia::bench;
    std::vector<std::string> names;
    bool only_surface = false, only_bind = false;
    int splits = 0;
    for (int k = 1; k < argc; ++k) {
        const std::string option = argv[k];
        only_surface |= option == "--surface";
        only_bind |= option == "--bind";
        if (option == "--split" && k + 1 < argc)
            splits = std::atoi(argv[++k]);
        else if (option[0] != '-')
            names.push_back(option);
    }
    if (names.empty()) names.push_back("bunny");
    std::printf("vectors: %s\n", fascia::vector_level());
    for (const std::string& name : names) {
        fascia::Result<Subject> subject = load_subject(name);
        if (!subject) {
            std::printf("%s\n", subject.error().message.c_str());
            return 3;
        }
        subject->character = split_mesh(subject->character, splits);
        if (only_bind)
            print_binds(*subject);
        else
            run(*subject, options_of(argc, argv).quick, only_surface);
    }
    return 0;
}
