// Figure 9: a body pushed down, without and with its volumes given back. Once by a hand on its skeleton, which the
// method itself answers; once by a force on its flesh, where the pass runs over the particles the force has moved.
#include <algorithm>
#include <cstdio>

#include "human.h"
#include "lattice.h"
#include "methods/lattice_body.h"

namespace fascia::experiments {

namespace {

constexpr double delta = 0.9;
constexpr double pushed = 1.5;  ///< scene units by which the upper half of the tube, 8 long, goes down

Flesh flesh_with(bool preserve, double force) {
    Flesh flesh = lattice_flesh(24);
    flesh.delta = delta;
    flesh.preserve_volume = preserve;
    flesh.gravity = {0, -force, 0};
    for (LayerSettings& layer : flesh.layers) layer.damping = 1;
    return flesh;
}

/// The tube upright, its upper half pushed down upon the lower one.
std::vector<Affine> pushed_down(const Character& tube, double by) {
    std::vector<Affine> joints = turned(tube, {{"first", {0, 0, 1}, 90}});
    joints[1] = compose({0, -by, 0}, {}, {1, 1, 1}) * joints[1];
    return joints;
}

void print_parts(const char* what, const std::vector<JointVolume>& parts) {
    const auto [least, most] = std::minmax_element(
        parts.begin(), parts.end(), [](const JointVolume& a, const JointVolume& b) { return a.ratio < b.ratio; });
    std::printf("%-36s %5.1f to %5.1f\n", what, 100 * least->ratio, 100 * most->ratio);
}

void by_hand(const std::string& folder) {
    const Character tube = cast("tube");
    const Appearance looks(tube);
    ContactSheet sheet(3, 220, 300);
    sheet.begin_row("tube");
    const auto picture = [&](const Held& held, const View& view, const char* caption) {
        sheet.cell(render(looks.shot(held.positions, held.normals), view, 220, 300), caption);
    };
    const Held upright = hold(*lattice_rig(tube, flesh_with(false, 0)), pushed_down(tube, 0));
    const View view = view_of(upright.positions);
    if (!folder.empty()) picture(upright, view, "at rest");
    for (const bool preserve : {false, true}) {
        const RigPtr rig = lattice_rig(tube, flesh_with(preserve, 0));
        const Held held = hold(*rig, pushed_down(tube, pushed));
        print_parts(preserve ? "tube pushed, volume given back" : "tube pushed, blended only",
                    rig->joint_volumes(held.state));
        if (!folder.empty()) picture(held, view, preserve ? "volume given back" : "blended only");
    }
    if (!folder.empty()) must(write_png(in(folder, "lattice_pressed.png"), sheet.finish()));
}

std::vector<JointVolume> volumes_of(const LatticeBody& body, const Floats& particles) {
    std::vector<JointVolume> out;
    for (const VolumePart& part : body.volumes.parts)
        out.push_back(
            {std::size_t(part.joint), part_volume(body.volumes, part, body.stride(), particles) / part.rest_volume});
    return out;
}

void by_force() {
    const Character character = cast("bloat");
    const Flesh flesh = flesh_with(true, 60);  // six times the weight of things
    LatticeSettings settings;
    settings.flesh = flesh;
    const auto body = *build_lattice_body(character, settings);
    const RigPtr rig = lattice_rig(character, flesh);
    State state = make_state(*rig);
    Workspace work;
    const std::vector<Affine> joints = rest_pose(character).joints;
    reset(*rig, joints, state, work);
    for (int k = 0; k < 120; ++k) advance(*rig, joints, 1 / 60.0, state, work);
    Floats particles(body->rest);
    for (std::size_t k = 0; k < particles.size(); ++k)
        particles[k] += float(delta) * (state.positions[k] - body->rest[k]);
    print_parts("bloat under a force of 6 g", volumes_of(*body, particles));
    // The skeleton rests, so that the directions have not turned.
    const std::size_t n = body->stride();
    Floats unturned(4 * n, 0), records(volume_record * n, 0), lambdas(body->volumes.parts.size(), 0);
    std::fill_n(unturned.begin(), n, 1.0f);
    solve_volumes(body->volumes, n, unturned, particles, records, lambdas);
    move_parts(body->volumes, n, unturned, lambdas, particles);
    print_parts("the same, volume given back", volumes_of(*body, particles));
}

}  // namespace

void pressed_body(const std::string& folder) {
    std::puts("volume of the parts around joints, % of rest");
    by_hand(folder);
    by_force();
}

}  // namespace fascia::experiments
