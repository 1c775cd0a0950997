// Bones blending against linear blending on the bundled characters, as they are and split 1:4 at every joint that
// blends: whole frames (advance and embed), one thread, positions and normals. Prints the table of docs/papers/001.md.
//     bench_bones_blending
#include <array>
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

constexpr std::size_t moments = 10;

/// One character in the middle of a clip, with one method: either held in one pose, whose turns are computed once, or
/// moving.
class Player {
public:
    Player(const Character& character, const Settings& settings)
        : rig_(*fascia::bind(character, settings)),
          state_(make_state(*rig_)),
          positions_(character.mesh.vertex_count()),
          normals_(positions_.size()) {
        for (std::size_t k = 0; k < moments; ++k)
            evaluate(character, &character.clips[1], 0.3 + double(k) / 60, poses_[k]);
        reset(*rig_, poses_[0].joints, state_, work_);
    }
    void frame(bool moving) {
        next_ = moving ? (next_ + 1) % moments : 0;
        advance(*rig_, poses_[next_].joints, 1 / 60.0, state_, work_);
        embed(*rig_, state_, {positions_, normals_, {}}, work_);
    }

private:
    RigPtr rig_;
    Workspace work_;
    State state_;
    std::array<Pose, moments> poses_;
    std::size_t next_ = 0;
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

/// [Kavan 2003, table 1] [Kavan 2003, table 2]
void row(const char* mesh, const Character& c) {
    Player linear(c, LbsSettings{}), blending(c, BonesBlendingSettings{});
    double best[2][2] = {{1e9, 1e9}, {1e9, 1e9}};  // by moving, then by method
    for (int turn = 0; turn < 200; ++turn) {       // alternating, so that a disturbance affects both
        const auto frame_us = [](Player& p, bool moving) {
            return seconds_of([&] {
                       for (std::size_t k = 0; k < moments; ++k) p.frame(moving);
                   }) /
                   double(moments) * 1e6;
        };
        for (const bool moving : {false, true}) {
            best[moving][0] = std::min(best[moving][0], frame_us(linear, moving));
            best[moving][1] = std::min(best[moving][1], frame_us(blending, moving));
        }
    }
    const std::size_t zones = vertices_in_zones(c);
    std::printf("| %s, %s | %zu | %zu |", c.name.c_str(), mesh, c.mesh.vertex_count(), zones);
    for (const auto& [plain, blended] : best)
        std::printf(" %.1f | %.1f | %+.0f %% | %.1f |", plain, blended, 100 * (blended / plain - 1),
                    1e3 * (blended - plain) / double(std::max<std::size_t>(zones, 1)));
    std::puts("");
}

}  // namespace
}  // namespace fascia::bench

int main() {
    using namespace fascia;
    std::puts(
        "| character | vertices | in zones | one pose: linear blending, us | bones blending | | ns more per vertex in "
        "zones | moving: linear blending | bones blending | | ns |");
    std::puts("|---|---|---|---|---|---|---|---|---|---|---|");
    for (const std::string& name : bundled_names()) {
        const auto character = bundled_character(name);
        bench::row("original", *character);
        bench::row("split 1:4", bench::split(*character));
    }
    return 0;
}
