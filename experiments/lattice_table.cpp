// Table 1: frames per second on as many cells as published, with the published step of 16 ms and region radius.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "human.h"
#include "lattice.h"

namespace fascia::experiments {

namespace {

struct Published {
    std::size_t cells, particles;
    double laptop, desktop;  ///< frames per second
};
constexpr Published published[] = {{524, 1072, 148.572, 215.294},
                                   {976, 1906, 92.717, 134.181},
                                   {1241, 2451, 61.684, 99.436},
                                   {1905, 3058, 42.376, 81.633}};

/// Seconds of a frame: one step of 16 ms with everything before it, and the surface; the least of many.
double seconds_per_frame(const Character& character, const Rig& rig) {
    using clock = std::chrono::steady_clock;
    constexpr double step = 0.016;
    constexpr int frames = 200;
    const Clip& clip = character.clips.back();
    State state = make_state(rig);
    Workspace work;
    Pose pose;
    std::vector<Vec3> positions(rig.vertex_count()), normals(positions);
    evaluate(character, &clip, 0, pose);
    reset(rig, pose.joints, state, work);
    double least = 1e300;
    for (int k = 1; k <= frames; ++k) {
        evaluate(character, &clip, std::fmod(k * step, clip.duration), pose);
        const auto start = clock::now();
        advance(rig, pose.joints, step, state, work);
        embed(rig, state, {positions, normals, {}}, work);
        least = std::min(least, std::chrono::duration<double>(clock::now() - start).count());
    }
    return least;
}

}  // namespace

void speed_table(const std::string&) {
    const Character body = human().character;
    std::printf("%s: %zu vertices, %zu triangles, %zu joints; step 16 ms, region radius 2, one core\n",
                body.name.c_str(), body.mesh.vertex_count(), body.mesh.triangles.size() / 3, body.joints.size());
    std::puts("published: cells  particles  laptop fps  desktop fps | here: res.  cells  particles  ms per frame  fps");
    for (const Published& row : published) {
        LatticeSettings flesh = flesh_of<LatticeSettings>("paper-lattice");
        flesh.resolution = resolution_for(body, row.cells);
        const RigPtr rig = lattice_rig(body, flesh);
        const double seconds = seconds_per_frame(body, *rig);
        std::printf("%16zu  %9zu  %10.1f  %11.1f |      %5d  %5zu  %9zu  %12.3f  %.0f\n", row.cells, row.particles,
                    row.laptop, row.desktop, flesh.resolution, cells_at(body, flesh.resolution), rig->point_count(),
                    1000 * seconds, 1 / seconds);
    }
}

}  // namespace fascia::experiments
