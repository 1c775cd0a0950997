#include "sim/rigid_bodies.h"

#include <gtest/gtest.h>

#include "sim/mass_properties.h"

namespace fascia::sim {
namespace {

const double pi = 3.14159265358979323846;

std::vector<std::uint32_t> box_triangles() {
    // Corners by bits, faces outwards.
    return {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
}

TEST(MassProperties, OfABoxAnywhere) {
    std::vector<Vec3d> points;
    const Quat turn = quat_from_axis_angle({0, 0, 1}, 0.7);
    const Vec3d size{1, 2, 3}, place{10, -5, 2};
    for (int k = 0; k < 8; ++k)
        points.push_back(rotate(turn, {(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                                       (k & 4 ? 0.5 : -0.5) * size.z}) +
                         place);
    const MassProperties found = mass_properties(points, box_triangles());
    EXPECT_NEAR(found.volume, 6, 1e-12);
    EXPECT_LT(length(found.centre - place), 1e-12);
    const Matrix3 r = matrix_from(turn), own = transposed(r) * found.inertia * r;
    EXPECT_NEAR(own.m[0][0], 6 * (4 + 9) / 12.0, 1e-11);
    EXPECT_NEAR(own.m[1][1], 6 * (1 + 9) / 12.0, 1e-11);
    EXPECT_NEAR(own.m[2][2], 6 * (1 + 4) / 12.0, 1e-11);
    EXPECT_NEAR(own.m[0][1], 0, 1e-11);
}

TEST(HillMuscle, CurvesByClosedForm) {
    const HillMuscle muscle{100, 2, 3, 0.4, 0};
    EXPECT_NEAR(force_length(2, 2), 1, 1e-14);
    EXPECT_NEAR(force_length(1, 2), 0, 1e-14);
    EXPECT_NEAR(force_length(2.5, 2), 0.5, 1e-14);
    EXPECT_EQ(force_length(0.5, 2), 0) << "the printed curve rises again here";
    EXPECT_EQ(force_length(4, 2), 0);
    EXPECT_EQ(passive_force(muscle, 1.6), 0) << "the printed one pushes here";
    EXPECT_NEAR(passive_force(muscle, 2.5), 20, 1e-12);
    EXPECT_NEAR(passive_force(muscle, 9), 40, 1e-12);
    EXPECT_NEAR(pull(muscle, 0.5, 2.5, 0), 0.5 * 50 + 20, 1e-12);
    EXPECT_NEAR(pull({100, 2, 3, 0.4, 7}, 1, 2, 4), 100 + 14, 1e-12);
    EXPECT_EQ(pull({100, 2, 3, 0.4, 70}, 0, 2, -4), 0) << "it never pushes";
    EXPECT_NEAR(pull(muscle, 5, 2, 0), 100, 1e-12) << "activation is at most 1";
}

/// Links along x with a joint between each two; the first hangs on a body that others move if `hung`.
struct Chain {
    BodyParts parts;
    std::vector<BodyState> states;
    std::vector<BodyPlace> places;
};

Chain chain(int links, bool hung) {
    Chain out;
    if (hung) {
        out.parts.bodies.push_back({});
        out.states.push_back({});
    }
    for (int k = 0; k < links; ++k) {
        RigidBody body;
        body.mass = 0.1 + 0.02 * k;
        body.inertia.m[0][0] = 2e-5;
        body.inertia.m[1][1] = body.inertia.m[2][2] = body.mass * 0.01 / 12 + 1e-5;
        out.parts.bodies.push_back(body);
        BodyState state;
        state.place.at = {0.05 + 0.1 * k, 0, 0};
        out.states.push_back(state);
        const int me = int(out.parts.bodies.size()) - 1;
        if (me == 0) continue;
        BallJoint joint;
        joint.points = {me - 1, me, {k == 0 ? 0 : 0.05, 0, 0}, {-0.05, 0, 0}};
        out.parts.balls.push_back(joint);
    }
    for (const BodyState& state : out.states) out.places.push_back(state.place);
    return out;
}

struct Momenta {
    Vec3d linear, angular;
};
Momenta momenta(const Chain& c) {
    Momenta out;
    for (const BodyState& s : c.states) {
        out.linear += s.momentum;
        out.angular += s.spin + cross(s.place.at, s.momentum);
    }
    return out;
}

TEST(RigidBodies, AFreeChainKeepsItsMomentum) {
    Chain c = chain(6, false);
    c.states[0].momentum = {0.02, 0.1, -0.05};
    c.states[3].spin = {1e-4, 2e-3, 1e-3};
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    drive.places = c.places;
    drive.dt = 1.0 / 240;
    const Momenta start = momenta(c);
    for (int k = 0; k < 2400; ++k) EXPECT_LT(bodies.step(drive, c.states, scratch), 1e-9);
    EXPECT_LT(length(momenta(c).linear - start.linear), 1e-6 * length(start.linear));
    EXPECT_LT(length(momenta(c).angular - start.angular), 1e-6 * length(start.angular));
}

TEST(RigidBodies, AHangingChainKeepsItsEnergy) {
    Chain c = chain(3, true);
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    drive.places = c.places;
    drive.dt = 1.0 / 960;
    drive.gravity = {0, -9.81, 0};
    const auto energy = [&] {
        double sum = bodies.kinetic_energy(c.states);
        for (std::size_t k = 1; k < c.states.size(); ++k) sum += c.parts.bodies[k].mass * 9.81 * c.states[k].place.at.y;
        return sum;
    };
    // From level, where it starts, to hanging down.
    double fastest = 0, worst = 0;
    for (int k = 0; k < 9600; ++k) {
        bodies.step(drive, c.states, scratch);
        fastest = std::max(fastest, bodies.kinetic_energy(c.states));
        worst = std::max(worst, std::abs(energy()));
    }
    EXPECT_GT(fastest, 0.3);
    EXPECT_LT(worst, 0.01 * fastest);
    EXPECT_LT(bodies.drift(c.states), 1e-9);
}

TEST(RigidBodies, APendulumHasItsPeriod) {
    Chain c = chain(1, true);
    const double m = c.parts.bodies[1].mass, about = c.parts.bodies[1].inertia.m[2][2] + m * 0.05 * 0.05;
    c.states[1].place.turn = quat_from_axis_angle({0, 0, 1}, -pi / 2 + 0.02);
    c.states[1].place.at = rotate(c.states[1].place.turn, {0.05, 0, 0});
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    drive.places = c.places;
    drive.dt = 1.0 / 1000;
    drive.gravity = {0, -9.81, 0};
    const double period = 2 * pi * std::sqrt(about / (m * 9.81 * 0.05));
    for (int k = 0; k < int(period * 1000 + 0.5); ++k) bodies.step(drive, c.states, scratch);
    EXPECT_NEAR(c.states[1].place.at.x, 0.05 * std::sin(0.02), 1e-5);
}

TEST(RigidBodies, AHingeTurnsAboutItsAxisAlone) {
    Chain c = chain(1, true);
    c.parts.balls.clear();
    RevoluteJoint hinge;
    hinge.points = {0, 1, {}, {-0.05, 0, 0}};
    hinge.axis_a = hinge.axis_b = normalized(Vec3d{0, 1, 1});
    c.parts.hinges.push_back(hinge);
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    drive.places = c.places;
    drive.dt = 1.0 / 120;
    drive.gravity = {0, -9.81, 0};
    double moved = 0;
    for (int k = 0; k < 600; ++k) {
        bodies.step(drive, c.states, scratch);
        const Vec3d axis = rotate(c.states[1].place.turn, hinge.axis_b);
        EXPECT_LT(length(axis - hinge.axis_a), 1e-6);
        moved = std::max(moved, length(c.states[1].place.at - Vec3d{0.05, 0, 0}));
    }
    EXPECT_GT(moved, 0.05);
}

TEST(RigidBodies, ALimitStopsAndLetsGo) {
    Chain c = chain(1, true);
    c.parts.balls[0].limited_a = c.parts.balls[0].limited_b = {1, 0, 0};
    c.parts.balls[0].most = 0.5;
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    drive.places = c.places;
    drive.dt = 1.0 / 120;
    drive.gravity = {0, -9.81, 0};
    double most = 0;
    for (int k = 0; k < 240; ++k) {
        bodies.step(drive, c.states, scratch);
        most = std::max(most, std::acos(rotate(c.states[1].place.turn, {1, 0, 0}).x));
    }
    EXPECT_NEAR(most, 0.5, 1e-4);
    EXPECT_NEAR(rotate(c.states[1].place.turn, {1, 0, 0}).y, -std::sin(0.5), 1e-3) << "it rests at its limit";
    drive.gravity = {0, 9.81, 0};
    for (int k = 0; k < 12; ++k) bodies.step(drive, c.states, scratch);
    EXPECT_GT(rotate(c.states[1].place.turn, {1, 0, 0}).y, -0.4) << "and falls away from it";
}

TEST(RigidBodies, StiffSpringsAndMusclesPullAtLongSteps) {
    Chain c = chain(1, true);
    c.parts.balls.clear();
    c.parts.springs.push_back({{0, 1, {}, {}}, 5e4, 20, 0.05});
    HillMuscle muscle{10, 0.1, 0.15, 0.1, 1};
    c.parts.muscles.push_back({{0, 1, {0.2, 0, 0}, {}}, muscle});
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    const std::vector<double> activations{1};
    BodyDrive drive;
    drive.places = c.places;
    drive.activations = activations;
    for (int k = 0; k < 600; ++k) bodies.step(drive, c.states, scratch);
    // The spring balances the muscle, which is longer than its best length.
    const double at = c.states[1].place.at.x;
    EXPECT_NEAR(5e4 * (at - 0.05), pull(muscle, 1, 0.2 - at, 0), 1e-3);
    EXPECT_GT(at, 0.05);
}

TEST(RigidBodies, FollowWhatOthersMove) {
    Chain c = chain(2, true);
    const RigidBodies bodies(c.parts);
    BodyScratch scratch;
    BodyDrive drive;
    std::vector<BodyPlace> places = c.places;
    drive.places = places;
    for (int k = 0; k < 60; ++k) {
        places[0].at = {0, 0.01 * k, 0};
        places[0].turn = quat_from_axis_angle({0, 1, 0}, 0.05 * k);
        EXPECT_LT(bodies.step(drive, c.states, scratch), 1e-6);
    }
    EXPECT_GT(c.states[1].place.at.y, 0.3);
}

}  // namespace
}  // namespace fascia::sim
