// Bones blending on the shared characters: zones end without a seam.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/portable_math.h"
#include "character/blend_zones.h"
#include "fascia/io.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

struct Edge {
    std::uint32_t a, b;
};

/// Edges whose ends turn with different joints, or only one of which turns with a joint.
std::vector<Edge> border_edges(const Character& c) {
    std::vector<std::string> warnings;
    const double limit = BonesBlendingSettings{}.wide_angle * portable::pi / 180;
    const auto attached = attach_vertices(c, find_blend_zones(c, {}, wide_joints(c, c.clips, limit), warnings));
    const auto owner = [&](std::uint32_t v) { return attached[v].fade > 0 ? attached[v].joint : -1; };
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<Edge> out;
    for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k) {
        const std::uint32_t a = c.mesh.triangles[k], b = c.mesh.triangles[k % 3 == 2 ? k - 2 : k + 1];
        if (owner(a) != owner(b) && seen.insert({std::min(a, b), std::max(a, b)}).second) out.push_back({a, b});
    }
    return out;
}

class Skinned {
public:
    Skinned(const Character& c, const Settings& settings)
        : rig_(*bind(c, settings)), state_(make_state(*rig_)), positions_(c.mesh.vertex_count()) {}
    const std::vector<Vec3>& at(const Pose& pose) {
        reset(*rig_, pose.joints, state_, work_);
        embed(*rig_, state_, {positions_, {}, {}}, work_);
        return positions_;
    }

private:
    RigPtr rig_;
    State state_;
    Workspace work_;
    std::vector<Vec3> positions_;
};

/// How much the edges change their length, divided by the size; sorted.
struct Jumps {
    std::vector<double> all;
    void add(const Character& c, const std::vector<Edge>& edges, const std::vector<Vec3>& moved) {
        for (const Edge& e : edges) {
            const double rest = length(c.mesh.positions[e.a] - c.mesh.positions[e.b]);
            all.push_back(std::abs(double(length(moved[e.a] - moved[e.b])) - rest) / c.size());
        }
    }
    double share(double part) {
        std::sort(all.begin(), all.end());
        return all[std::size_t(part * double(all.size() - 1))];
    }
};

class ZoneSeams : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shared, ZoneSeams,
                         ::testing::Values("CesiumMan.glb", "Fox.glb", "Yeti.gltf", "kaykit_Barbarian.glb",
                                           "mh_female_hires_quantized.glb", "mh_heavy_male.glb",
                                           "quaternius_Frog.glb"));

TEST_P(ZoneSeams, AreNoWiderThanThoseOfLinearBlending) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto c = load_character(test::shared_data(std::string("characters/") + GetParam()));
    ASSERT_TRUE(c.ok());
    const std::vector<Edge> edges = border_edges(*c);
    ASSERT_GT(edges.size(), 50u);
    Skinned blending(*c, BonesBlendingSettings{}), linear(*c, LbsSettings{});
    Jumps ours, plain;
    Pose pose;
    for (std::size_t k = 0; k < std::min<std::size_t>(c->clips.size(), 6); ++k)
        for (int frame = 0; frame < 8; ++frame) {
            evaluate(*c, &c->clips[k], c->clips[k].duration * frame / 8, pose);
            ours.add(*c, edges, blending.at(pose));
            plain.add(*c, edges, linear.at(pose));
        }
    EXPECT_LT(ours.share(1), 1.4 * plain.share(1) + 1e-4);
    EXPECT_LT(ours.share(0.99), 1.3 * plain.share(0.99) + 1e-4);
}

}  // namespace
}  // namespace fascia
