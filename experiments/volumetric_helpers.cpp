#include <algorithm>
#include <cmath>
#include <ctime>

#include "rows.h"
#include "volumetric.h"

namespace fascia::experiments {

double seconds_of(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}
double least_seconds(int runs, const std::function<void()>& work) {
    double out = 1e300;
    for (int k = 0; k < runs; ++k) out = std::min(out, seconds_of(work));
    return out;
}

VolumetricDqsSettings dqs_at(int resolution) {
    VolumetricDqsSettings out;
    out.resolution = resolution;
    return out;
}
VolumetricArapSettings arap_at(int resolution) {
    VolumetricArapSettings out;
    out.resolution = resolution;
    out.volume_rounds = 0;
    return out;
}

double volume_of(const Character& character, const std::vector<Vec3>& positions) {
    const SurfaceMeter meter(character.mesh.positions, character.mesh.triangles, 8);
    return 100 * meter.volume_ratio(positions).value_or(0);
}

double frame_seconds(const Rig& rig, const std::vector<Affine>& pose) {
    State state = make_state(rig);
    Workspace work(1);
    std::vector<Vec3> positions(rig.vertex_count()), normals(rig.vertex_count());
    reset(rig, pose, state, work);
    return least_seconds(5, [&] {
        advance(rig, pose, 1 / 60.0, state, work);
        embed(rig, state, {positions, normals, {}}, work);
    });
}

Image picture(const ModelBody& body, const Held& held, int size) {
    View view = view_of(held.positions);
    view.yaw = body.yaw;
    view.ground = false;
    return render(Appearance(body.character).shot(held.positions, held.normals), view, size, size);
}

Image painted(const ModelBody& body, const Held& held, const std::vector<Vec4>& colors, int size) {
    View view = view_of(held.positions);
    view.yaw = body.yaw;
    view.ground = false;
    Shot shot{held.positions, held.normals, body.character.mesh.triangles, colors};
    return render(shot, view, size, size);
}

RigPtr carried(const ModelBody& body, const Settings& settings, const char* how, int samples) {
    BindInputs inputs;
    inputs.embed.how = how;
    inputs.embed.samples = samples;
    return dressed(body.character, settings, inputs);
}

double largest_kink(const Character& tube, const std::vector<Vec3>& positions) {
    const std::vector<Vec3>& rest = tube.mesh.positions;
    std::size_t sides = 0;
    while (rest[2 + sides].x == rest[2].x) ++sides;
    const std::size_t rings = (rest.size() - 2) / sides;
    const auto moved = [&](std::size_t v) { return to_double(positions[v]) - to_double(rest[v]); };
    double out = 0;
    for (std::size_t r = rings / 6; r + 3 < rings - rings / 6; ++r)
        for (std::size_t v = 2 + sides * r; v < 2 + sides * (r + 1); ++v) {
            const Vec3d jump = moved(v + 3 * sides) - moved(v + 2 * sides) * 3.0 + moved(v + sides) * 3.0 - moved(v);
            out = std::max(out, length(jump));
        }
    return out / tube.size();
}

}  // namespace fascia::experiments
