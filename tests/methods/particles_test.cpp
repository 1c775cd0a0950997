// The method `particles`: its surface, layers, masses and volumes, and how it swings.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "body/simplify.h"
#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/pose.h"
#include "measure/closest_triangle.h"
#include "methods/layers_egg.h"
#include "methods/layers_tube.h"
#include "methods/particles/particle_layers.h"
#include "methods/particles/particle_surface.h"
#include "methods/particles/particles_body.h"
#include "support/damped_sine.h"
#include "support/lying_bodies.h"

namespace fascia {
namespace {

using test::make_egg;
using test::make_tube;

ParticlesSettings usual_particles() {
    Flesh flesh = *preset("default");
    test::name_frequencies(flesh);
    ParticlesSettings out = *settings_from<ParticlesSettings>(flesh);
    out.point_budget = 4000;
    return out;
}

std::shared_ptr<const ParticlesBody> body_of_particles(const Character& character, const ParticlesSettings& settings) {
    const auto body = build_particles_body(character, settings, {});
    EXPECT_TRUE(body.ok());
    return *body;
}

std::vector<Vec3d> to_doubles(const std::vector<Vec3>& positions) {
    std::vector<Vec3d> out;
    for (const Vec3 p : positions) out.push_back(to_double(p));
    return out;
}

double enclosed(std::span<const Vec3d> p, std::span<const std::uint32_t> t) {
    double out = 0;
    for (std::size_t k = 0; k < t.size(); k += 3) out += dot(p[t[k]], cross(p[t[k + 1]], p[t[k + 2]])) / 6;
    return out;
}

bool is_closed(std::span<const std::uint32_t> triangles) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = triangles[t + c], b = triangles[t + (c + 1) % 3];
            ++uses[{a, b}];
        }
    for (const auto& [edge, count] : uses)
        if (count != 1 || uses.count({edge.second, edge.first}) != 1) return false;
    return true;
}

// ---- the surface -----------------------------------------------------------------------------------------------
TEST(Simplify, KeepsASurfaceClosedAndItsShape) {
    const Character tube = make_tube();
    const std::vector<Vec3d> positions = to_doubles(tube.mesh.positions);
    const SimplerSurface simpler = simplify(positions, tube.mesh.triangles, 400);
    EXPECT_EQ(simpler.vertices.size(), 400u);
    EXPECT_TRUE(is_closed(simpler.triangles));
    std::vector<Vec3d> kept;
    for (const std::uint32_t v : simpler.vertices) kept.push_back(positions[v]);
    EXPECT_NEAR(enclosed(kept, simpler.triangles) / enclosed(positions, tube.mesh.triangles), 1, 0.03);
    for (std::size_t v = 0; v < positions.size(); ++v) {
        ASSERT_LT(simpler.into[v], kept.size());
        ASSERT_LT(length(kept[simpler.into[v]] - positions[v]), 0.6) << "a vertex goes to one nearby";
    }
}

TEST(Simplify, LeavesASurfaceThatIsSmallEnough) {
    const test::TestMesh ball = test::sphere(2);
    const std::vector<Vec3d> positions = to_doubles(ball.positions);
    const SimplerSurface same = simplify(positions, ball.triangles, positions.size());
    EXPECT_EQ(same.triangles, ball.triangles);
    for (std::uint32_t v = 0; v < positions.size(); ++v) EXPECT_EQ(same.into[v], v);
}

TEST(Simplify, KeepsTheLineOfAnOpenBorder) {
    constexpr std::uint32_t n = 20;
    std::vector<Vec3d> positions;
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t y = 0; y <= n; ++y)
        for (std::uint32_t x = 0; x <= n; ++x) positions.push_back({double(x), double(y), 0});
    for (std::uint32_t y = 0; y < n; ++y)
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
            for (const std::uint32_t v : {a, b, d, a, d, c}) triangles.push_back(v);
        }
    const SimplerSurface simpler = simplify(positions, triangles, 80);
    double area = 0;
    for (std::size_t t = 0; t < simpler.triangles.size(); t += 3) {
        const auto at = [&](std::size_t k) { return positions[simpler.vertices[simpler.triangles[t + k]]]; };
        const Vec3d normal = cross(at(1) - at(0), at(2) - at(0));
        EXPECT_GT(normal.z, 0);
        area += length(normal) / 2;
    }
    EXPECT_LE(simpler.vertices.size(), 80u);
    EXPECT_NEAR(area, n * n, 1e-9);
}

TEST(ParticlesSurface, TheMeshItselfWhereItIsCoarseEnough) {
    const Character egg = make_egg();
    ParticlesSettings settings = usual_particles();
    settings.point_budget = 100000;
    const auto body = body_of_particles(egg, settings);
    EXPECT_EQ(body->regions.vertices, weld_by_position(egg.mesh.positions).count);
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v) EXPECT_EQ(body->bound.weights[8 * v], 1);
    settings.point_budget = 1000;
    EXPECT_EQ(body_of_particles(egg, settings)->regions.vertices, 250u);
}

TEST(ParticlesSurface, KeepsToItsBudgetAndToAGivenResolution) {
    const Character bloat = *bundled_character("bloat");
    ParticlesSettings settings = usual_particles();
    for (const int budget : {1000, 4000, 12000}) {
        settings.point_budget = budget;
        const auto body = body_of_particles(bloat, settings);
        EXPECT_LE(body->slots.size(), std::size_t(budget));
        EXPECT_GT(body->slots.size(), std::size_t(0.9 * budget));
    }
    // Edges as long as a voxel would be.
    settings.resolution = 24;
    const auto body = body_of_particles(bloat, settings);
    EXPECT_NEAR(body->h / (body->size / 24), 1, 0.15);
}

/// Whatever other vertices share its home and come before it.
TEST(ParticlesSurface, EachVertexIsCarriedByTheNearestTriangleOfTwoRings) {
    const Character bloat = *bundled_character("bloat");
    const ParticleSurface surface = find_particle_surface(bloat, usual_particles(), 4, {});
    const auto corners = [&](std::size_t t) { return std::span(surface.triangles).subspan(3 * t, 3); };
    const auto touches = [](std::span<const std::uint32_t> triangle, const std::set<std::uint32_t>& vertices) {
        return std::any_of(triangle.begin(), triangle.end(), [&](std::uint32_t v) { return vertices.count(v) > 0; });
    };
    std::map<std::uint32_t, std::vector<std::size_t>> around;  // triangles of two rings
    for (std::size_t v = 0; v < surface.into.size(); v += 7) {
        const std::uint32_t home = surface.into[v];
        std::vector<std::size_t>& near = around[home];
        if (near.empty()) {
            std::set<std::uint32_t> ring{home}, wider;
            for (int k = 0; k < 2; ++k, ring = wider)
                for (std::size_t t = 0; t < surface.triangles.size() / 3; ++t)
                    if (touches(corners(t), ring)) wider.insert(corners(t).begin(), corners(t).end());
            for (std::size_t t = 0; t < surface.triangles.size() / 3; ++t)
                if (touches(corners(t), ring)) near.push_back(t);
        }
        const Vec3d p = to_double(bloat.mesh.positions[v]);
        double least = 1e300;
        for (const std::size_t t : near) {
            const Vec3d a = surface.positions[corners(t)[0]], b = surface.positions[corners(t)[1]],
                        c = surface.positions[corners(t)[2]];
            const auto share = nearest_shares(p, a, b, c);
            least = std::min(least, length(a * share[0] + b * share[1] + c * share[2] - p));
        }
        Vec3d there;
        for (std::size_t k = 8 * v; k < 8 * v + 8; ++k)
            there += surface.positions[surface.bound.points[k]] * double(surface.bound.weights[k]);
        EXPECT_NEAR(length(there - p), least, 1e-6 * bloat.size()) << v;
    }
}

// ---- layers ----------------------------------------------------------------------------------------------------
TEST(ParticlesLayers, LieWhereTheTableProjectsThem) {
    Flesh flesh = *preset("paper-arm");
    const auto body = body_of_particles(make_tube(1, 33, 24), *settings_from<ParticlesSettings>(flesh));
    const ParticlesBlueprint& plan = *body->blueprint;
    const std::size_t n = plan.vertex_count();
    const double tau[4] = {.8, .45, .15, 0};
    int seen = 0;
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3 skin = plan.places[3 * n + v];
        const double r = std::hypot(skin.y, skin.z);
        if (r < 0.99 || std::abs(skin.x) > 3.5) continue;
        ++seen;
        for (std::size_t layer = 0; layer < 4; ++layer) {
            const Vec3 p = plan.places[layer * n + v];
            EXPECT_NEAR(std::hypot(p.y, p.z), 1 - tau[layer], 1e-5) << layer;
        }
    }
    EXPECT_GT(seen, 500);
}

TEST(ParticlesLayers, NothingIsFoldedOnAnyCharacter) {
    for (const char* name : {"bunny", "gnome", "bloat", "tube"}) {
        const auto body = body_of_particles(*bundled_character(name), usual_particles());
        const ParticlesBlueprint& plan = *body->blueprint;
        EXPECT_EQ(folded_triangles(to_doubles(plan.places), plan.triangles, plan.vertex_count(), plan.layers), 0u)
            << name;
    }
}

TEST(ParticlesLayers, AFoldIsSeenAndRepaired) {
    // Vertices of a square hang on cores on opposite sides: unrepaired, its copies would turn over.
    const std::vector<Vec3d> positions{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 2, 3};
    const std::vector<Vec3d> cores{{3, 0, -1}, {-2, 0, -1}, {-2, 1, -1}, {3, 1, -1}};
    std::vector<Vec3d> naive(8);
    for (std::size_t v = 0; v < 4; ++v) {
        naive[4 + v] = positions[v];
        naive[v] = positions[v] + (cores[v] - positions[v]) * 0.8;
    }
    EXPECT_EQ(folded_triangles(naive, triangles, 4, 2), 2u);
    const LinkLists edges = edges_of(triangles, 4);
    const std::vector<double> deepest(4, 2.5), shares{1, 1, 1, 1, 0, 0, 0, 0};
    const ProjectedLayers layers =
        project_layers({positions, triangles, edges.view(), cores, deepest, shares, 2}, false);
    EXPECT_EQ(folded_triangles(layers.places, triangles, 4, 2), 0u);
}

TEST(ParticlesLayers, VoronoiAreasAddUp) {
    const auto body = body_of_particles(*bundled_character("bloat"), usual_particles());
    const ParticlesBlueprint& plan = *body->blueprint;
    const std::vector<Vec3d> places = to_doubles(plan.places);
    const std::span<const Vec3d> skin = std::span(places).last(plan.vertex_count());
    double area = 0, sum = 0;
    for (std::size_t t = 0; t < plan.triangles.size(); t += 3)
        area += length(cross(skin[plan.triangles[t + 1]] - skin[plan.triangles[t]],
                             skin[plan.triangles[t + 2]] - skin[plan.triangles[t]])) /
                2;
    for (const double a : voronoi_areas(skin, plan.triangles)) {
        EXPECT_GT(a, 0);
        sum += a;
    }
    EXPECT_NEAR(sum / area, 1, 1e-9);
}

TEST(ParticlesVolumes, PartsAddUpToTheWhole) {
    for (const char* name : {"bunny", "tube"}) {
        const auto body = body_of_particles(*bundled_character(name), usual_particles());
        const ParticlesBlueprint& plan = *body->blueprint;
        std::vector<Vec3d> skin;
        for (std::size_t v = 0; v < plan.vertex_count(); ++v) {
            const std::size_t i = body->skin() + v, n = body->stride();
            skin.push_back({body->rest[i], body->rest[n + i], body->rest[2 * n + i]});
        }
        std::vector<std::uint32_t> kept;
        for (std::size_t t = 0; t < plan.part.size(); ++t)
            if (plan.part[t] != sim::no_part)
                kept.insert(kept.end(), &plan.triangles[3 * t], &plan.triangles[3 * t] + 3);
        double sum = 0;
        for (const double volume : body->volumes.rest_volume) sum += volume;
        EXPECT_GT(body->volumes.parts(), 1u) << name;
        EXPECT_NEAR(sum / enclosed(skin, kept), 1, 1e-9) << name;
    }
}

/// Sides of each part, away from where they join: 1 low, 2 high, 3 both.
std::vector<int> sides_of_parts(const test::LyingBody& lying, double step, const ParticlesBlueprint& plan) {
    std::vector<int> out(plan.part_joint.size(), 0);
    const std::size_t skin = plan.places.size() - plan.vertex_count();
    for (std::size_t t = 0; t < plan.part.size(); ++t) {
        Vec3d sum;
        for (std::size_t k = 3 * t; k < 3 * t + 3; ++k) sum += to_double(plan.places[skin + plan.triangles[k]]);
        const double middle[3] = {sum.x / 3, sum.y / 3, sum.z / 3};
        const double way = (middle[lying.join_axis] - lying.join * step) * (lying.join_above ? -1 : 1);
        if (way < 0.1 || plan.part[t] == sim::no_part) continue;
        out[plan.part[t]] |= middle[lying.gap_axis] <= (lying.gap_step + 0.5) * step ? 1 : 2;
    }
    return out;
}

TEST(ParticlesVolumes, FleshThatLiesOnOtherFleshKeepsItsOwn) {
    constexpr double step = 0.025;
    for (const test::LyingBody& lying : test::lying_bodies()) {
        const test::BlockCharacter block(lying, step, step, {}, true);
        const auto body = body_of_particles(block.character(), usual_particles());
        const std::vector<int> sides = sides_of_parts(lying, step, *body->blueprint);
        EXPECT_GT(sides.size(), 1u) << lying.name;
        EXPECT_EQ(std::count(sides.begin(), sides.end(), 3), 0) << lying.name;
    }
}

TEST(ParticlesSurface, FoldsThatTouchStayApart) {
    for (const test::LyingBody& lying : test::lying_bodies()) {
        const test::BlockCharacter block(lying, 0.025, 0, {}, false);
        const auto body = body_of_particles(block.character(), usual_particles());
        const std::vector<std::uint32_t>& triangles = body->blueprint->triangles;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
        for (std::size_t k = 0; k < triangles.size(); ++k)
            ++uses[std::minmax(triangles[k], triangles[k % 3 == 2 ? k - 2 : k + 1])];
        for (const auto& [edge, count] : uses) ASSERT_EQ(count, 2) << lying.name;
    }
}

// ---- motion ----------------------------------------------------------------------------------------------------
std::vector<Affine> bent(double angle) {
    return {compose({-4, 0, 0}, {}, {1, 1, 1}), compose({}, quat_from_axis_angle({0, 0, 1}, angle), {1, 1, 1})};
}

TEST(ParticlesTube, ABendKeepsItsVolumeWhereSkinningLosesTen) {
    const Character tube = make_tube(2, 49, 24);
    const SurfaceMeter meter(tube.mesh.positions, tube.mesh.triangles, 8);
    ParticlesSettings settings = usual_particles();
    double kept[2];
    for (const bool preserve : {false, true}) {
        settings.preserve_volume = preserve;
        test::Actor actor(*bind(tube, settings));
        actor.reset_to(bent(0));
        for (int k = 1; k <= 240; ++k) actor.go(bent(std::min(1.0, k / 60.0) * 1.9), 1.0 / 60);
        EXPECT_EQ(actor.state.asleep, 1u);
        actor.look();
        kept[preserve] = *meter.volume_ratio(actor.positions);
    }
    test::Actor skinned(*bind(tube, LbsSettings{}));
    skinned.go(bent(1.9), 1.0 / 60);
    skinned.look();
    EXPECT_LT(*meter.volume_ratio(skinned.positions), 0.91);
    EXPECT_NEAR(kept[1], 1, 0.002);
    EXPECT_LT(kept[0], 0.996) << "without it, volume is lost";
}

TEST(ParticlesTube, WithoutAnyAmountItIsPlainSkinning) {
    ParticlesSettings settings = usual_particles();
    for (LayerSettings& layer : settings.layers) layer.amount = 0;
    test::Actor actor(*bind(make_tube(1, 33, 24), settings));
    actor.reset_to(bent(0));
    for (int k = 1; k <= 30; ++k) actor.go(bent(2.0 * k / 30), 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 8).max, 1e-4);
}

TEST(ParticlesTube, FleshKeepsItsDistanceFromTheJoint) {
    // Linear blending flattens the outside of a bend; the constraint keeps it from its joint.
    const Character tube = make_tube(2, 49, 24);
    double nearest[2];
    for (const bool held : {false, true}) {
        ParticlesSettings settings = *settings_from<ParticlesSettings>(*preset("paper-arm"));
        settings.joint_distance = held ? 0.9 : 0;
        settings.preserve_volume = false;
        test::Actor actor(*bind(tube, settings));
        actor.reset_to(bent(0));
        for (int k = 1; k <= 90; ++k) actor.go(bent(std::min(1.0, k / 60.0) * 1.9), 1.0 / 60);
        actor.look();
        nearest[held] = 1e300;
        for (const Vec3 p : actor.positions) nearest[held] = std::min(nearest[held], double(length(p)));
    }
    EXPECT_GT(nearest[1], 0.85);
    EXPECT_LT(nearest[0], nearest[1] - 0.05);
}

/// Hertz at which the flesh of an egg goes on swinging after it was shaken and stopped.
double hertz_of_egg(double asked, int budget) {
    const Character egg = make_egg();
    ParticlesSettings settings = usual_particles();
    settings.point_budget = budget;
    for (LayerSettings& layer : settings.layers) layer.frequency = asked, layer.damping = 0.08;
    test::Actor actor(*bind(egg, settings));
    actor.reset_to(test::rest_joints(egg));
    std::size_t front = 0;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
        if (egg.mesh.positions[v].z > egg.mesh.positions[front].z) front = v;
    std::vector<double> t, y;
    for (int k = 1; k <= 210; ++k) {
        const double z = k < 90 ? 0.05 * std::sin(0.16 * k) : 0;
        actor.go(test::moved(test::rest_joints(egg), compose({0, 0, z}, {}, {1, 1, 1})), 1 / 60.0);
        if (k < 95) continue;
        actor.look();
        t.push_back(k / 60.0), y.push_back(actor.positions[front].z - actor.skinned[front].z);
    }
    return test::fit_damped_sine(t, y, 0.5 * asked, 2 * asked).hz;
}

TEST(ParticlesSwing, FrequencyIsWhatWasAsked) {
    for (const double asked : {2.5, 5.0})
        for (const int budget : {2000, 8000}) EXPECT_NEAR(hertz_of_egg(asked, budget), asked, 0.1 * asked) << budget;
}

TEST(ParticlesSwing, RestIsAFixedPoint) {
    const Character egg = make_egg();
    test::Actor actor(*bind(egg, usual_particles()));
    actor.reset_to(test::rest_joints(egg));
    for (int k = 0; k < 60; ++k) actor.go(test::rest_joints(egg), 1 / 60.0);
    actor.look();
    EXPECT_EQ(actor.state.asleep, 1u);
    EXPECT_LT(surface_offset(actor.positions, egg.mesh.positions, 1).max, 1e-6);
}

TEST(ParticlesPaper, EveryPresetMovesStaysBoundedAndComesToRest) {
    const Character egg = make_egg();
    for (const char* name : {"paper-arm", "paper-hand", "paper-big-man"}) {
        const ParticlesSettings settings = *settings_from<ParticlesSettings>(*preset(name));
        EXPECT_EQ(settings.step, 0.005);
        EXPECT_EQ(settings.iterations, std::string(name) == "paper-arm" ? 20 : 15);
        test::Actor actor(*bind(egg, settings));
        actor.reset_to(test::rest_joints(egg));
        double most = 0;
        for (int k = 1; k <= 150; ++k) {
            const double x = k < 40 ? 0.1 * std::sin(0.3 * k) : 0;
            actor.go(test::moved(test::rest_joints(egg), compose({x, 0, 0}, {}, {1, 1, 1})), 1 / 60.0);
            actor.look();
            most = std::max(most, surface_offset(actor.positions, actor.skinned, 1).max);
        }
        EXPECT_GT(most, 1e-3) << name;
        EXPECT_LT(most, 0.2) << name;
        EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 2e-3) << name;
    }
}

}  // namespace
}  // namespace fascia
