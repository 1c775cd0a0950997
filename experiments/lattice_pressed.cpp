// Figure 9: a body pushed down, without and with its volumes restored. Once through its skeleton, to which the method
// itself responds; once by a force on its flesh, where the pass runs over the particles that the force has moved.
#include <algorithm>
#include <cstdio>

#include "human.h"
#include "lattice.h"
#include "methods/lattice/lattice_body.h"

namespace fascia::experiments {

namespace {

constexpr double delta = 0.9;
constexpr double pushed = 1.5;  ///< scene units by which the upper half of the tube, 8 long, goes down

LatticeSettings flesh_with(bool preserve, double force) {
    LatticeSettings flesh = lattice_flesh(24);
    flesh.delta = delta;
    flesh.preserve_volume = preserve;
    flesh.gravity = {0, -force, 0};
    for (LayerSettings& layer : flesh.layers) layer.damping = 1;
    return flesh;
}

/// The upright tube, its upper half pushed down onto the lower one.
std::vector<Affine> pushed_down(const Character& tube, double by) {
    std::vector<Affine> joints = turned(tube, {{"first", {0, 0, 1}, 90}});
    joints[1] = compose({0, -by, 0}, {}, {1, 1, 1}) * joints[1];
    return joints;
}

void print_parts(const char* what, const Character& character, const std::vector<JointVolume>& parts) {
    const auto [least, most] = std::minmax_element(
        parts.begin(), parts.end(), [](const JointVolume& a, const JointVolume& b) { return a.ratio < b.ratio; });
    std::printf("%-36s %5.1f (%s) to %5.1f (%s)\n", what, 100 * least->ratio,
                character.joints[least->joint].name.c_str(), 100 * most->ratio,
                character.joints[most->joint].name.c_str());
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
        print_parts(preserve ? "tube pushed, volume given back" : "tube pushed, blended only", tube,
                    rig->inside()->joint_volumes(held.state));
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

/// The surface in cells whose corners are at these positions.
void add_picture(ContactSheet& sheet, const Character& character, const LatticeBody& body, const Floats& particles,
                 const char* caption) {
    const std::size_t n = body.stride();
    std::vector<std::uint32_t> line_of_point(n, 0), line;
    for (std::size_t k = 0; k < body.sides.points.size(); ++k) line_of_point[body.sides.points[k]] = std::uint32_t(k);
    for (const std::uint32_t point : body.bound.points) line.push_back(line_of_point[point]);
    Floats lines(embedding::line_floats * body.sides.points.size());
    embedding::lines_of_places(body.sides, n, particles, 0, body.sides.points.size(), lines);
    const std::vector<Vec3> nowhere(character.mesh.vertex_count());
    std::vector<Vec3> positions(nowhere.size()), normals(nowhere.size());
    embedding::carry_in_cells_reference(body.bound, line, lines, nowhere, positions);
    for (Vec3& p : positions) p = to_float(to_double(p) * body.h + body.centre);
    embedding::turn_normals_reference(body.bound, line, lines, character.mesh.normals, normals);
    View view = view_of(character.mesh.positions);
    view.yaw = 0.9;
    sheet.cell(render(Appearance(character).shot(positions, normals), view, 300, 300), caption);
}

void by_force(const std::string& folder) {
    const Character character = cast("bloat");
    const LatticeSettings flesh = flesh_with(true, 60);  // six times normal gravity
    const auto body = *build_lattice_body(character, flesh, as_published());
    const RigPtr rig = lattice_rig(character, flesh);
    State state = make_state(*rig);
    Workspace work;
    const std::vector<Affine> joints = rest_pose(character).joints;
    reset(*rig, joints, state, work);
    for (int k = 0; k < 120; ++k) advance(*rig, joints, 1 / 60.0, state, work);
    Floats particles(body->rest);
    for (std::size_t k = 0; k < particles.size(); ++k)
        particles[k] += float(delta) * (state.positions[k] - state.memory[k]);
    ContactSheet sheet(3, 300, 300);
    sheet.begin_row("bloat");
    if (!folder.empty()) {
        add_picture(sheet, character, *body, body->rest, "at rest");
        add_picture(sheet, character, *body, particles, "under a force of 6 g");
    }
    print_parts("bloat under a force of 6 g", character, volumes_of(*body, particles));
    // The skeleton is at rest, so the directions have not turned.
    const std::size_t n = body->stride();
    Floats unturned(4 * n, 0), records(volume_record * n, 0), lambdas(body->volumes.parts.size(), 0);
    std::fill_n(unturned.begin(), n, 1.0f);
    solve_volumes(body->volumes, n, unturned, particles, records, lambdas);
    move_parts(body->volumes, n, unturned, lambdas, particles);
    print_parts("the same, volume given back", character, volumes_of(*body, particles));
    if (folder.empty()) return;
    add_picture(sheet, character, *body, particles, "volume given back");
    must(write_png(in(folder, "lattice_pressed_by_force.png"), sheet.finish()));
}

}  // namespace

/// [Chen 2012, fig. 9]
void pressed_body(const std::string& folder) {
    std::puts("volume of the parts around joints, % of rest");
    by_hand(folder);
    by_force(folder);
}

}  // namespace fascia::experiments
