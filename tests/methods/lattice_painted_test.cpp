// Lattice by the weights of the file: particles, surface, bounds of the swing and of volumes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/pose.h"
#include "methods/lattice/lattice_body.h"
#include "methods/shared/thin_flesh.h"
#include "support/points.h"

namespace fascia {
namespace {

LatticeSettings flesh(int resolution, const char* name = "default") {
    LatticeSettings out = *settings_from<LatticeSettings>(*preset(name));
    out.resolution = resolution;
    return out;
}

/// Delta 0 and no volume pass.
LatticeSettings skinned_only(int resolution) {
    LatticeSettings out = flesh(resolution);
    out.delta = 0;
    out.preserve_volume = false;
    return out;
}

void add_joint(Character& c, const char* name, int parent, Vec3d head, Vec3d tail) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest = compose(head, {}, {1, 1, 1});
    joint.tail = tail;
    c.joints.push_back(joint);
}

/// weight: of the second joint at a vertex, the rest is the first's
template <class Weight>
void add_box(Character& c, Vec3 low, Vec3 high, Weight weight) {
    const auto first = std::uint32_t(c.mesh.positions.size());
    for (const int v :
         {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5})
        c.mesh.triangles.push_back(first + std::uint32_t(v));
    for (int k = 0; k < 8; ++k) {
        const Vec3 p{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
        c.mesh.positions.push_back(p);
        c.mesh.normals.push_back(normalized(p - (low + high) * 0.5f));
        const float second = weight(p);
        c.weights.joints.insert(c.weights.joints.end(), {0, 1});
        c.weights.weights.insert(c.weights.weights.end(), {1 - second, second});
    }
}

/// A bar along x from 0 to 8, two bones. weight: of the second one
template <class Weight>
Character bar(Weight weight) {
    Character c;
    c.name = "bar";
    c.weights.influences = 2;
    add_joint(c, "low", -1, {0.5, 0, 0}, {4, 0, 0});
    add_joint(c, "high", 0, {4, 0, 0}, {7.5, 0, 0});
    add_box(c, {0, -1, -1}, {8, 1, 1}, weight);
    return c;
}
/// How much the second one holds grows evenly from end to end.
Character bar() {
    return bar([](Vec3 p) { return p.x / 8; });
}

std::vector<Affine> rest_of(const Character& c) {
    std::vector<Affine> out;
    for (const Joint& joint : c.joints) out.push_back(joint.rest);
    return out;
}

struct Actor {
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Vec3> surface, normals, skinned;

    explicit Actor(RigPtr bound)
        : rig(std::move(bound)),
          state(make_state(*rig)),
          surface(rig->vertex_count()),
          normals(rig->vertex_count()),
          skinned(rig->vertex_count()) {}
    void look() {
        embed(*rig, state, {surface, normals, {}}, work);
        rig->embed_skinned(state, {skinned, {}, {}}, work);
    }
    void pose(const std::vector<Affine>& joints) {
        reset(*rig, joints, state, work);
        look();
    }
};

double second_share(const LatticeBlueprint& plan, std::size_t particle) {
    double out = 0;
    for (std::size_t k = 4 * particle; k < 4 * particle + 4; ++k)
        if (plan.influences.joints[k] == 1) out += double(plan.influences.weights[k]);
    return out;
}

TEST(LatticePainted, ParticlesHaveThePaintedBlend) {
    const auto body = *build_lattice_body(bar([](Vec3) { return 0.3f; }), flesh(24));
    const LatticeBlueprint& plan = *body->blueprint;
    ASSERT_TRUE(plan.painted);
    for (std::size_t p = 0; p < plan.particle_count(); ++p) EXPECT_NEAR(second_share(plan, p), 0.3, 1e-6);
}

/// What the surface reads of the particles is driven for it: those that carry it, and those beside them.
TEST(LatticePainted, TheSurfaceListsTheSegmentsThatItReads) {
    const auto body = *build_lattice_body(bar([](Vec3) { return 0.3f; }), flesh(48));
    std::vector<std::uint8_t> listed(body->stride(), 0);
    for (const std::uint32_t segment : body->segments)
        std::fill_n(&listed[body->regions.own[segment]], sim::SegmentLayout::lanes, std::uint8_t{1});
    for (const std::uint32_t place : body->sides.points) ASSERT_TRUE(listed[place]);
    for (const std::uint32_t place : body->sides.ends) ASSERT_TRUE(listed[place]);
    EXPECT_LT(body->segments.size(), body->regions.segments()) << "inside a thick body there are others";
}

/// A particle at the surface blends what is painted within a cell of it; from there, weights are handed inward.
TEST(LatticePainted, WeightsChangeAsTheyArePainted) {
    const auto body = *build_lattice_body(bar(), flesh(24));
    const LatticeBlueprint& plan = *body->blueprint;
    std::size_t seen = 0;
    for (std::size_t p = 0; p < plan.particle_count(); ++p) {
        const double x = plan.grid.origin.x + plan.grid.h * plan.corners.places[p].x;
        // The ends of the bar are painted, too.
        if (x < 1.5 * plan.grid.h || x > 8 - 1.5 * plan.grid.h) continue;
        EXPECT_NEAR(second_share(plan, p), x / 8, 0.5 * plan.grid.h / 8) << x;
        ++seen;
    }
    EXPECT_GT(seen, 500u);
}

/// Points that turn about their joints go where skinning puts them if all joints move as one.
TEST(LatticePainted, PivotedPointsMoveRigidly) {
    const Character c = bar([](Vec3) { return 0.3f; });
    LatticeSettings settings = skinned_only(20);
    settings.pivoted = true;
    Actor lattice(*bind(c, settings));
    const Affine motion = compose({3, -2, 5}, normalized(Quat{0.6, 0.5, -0.3, 0.4}), {1, 1, 1});
    std::vector<Affine> joints;
    for (const Affine& rest : rest_of(c)) joints.push_back(motion * rest);
    lattice.pose(joints);
    for (std::size_t v = 0; v < lattice.surface.size(); ++v)
        EXPECT_LT(length(to_double(lattice.surface[v]) - transform_point(motion, to_double(c.mesh.positions[v]))), 1e-4)
            << v;
}

TEST(LatticePainted, WithoutFleshAndVolumeItIsPlainSkinning) {
    for (const char* name : {"bunny", "gnome", "bloat", "tube"}) {
        const Character c = *bundled_character(name);
        Actor lattice(*bind(c, skinned_only(20))), plain(*bind(c, LbsSettings{}));
        Pose pose;
        evaluate(c, &c.clips[0], 0.4 * c.clips[0].duration, pose);
        lattice.pose(pose.joints);
        plain.pose(pose.joints);
        for (std::size_t v = 0; v < plain.surface.size(); ++v) {
            ASSERT_LT(length(lattice.surface[v] - plain.surface[v]), 1e-5 * c.size()) << name << ' ' << v;
            ASSERT_GT(dot(lattice.normals[v], plain.normals[v]), 0.9999f) << name << ' ' << v;
        }
    }
}

/// Whatever particles move beyond where they are skinned, the surface moves as well: by exactly as much on a bar whose
/// particles all move alike.
TEST(LatticePainted, TheSurfaceGoesWithTheParticles) {
    const Character c = bar();
    LatticeSettings settings = flesh(24);
    settings.preserve_volume = false;
    Actor actor(*bind(c, settings));
    actor.pose(rest_of(c));
    const std::size_t n = actor.state.positions.size() / 3;
    const auto body = *build_lattice_body(c, settings);
    for (const std::size_t i : body->slots()) actor.state.positions[n + i] += 0.5f;  // cells along y
    actor.look();
    const auto way = float(0.5 * settings.delta * body->h);
    for (std::size_t v = 0; v < actor.surface.size(); ++v)
        EXPECT_LT(length(actor.surface[v] - c.mesh.positions[v] - Vec3{0, way, 0}), 1e-5f);
}

/// Normals of a carried surface agree with its triangles as well as they did at rest.
TEST(LatticePainted, NormalsFollowWhatCarriesThem) {
    const Character c = *bundled_character("bunny");
    LatticeSettings settings = flesh(20);
    settings.delta = 0;
    Actor kept(*bind(c, settings)), plain(*bind(c, LbsSettings{}));
    Pose pose;
    evaluate(c, *find_clip(c, "dance"), 0, pose);
    kept.pose(pose.joints);
    plain.pose(pose.joints);
    const auto mean_agreement = [&](const std::vector<Vec3>& places, const std::vector<Vec3>& normals) {
        std::vector<Vec3> sums(places.size());
        for (std::size_t t = 0; t < c.mesh.triangles.size(); t += 3) {
            const std::uint32_t* corner = &c.mesh.triangles[t];
            const Vec3 area = cross(places[corner[1]] - places[corner[0]], places[corner[2]] - places[corner[0]]);
            for (int k = 0; k < 3; ++k) sums[corner[k]] += area;
        }
        double sum = 0;
        for (std::size_t v = 0; v < sums.size(); ++v) sum += dot(normalized(sums[v], normals[v]), normals[v]);
        return sum / double(sums.size());
    };
    const double turned = mean_agreement(kept.surface, kept.normals),
                 left = mean_agreement(kept.surface, plain.normals);
    EXPECT_GT(turned, left) << "as good as if they had not turned";
    EXPECT_GT(turned, mean_agreement(plain.surface, plain.normals) - 0.01);
}

/// If the file has no weights, they are those of the publication.
TEST(LatticePainted, WithoutWeightsTheyDiffuseFromTheBones) {
    Character bare = *bundled_character("tube");
    bare.weights.joints.clear();
    bare.weights.weights.clear();
    BindInputs diffusion;
    diffusion.weights = "diffusion";
    const Character full = *bundled_character("tube");
    Actor a(*bind(bare, skinned_only(16))), b(*bind(full, skinned_only(16), diffusion));
    Pose pose;
    evaluate(full, *find_clip(full, "bend"), 1, pose);
    a.pose(pose.joints);
    b.pose(pose.joints);
    EXPECT_EQ(a.surface, b.surface);
}

/// Shaken by more than any clip.
double farthest_swing(const Character& c, const LatticeSettings& settings) {
    Actor actor(*bind(c, settings));
    const std::vector<Affine> rest = rest_of(c);
    reset(*actor.rig, rest, actor.state, actor.work);
    double most = 0;
    for (int k = 1; k <= 60; ++k) {
        const double way = 0.5 * c.size() * std::sin(0.6 * k);
        std::vector<Affine> joints = rest;
        for (Affine& joint : joints) joint = compose({way, 0, 0}, {}, {1, 1, 1}) * joint;
        advance(*actor.rig, joints, 1 / 60.0, actor.state, actor.work);
        actor.look();
        most = std::max(most, surface_offset(actor.surface, actor.skinned, c.size()).max);
    }
    return most;
}

TEST(LatticePainted, TheSwingIsBoundedByTheDepthOfTheFlesh) {
    const Character c = *bundled_character("bloat");
    for (const double delta : {0.5, 0.8, 1.0}) {
        LatticeSettings settings = flesh(16);
        settings.delta = delta;
        const double most = farthest_swing(c, settings);
        EXPECT_LT(most, flesh_reach(1, 1, 4, true) + 1e-4) << delta;
        EXPECT_GT(most, 0.5 * flesh_reach(1, 1, 4, true)) << delta;
    }
    EXPECT_LT(farthest_swing(c, flesh(16, "jelly")), flesh_reach(1, 1, 2, true) + 1e-4);
}

TEST(LatticePainted, APartWithoutAmountIsStiff) {
    const Character c = *bundled_character("bloat");
    LatticeSettings settings = flesh(16);
    PartSettings all;
    all.joint = "*";
    all.amount = 0;
    settings.parts.push_back(all);
    EXPECT_LT(farthest_swing(c, settings), 1e-6);
}

/// A hat that is connected to nothing follows its joint.
TEST(LatticePainted, APieceWithoutABoneIsStiff) {
    Character c = bar();
    const std::size_t body = c.mesh.vertex_count();
    add_box(c, {6, 3, -1}, {8, 4, 1}, [](Vec3) { return 1.0f; });
    Actor actor(*bind(c, flesh(24)));
    const std::vector<Affine> rest = rest_of(c);
    reset(*actor.rig, rest, actor.state, actor.work);
    double hat = 0, bar_moved = 0;
    for (int k = 1; k <= 30; ++k) {
        std::vector<Affine> joints = rest;
        for (Affine& joint : joints) joint = compose({0, std::sin(0.5 * k), 0}, {}, {1, 1, 1}) * joint;
        advance(*actor.rig, joints, 1 / 60.0, actor.state, actor.work);
        actor.look();
        for (std::size_t v = 0; v < actor.surface.size(); ++v) {
            double& most = v < body ? bar_moved : hat;
            most = std::max(most, double(length(actor.surface[v] - actor.skinned[v])));
        }
    }
    EXPECT_LT(hat, 1e-5);
    EXPECT_GT(bar_moved, 1e-3);
}

/// Bones that press flesh together, or pull it apart: along the bar, and by a bend.
TEST(LatticePainted, VolumesStayWithinAQuarterHoweverHardBonesPress) {
    const Character c = bar();
    LatticeSettings settings = flesh(24);
    settings.delta = 0;
    Actor actor(*bind(c, settings));
    double lowest = 1, highest = 1;
    const auto look = [&](const std::vector<Affine>& joints) {
        actor.pose(joints);
        for (const JointVolume& part : actor.rig->inside()->joint_volumes(actor.state)) {
            lowest = std::min(lowest, part.ratio);
            highest = std::max(highest, part.ratio);
        }
    };
    for (const double way : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0}) {
        std::vector<Affine> joints = rest_of(c);
        joints[1] = compose({way, 0, 0}, {}, {1, 1, 1}) * joints[1];
        look(joints);
    }
    for (const double angle : {0.5, 1.0, 1.5, 2.0, 2.5}) {
        std::vector<Affine> joints = rest_of(c);
        joints[1] = joints[1] * compose({}, quat_from_axis_angle({0, 0, 1}, angle), {1, 1, 1});
        look(joints);
    }
    EXPECT_GT(lowest, 0.75);
    EXPECT_LT(highest, 1.25);
}

}  // namespace
}  // namespace fascia
