// Figure 11: with too few cells the skinning shows artifacts, with enough it does not. Primary deformation only, with a
// bent elbow.
#include <cstdio>

#include "human.h"
#include "lattice.h"

namespace fascia::experiments {

namespace {

constexpr int fine = 64;  ///< resolution that the others are compared with

RigPtr skinned_only(const Character& character, int resolution) {
    LatticeSettings flesh = lattice_flesh(resolution);
    flesh.delta = 0;
    return lattice_rig(character, flesh);
}

/// RMS and largest distance over the vertices of the bent arm, divided by the size.
Offset arm_offset(const Character& character, const std::string& elbow, const Held& a, const Held& b) {
    std::vector<Vec3> here, there;
    for (const std::size_t v : vertices_of(character, elbow)) {
        here.push_back(a.positions[v]);
        there.push_back(b.positions[v]);
    }
    return surface_offset(here, there, character.size());
}

}  // namespace

/// [Chen 2012, fig. 11]
void low_resolution(const std::string& folder) {
    const Human body = human();
    const Character& c = body.character;
    const std::vector<Affine> pose = turned(c, {{body.elbow.joint, body.elbow.axis, 110}});
    const Held reference = hold(*skinned_only(c, fine), pose);
    View view = close_up(c, body.elbow.joint, 0.11, reference.positions);
    view.yaw = 1;
    view.pitch = 0.6;
    const Appearance looks(c);
    ContactSheet sheet(4, 260, 260);
    sheet.begin_row("lattice");
    for (const int resolution : {resolution_for(c, 524), resolution_for(c, 976), resolution_for(c, 1905), fine}) {
        const RigPtr rig = skinned_only(c, resolution);
        const Held held = hold(*rig, pose);
        const Offset off = arm_offset(c, body.elbow.joint, held, reference);
        std::printf(
            "resolution %2d, %6zu particles: forearm %.1f %% of the size (RMS) from resolution %d, at most %.1f %%\n",
            resolution, rig->point_count(), 100 * off.rms, fine, 100 * off.max);
        if (!folder.empty())
            sheet.cell(render(looks.shot(held.positions, held.normals), view, 260, 260),
                       std::to_string(rig->point_count()) + " particles");
    }
    if (!folder.empty()) must(write_png(in(folder, "lattice_resolution.png"), sheet.finish()));
}

}  // namespace fascia::experiments
