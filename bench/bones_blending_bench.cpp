// Bones blending against linear blending on the bundled characters, as they are and split 1:4 at every joint that
// blends: whole frames (advance and embed), one thread, positions and normals. Prints the table of docs/papers/001.md.
//     bench_bones_blending
#include <cstdio>
#include <string>
#include <vector>

#include "base/portable_math.h"
#include "character/blend_zones.h"
#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "fascia/subdivide.h"
#include "machine.h"

namespace fascia::bench {
namespace {

/// One character in the middle of its first clip, by one method.
class Player {
public:
    Player(const Character& character, const Settings& settings)
        : rig_(*fascia::bind(character, settings)),
          state_(make_state(*rig_)),
          positions_(character.mesh.vertex_count()),
          normals_(positions_.size()) {
        evaluate(character, &character.clips[0], 0.3, pose_);
        reset(*rig_, pose_.joints, state_, work_);
    }
    void frame() {
        advance(*rig_, pose_.joints, 1 / 60.0, state_, work_);
        embed(*rig_, state_, {positions_, normals_, {}}, work_);
    }

private:
    RigPtr rig_;
    Workspace work_;
    State state_;
    Pose pose_;
    std::vector<Vec3> positions_, normals_;
};

std::vector<bool> blending_joints(const Character& c) {
    return wide_joints(c, c.clips, BonesBlendingSettings{}.wide_angle * portable::pi / 180);
}

/// Vertices between the rigid ends of a zone, or where it fades.
std::size_t vertices_in_zones(const Character& c) {
    std::vector<std::string> warnings;
    std::size_t count = 0;
    for (const Attachment& a : attach_vertices(c, find_blend_zones(c, {}, blending_joints(c), warnings)))
        count += a.joint >= 0 && a.fade > 0 && (a.fade < 1 || (a.t > 0 && a.t < 1));
    return count;
}

Character split(Character c) {
    const std::vector<bool> wide = blending_joints(c);
    for (std::size_t j = 0; j < wide.size(); ++j)
        if (wide[j])
            if (auto finer = subdivide(c, c.joints[j].name, Split::four); finer.ok()) c = std::move(finer->character);
    return c;
}

void row(const char* mesh, const Character& c) {
    Player linear(c, LbsSettings{}), blending(c, BonesBlendingSettings{});
    double best[2] = {1e9, 1e9};
    for (int turn = 0; turn < 40; ++turn) {  // in turns: what disturbs one disturbs the other
        const auto frames = [](Player& p) {
            return seconds_of([&] {
                for (int k = 0; k < 50; ++k) p.frame();
            });
        };
        best[0] = std::min(best[0], frames(linear) / 50 * 1e6);
        best[1] = std::min(best[1], frames(blending) / 50 * 1e6);
    }
    const std::size_t zones = vertices_in_zones(c);
    std::printf("| %s, %s | %zu | %zu | %.1f | %.1f | %+.0f %% | %.1f |\n", c.name.c_str(), mesh, c.mesh.vertex_count(),
                zones, best[0], best[1], 100 * (best[1] / best[0] - 1),
                1e3 * (best[1] - best[0]) / double(std::max<std::size_t>(zones, 1)));
}

}  // namespace
}  // namespace fascia::bench

int main() {
    using namespace fascia;
    std::puts(
        "| character | vertices | in zones | linear blending, us | bones blending, us | | ns more per vertex in zones "
        "|");
    std::puts("|---|---|---|---|---|---|---|");
    for (const std::string& name : bundled_names()) {
        const auto character = bundled_character(name);
        bench::row("original", *character);
        bench::row("split 1:4", bench::split(*character));
    }
    return 0;
}
