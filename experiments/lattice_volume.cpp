// Figures 8 and 12: elbow and knee without and with the volumes of their parts given back.
#include <algorithm>
#include <cstdio>

#include "human.h"
#include "lattice.h"

namespace fascia::experiments {

namespace {

RigPtr skinned_only(const Character& character, bool preserve) {
    LatticeSettings flesh = lattice_flesh(48);
    flesh.delta = 0;
    flesh.preserve_volume = preserve;
    return lattice_rig(character, flesh);
}

struct Bend {
    const char* name;
    Character character;
    std::string joint;
    Vec3d axis;
    double reach;       ///< share of the size that is seen
    double yaw, pitch;  ///< of who looks at it
};

double part_volume(const Bend& bend, const Rig& rig, const State& state) {
    for (const JointVolume& part : rig.inside()->joint_volumes(state))
        if (bend.character.joints[part.joint].name == bend.joint) return 100 * part.ratio;
    return 0;
}

Image picture(const Bend& bend, const Held& held) {
    View view = close_up(bend.character, bend.joint, bend.reach, held.positions);
    view.yaw = bend.yaw;
    view.pitch = bend.pitch;
    return render(Appearance(bend.character).shot(held.positions, held.normals), view, 260, 260);
}

}  // namespace

void volume_at_joints(const std::string& folder) {
    const Human body = human();
    const Bend bends[] = {{"tube", cast("tube"), "second", {0, 0, 1}, 1, 0, 0},
                          {"elbow", body.character, body.elbow.joint, body.elbow.axis, 0.12, 1.0, 0.6},
                          {"knee", body.character, body.knee.joint, body.knee.axis, 0.13, 1.45, 0}};
    constexpr double angles[] = {30, 60, 90, 120};
    ContactSheet sheet(3, 260, 260);
    std::puts("volume of the part around the joint, % of rest        30     60     90    120 degrees");
    for (const bool preserve : {false, true}) {
        sheet.begin_row(preserve ? "volume given back" : "blended only");
        for (const Bend& bend : bends) {
            const RigPtr rig = skinned_only(bend.character, preserve);
            std::printf("%-8s %-36s", bend.name, preserve ? "volume given back" : "blended only");
            Held held;
            for (const double angle : angles) {
                held = hold(*rig, turned(bend.character, {{bend.joint, bend.axis, angle}}));
                std::printf(" %6.1f", part_volume(bend, *rig, held.state));
            }
            std::puts("");
            if (!folder.empty()) sheet.cell(picture(bend, held), std::string(bend.name) + ", 120 degrees");
        }
    }
    if (!folder.empty()) must(write_png(in(folder, "lattice_volume.png"), sheet.finish()));
}

}  // namespace fascia::experiments
