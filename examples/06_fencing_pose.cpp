// The fencing pose of docs/papers/001.md: an arm twisted by a quarter turn in the shoulder, and lifted forward, by
// linear blending and by bones blending.
//     example_fencing_pose [CHARACTER JOINT [FOLDER]]        default: the bundled gnome
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "fascia/fascia.h"

using namespace fascia;

namespace {

constexpr double quarter = 1.57079632679489662;

/// All joints at rest, except that `joint` and everything below it are turned about its head.
std::vector<Affine> turned(const Character& c, int joint, Quat turn) {
    const Vec3d at = translation_of(c.joints[std::size_t(joint)].rest);
    const Affine about = compose(at, turn, {1, 1, 1}) * compose(at * -1.0, {}, {1, 1, 1});
    std::vector<Affine> out;
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        bool hangs = false;
        for (int up = int(j); up >= 0; up = c.joints[std::size_t(up)].parent) hangs = hangs || up == joint;
        out.push_back(hangs ? about * c.joints[j].rest : c.joints[j].rest);
    }
    return out;
}

struct Skin {
    std::vector<Vec3> positions, normals;
};
Skin deform(const Character& c, const Settings& settings, const std::vector<Affine>& pose) {
    const auto rig = fascia::bind(c, settings);
    Skin out{std::vector<Vec3>(c.mesh.vertex_count()), std::vector<Vec3>(c.mesh.vertex_count())};
    if (!rig) return std::puts(rig.error().message.c_str()), out;
    State state = make_state(**rig);
    Workspace work;
    reset(**rig, pose, state, work);
    embed(**rig, state, {.positions = out.positions, .normals = out.normals}, work);
    return out;
}

/// Mean distance of the vertices in the first part of the bone from the bone's line, divided by that at rest.
double thickness(const Character& c, int joint, const std::vector<Affine>& pose, const std::vector<Vec3>& positions) {
    const Joint& j = c.joints[std::size_t(joint)];
    const Vec3d head = translation_of(j.rest), along = j.tail - head;
    const Affine map = pose[std::size_t(joint)] * inverse(j.rest);
    double now = 0, before = 0;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const Vec3d rest = to_double(c.mesh.positions[v]), at = transform_point(inverse(map), to_double(positions[v]));
        const double t = dot(rest - head, along) / dot(along, along);
        const auto off = [&](Vec3d p) {
            return length((p - head) - along * (dot(p - head, along) / dot(along, along)));
        };
        if (t < 0.05 || t > 0.5 || off(rest) > 0.6 * length(along)) continue;
        now += off(at);
        before += off(rest);
    }
    return before > 0 ? now / before : 1;
}

/// The centre of a picture: near the shoulder, with the whole body lit.
Image middle_of(const Image& whole, int side) {
    Image out{side, side, {}};
    const int left = (whole.width - side) / 2, top = (whole.height - side) / 2;
    for (int y = 0; y < side; ++y) {
        const auto row = whole.rgb.begin() + 3 * ((top + y) * whole.width + left);
        out.rgb.insert(out.rgb.end(), row, row + 3 * side);
    }
    return out;
}

}  // namespace

/// [Kavan 2003, fig. 11]
int main(int argc, char** argv) {
    const auto character = argc > 2 ? load_character(argv[1]) : bundled_character("gnome");
    if (!character) return std::puts(character.error().message.c_str()), 1;
    const Character& c = *character;
    const std::string name = argc > 2 ? argv[2] : "left_upper_arm";
    const auto found = std::find_if(c.joints.begin(), c.joints.end(), [&](const Joint& j) { return j.name == name; });
    if (found == c.joints.end()) return std::printf("there is no joint '%s'\n", name.c_str()), 1;
    const int joint = int(found - c.joints.begin());
    const Vec3d head = translation_of(found->rest), along = normalized(found->tail - head);

    const Quat twist = quat_from_axis_angle(along, quarter);
    const Vec3d forward{0, 0, 1};
    const Quat lift = quat_from_axis_angle(normalized(cross(along, forward)), std::acos(dot(along, forward)));
    BonesBlendingSettings blending;
    blending.joints.push_back({name, {}, {}, 1.0});

    ContactSheet sheet(2, 460, 460);
    for (const auto& [label, turn] :
         {std::pair{"twisted 90", twist}, std::pair{"lifted forward, twisted 90", lift * twist}}) {
        sheet.begin_row(label);
        for (const auto& [method, settings] :
             {std::pair{"linear blending", Settings{LbsSettings{}}}, std::pair{"bones blending", Settings{blending}}}) {
            const std::vector<Affine> pose = turned(c, joint, turn);
            const Skin skin = deform(c, settings, pose);
            std::printf("%s, %s: thickness of the upper arm %.3f of that at rest\n", label, method,
                        thickness(c, joint, pose, skin.positions));
            View view = view_of(skin.positions);
            const double reach = 2 * length(found->tail - head);
            view.box_min = head - Vec3d{reach, reach, reach}, view.box_max = head + Vec3d{reach, reach, reach};
            view.yaw = 0.5, view.ground = false;
            const Shot shot{
                .positions = skin.positions, .normals = skin.normals, .triangles = c.mesh.triangles, .colors = {}};
            sheet.cell(middle_of(render(shot, view, 1000, 1000), 460), method);
        }
    }
    if (argc > 3 && !write_png(std::string(argv[3]) + "/fencing_pose.png", sheet.finish()))
        return std::puts("could not write the picture"), 1;
    return 0;
}
