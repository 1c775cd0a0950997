// Runs every method on the bundled characters and prints the hash of the state and of the surface.
// The committed hashes.txt pins them: for any thread count, build type, compiler, vector width, and in WASM.
//     golden_hashes [threads [frames at most [every n-th run only]]] > hashes.txt
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/hash.h"
#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace {

using namespace fascia;

struct Run {
    const char* method;
    const char* character;
    const char* clip;
    int frames;
    const char* weights = "auto";
    bool contact = false;  ///< of the body with itself
};

constexpr Run runs[] = {
    {"lbs", "bunny", "dance", 60},
    {"lbs", "tube", "twist", 60},
    {"dqs", "bunny", "dance", 60},
    {"dqs", "gnome", "jump", 60},
    {"dqs", "bloat", "walk", 60},
    {"dqs", "tube", "twist", 60},
    {"bones-blending", "bunny", "dance", 60},
    {"bones-blending", "tube", "twist", 60},
    {"layers", "bunny", "dance", 60},
    {"layers", "bunny", "dance", 600},
    {"layers", "gnome", "jump", 600},
    {"layers", "bloat", "shake", 600},
    {"layers", "bunny", "dance", 60, "auto", true},
    {"layers", "gnome", "jump", 60, "auto", true},
    {"lattice", "bunny", "dance", 60, "diffusion"},
    {"lattice", "bunny", "dance", 600, "diffusion"},
    {"lattice", "tube", "bend", 60, "diffusion"},
    {"lattice", "bloat", "shake", 60},
    {"particles", "bunny", "dance", 60},
    {"particles", "bunny", "dance", 600},
    {"particles", "bloat", "shake", 60},
    {"particles", "tube", "bend", 60},
    {"volumetric-dqs", "bunny", "dance", 60},
    {"volumetric-dqs", "tube", "twist", 60},
    {"volumetric-arap", "bunny", "dance", 60},
    {"volumetric-arap", "gnome", "jump", 60},
    {"volumetric-arap", "tube", "bend", 60},
    {"handles", "bunny", "dance", 60},
    {"handles", "tube", "bend", 60},
    {"neck", "bunny", "dance", 60},
    {"neck", "bloat", "shake", 60},
};

std::uint64_t surface_hash(const Rig& rig, const State& state, Workspace& work) {
    std::vector<Vec3> positions(rig.vertex_count()), normals(rig.vertex_count());
    embed(rig, state, {.positions = positions, .normals = normals, .tangents = {}}, work);
    Hasher hasher;
    hasher.values(std::span<const Vec3>(positions));
    hasher.values(std::span<const Vec3>(normals));
    return hasher.value();
}

bool print_run(const Run& run, int threads) {
    const auto character = bundled_character(run.character);
    auto flesh = preset("default");
    // What bodies choose by themselves may improve: these runs state the values that they were recorded with.
    for (const auto& [key, value] : {std::pair{"layers.muscle.frequency", "8"},
                                     {"layers.fat.frequency", "4"},
                                     {"layers.skin.frequency", "4.5"},
                                     {"anatomy", "names"},
                                     {"resolution", "32"},
                                     {"contact", run.contact ? "true" : "false"}})
        if (!set_field(*flesh, key, value)) return false;
    const auto settings = settings_for(run.method, *flesh);
    BindInputs inputs;
    inputs.weights = run.weights;
    const auto rig = bind(*character, *settings, inputs);
    const auto clip = find_clip(*character, run.clip);
    if (!rig || !clip) {
        std::fprintf(stderr, "%s\n", (!rig ? rig.error() : clip.error()).message.c_str());
        return false;
    }
    Workspace work(threads);
    State state = make_state(**rig);
    Pose pose;
    for (int frame = 0; frame < run.frames; ++frame) {
        evaluate(*character, *clip, std::fmod(frame / 60.0, (*clip)->duration), pose);
        if (frame == 0) reset(**rig, pose.joints, state, work);
        advance(**rig, pose.joints, 1 / 60.0, state, work);
    }
    std::printf("%s %s %s%s %d state %016llx surface %016llx\n", run.method, run.character, run.clip,
                run.contact ? " contact" : "", run.frames, static_cast<unsigned long long>(hash(state)),
                static_cast<unsigned long long>(surface_hash(**rig, state, work)));
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
    const int most_frames = argc > 2 ? std::atoi(argv[2]) : 600;
    const int every = argc > 3 ? std::max(std::atoi(argv[3]), 1) : 1;
    bool ok = true;
    int number = 0;
    for (const Run& run : runs)
        if (number++ % every == 0 && run.frames <= most_frames) ok = print_run(run, threads) && ok;
    return ok ? 0 : 1;
}
