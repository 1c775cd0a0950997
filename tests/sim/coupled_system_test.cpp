// Bones, muscles and skin as one system.
#include "sim/coupled_system.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

/// A bar of hexahedra along x, two across.
struct Bar {
    CoupledParts parts;
    std::vector<Vec3d> v;
    int along;

    Bar(int count, double length_of, double side, double young, double poisson, double density) : along(count) {
        std::vector<Vec3d>& x = parts.rest;
        for (int i = 0; i <= count; ++i)
            for (int j = 0; j <= 2; ++j)
                for (int k = 0; k <= 2; ++k) x.push_back({length_of * i / count, side * j / 2, side * k / 2});
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < 2; ++j)
                for (int k = 0; k < 2; ++k) {
                    std::array<std::uint32_t, 8> nodes{};
                    for (int c = 0; c < 8; ++c)
                        nodes[std::size_t(c)] = node(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1));
                    EXPECT_TRUE(parts.elements.add_hexahedron(nodes, x, stiffness_of(young, poisson)));
                }
        parts.masses.resize(x.size());
        parts.elements.add_volumes(parts.masses);
        for (double& each : parts.masses) each *= density;
        v.resize(x.size());
    }
    std::uint32_t node(int i, int j, int k) const { return std::uint32_t((i * 3 + j) * 3 + k); }
};

double sag_ratio(int along) {
    const double side = 0.1, young = 1e6, density = 100, g = 0.1;
    Bar bar(along, 1, side, young, 0, density);
    for (int j = 0; j <= 2; ++j)
        for (int k = 0; k <= 2; ++k) bar.parts.masses[bar.node(0, j, k)] = 0;  // held
    const CoupledSystem system(bar.parts, 10, 1e-4);                           // long steps: it comes to rest at once
    std::vector<Vec3d> x = bar.parts.rest, end;
    CoupledScratch scratch;
    for (int step = 0; step < 12; ++step) {
        end = x;
        CoupledStep one;
        one.x = x, one.v = bar.v, one.end = end, one.gravity = {0, -g, 0};
        system.run(one, scratch);
        x = end;
    }
    const double area = side * side, load = density * area * g, inertia = side * side * side * side / 12;
    const double theory = load / (8 * young * inertia) + load / (2 * (5.0 / 6) * (young / 2) * area);
    return (bar.parts.rest.back().y - x.back().y) / theory;
}

TEST(CoupledSystem, BeamsSagAsTheorySaysUnderRefinement) {
    const double coarse = sag_ratio(15), fine = sag_ratio(50);
    EXPECT_GT(std::abs(coarse - 1), std::abs(fine - 1));
    EXPECT_NEAR(fine, 1, 0.03);
}

/// Two bones that others move, a muscle of 50 MPa between them, and a free bone that hangs on it and on a joint.
struct Arm {
    Bar bar{12, 0.24, 0.03, 50e6, 0.4, 1060};
    CoupledSystem system;
    std::vector<Vec3d> x, v, end;
    std::vector<BodyMotion> bodies;
    std::vector<BodyPlace> ends;
    CoupledScratch scratch;
    double dt = 1.0 / 60;

    Arm() {
        CoupledParts& parts = bar.parts;
        parts.centres = {{0, 0, 0}, {0.24, 0, 0}, {0.12, -0.05, 0.015}};
        parts.bodies.bodies.resize(3);
        RigidBody& free = parts.bodies.bodies[2];
        free.mass = 0.02;
        free.inertia = scaled_identity(4e-6);
        parts.bodies.balls.push_back({{0, 2, {0.1, -0.03, 0.015}, {-0.02, 0.02, 0}}, {0, 1, 0}, {0, 1, 0}, 0.6});
        for (int i : {0, 1, 6, 11, 12})
            for (int j = 0; j <= 2; ++j)
                for (int k = 0; k <= 2; ++k) {
                    const int body = i < 2 ? 0 : i > 10 ? 1 : 2;
                    if (body == 2 && j > 0) continue;
                    const std::uint32_t node = bar.node(i, j, k);
                    parts.body_bonds.push_back({node, body, parts.rest[node] - parts.centres[std::size_t(body)], 2000});
                }
        system = CoupledSystem(parts, dt, 0.3);
        x = end = parts.rest;
        v.resize(x.size());
        for (const Vec3d& centre : parts.centres) bodies.push_back({{centre, {}}, {}, {}});
        ends.resize(3);
    }
    /// The far bone turns about the middle of the bar; the rest is guessed to stay where it was.
    void step(double angle) {
        const Quat turn = quat_from_axis_angle({0, 0, 1}, angle);
        for (std::size_t b = 0; b < 3; ++b) ends[b] = bodies[b].place;
        ends[1] = {Vec3d{0.12, 0, 0} + rotate(turn, {0.12, 0, 0}), turn};
        end = x;
        CoupledStep one;
        one.x = x, one.v = v, one.bodies = bodies, one.end = end, one.body_ends = ends;
        system.run(one, scratch);
        for (std::size_t k = 0; k < x.size(); ++k) v[k] = (end[k] - x[k]) * (1 / dt);
        x = end;
        for (std::size_t b = 0; b < 3; ++b) {
            const Quat d = ends[b].turn * conjugate(bodies[b].place.turn);
            bodies[b].speed = (ends[b].at - bodies[b].place.at) * (1 / dt);
            bodies[b].turning = Vec3d{d.x, d.y, d.z} * (2 / (d.w * dt));
            bodies[b].place = ends[b];
        }
    }
    double drift() const {
        return length(place_of(bodies[0].place, {0.1, -0.03, 0.015}) - place_of(bodies[2].place, {-0.02, 0.02, 0}));
    }
};

TEST(CoupledSystem, AMuscleBetweenBonesKeepsItsVolumeAndJointsStayTogetherForTenSeconds) {
    Arm arm;
    const double volume = arm.bar.parts.elements.rest_volume();
    double bent = 0;
    for (int k = 0; k < 600; ++k) {
        arm.step(0.5 * std::sin(k * 0.15));
        ASSERT_LT(arm.drift(), 1e-4) << k << ": a tenth of a millimetre";
        ASSERT_NEAR(arm.bar.parts.elements.volume(arm.x) / volume, 1, 0.02) << k;
        bent = std::max(bent, length(arm.x.back() - arm.bar.parts.rest.back()));
    }
    EXPECT_GT(bent, 0.02);
}

TEST(CoupledSystem, ComesBackToRestExactlyWhereItBegan) {
    Arm arm;
    for (int k = 0; k < 60; ++k) arm.step(0.5 * std::sin(k * 0.2));
    for (int k = 0; k < 240; ++k) arm.step(0);
    for (std::size_t k = 0; k < arm.x.size(); ++k) ASSERT_LT(length(arm.x[k] - arm.bar.parts.rest[k]), 1e-5) << k;
    EXPECT_LT(length(arm.bodies[2].speed), 1e-4);
}

TEST(CoupledSystem, AFreeChainKeepsItsMomentum) {
    CoupledParts parts;
    parts.bodies.bodies.resize(4);
    for (std::size_t b = 0; b < 4; ++b) {
        parts.bodies.bodies[b].mass = 0.1 + 0.05 * double(b);
        parts.bodies.bodies[b].inertia = scaled_identity(1e-4);
        parts.centres.push_back({0.1 * double(b), 0, 0});
        if (b > 0) parts.bodies.balls.push_back({{int(b) - 1, int(b), {0.05, 0, 0}, {-0.05, 0, 0}}});
    }
    const double dt = 1.0 / 60;
    const CoupledSystem system(parts, dt, 0.4);
    std::vector<BodyMotion> bodies;
    for (const Vec3d& centre : parts.centres) bodies.push_back({{centre, {}}, {}, {}});
    bodies[0].speed = {0.2, 1, -0.5};
    bodies[3].turning = {0, 4, 2};
    std::vector<BodyPlace> ends(4);
    const auto momentum = [&] {
        Vec3d sum;
        for (std::size_t b = 0; b < 4; ++b) sum += bodies[b].speed * parts.bodies.bodies[b].mass;
        return sum;
    };
    const Vec3d start = momentum();
    CoupledScratch scratch;
    for (int k = 0; k < 600; ++k) {
        for (std::size_t b = 0; b < 4; ++b) ends[b] = bodies[b].place;
        CoupledStep one;
        one.bodies = bodies, one.body_ends = ends;
        system.run(one, scratch);
        for (std::size_t b = 0; b < 4; ++b) {
            const Quat d = ends[b].turn * conjugate(bodies[b].place.turn);
            bodies[b] = {ends[b], (ends[b].at - bodies[b].place.at) * (1 / dt),
                         Vec3d{d.x, d.y, d.z} * (2 / (d.w * dt))};
        }
        ASSERT_LT(length(place_of(bodies[0].place, {0.05, 0, 0}) - place_of(bodies[1].place, {-0.05, 0, 0})), 1e-4);
    }
    EXPECT_LT(length(momentum() - start), 1e-6 * length(start));
}

}  // namespace
}  // namespace fascia::sim
