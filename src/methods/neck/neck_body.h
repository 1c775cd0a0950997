// What bind makes of a character with an anatomy for the method `neck`: bodies, muscles and the skin near them as one
// coupled system, and how the skeleton alone carries each of its points.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "fascia/beneath.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/rest_surface.h"
#include "methods/shared/stepped_rig.h"
#include "sim/coupled_system.h"

namespace fascia {

struct NeckSettings {
    static constexpr const char* method = "neck";
    Vec3d gravity;                   ///< scene units / s^2; zero unless set
    double anatomy_step = 1.0 / 60;  ///< seconds of one fixed step
    double firmness = 1;             ///< factor on the stiffness of all muscles
    double drag = 2;                 ///< 1/s at which motion beyond the skeleton's decays
    double excitation = 0;           ///< added to the activation of all actuators
    std::string excite;              ///< "NAME=SHARE,...": added to the activation of single actuators
    std::string bones = "joints";    ///< what moves them; "actuators": see moved_bones.h
    double posture = 250;            ///< N/m of each of the springs that draw moved bones to the skeleton's pose
};

/// What a rig file holds.
struct NeckBlueprint {
    RestSurface surface;
    AnatomyScene scene;
};

/// Points in the order of their channels: one at each joint, which only follows it; four for each free body, at its
/// centre and along each axis; the nodes of the muscles; the skin.
struct NeckPoints {
    std::size_t joints = 0, bodies = 0, nodes = 0, skin = 0;
    std::size_t first_body() const { return joints; }
    std::size_t first_flesh() const { return joints + 4 * bodies; }  ///< the coupled system's points begin here
    std::size_t first_skin() const { return first_flesh() + nodes; }
    std::size_t count() const { return first_skin() + skin; }
};

/// A point of the skeleton's skin: four joints and their weights.
struct PointCarriers {
    std::vector<std::uint16_t> joints;  ///< [4 * points]
    std::vector<float> weights;         ///< [4 * points]
};

struct NeckBody {
    std::shared_ptr<const NeckBlueprint> blueprint;
    std::vector<std::string> warnings;
    std::uint64_t fingerprint = 0;
    double size = 1;
    PoseGate gate;
    std::vector<Affine> inverse_rest;
    std::vector<int> parents;
    std::vector<Vec3d> pivots;
    NeckPoints points;
    std::vector<std::uint32_t> slots;
    Floats rest;                           ///< [3 * points]
    std::vector<std::uint16_t> by_joints;  ///< [4 * points] channels
    Floats by_weights;                     ///< [4 * points] channels
    std::vector<std::uint32_t> skin_of;    ///< [vertices] which point of the skin a vertex is; none: only skinned
    static constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> skin_triangles;  ///< those of the surface that move with the skin
    double radius = 1;                          ///< of the points that stand for a body's axes

    // ---- bodies of the scene ----
    std::vector<std::uint16_t> body_joint;  ///< [bodies]
    std::vector<Vec3d> body_centre;         ///< [bodies] at rest
    std::vector<std::uint32_t> free_bodies;
    std::vector<Beneath::Piece> pieces;          ///< bodies, then muscles
    std::vector<std::uint32_t> piece_triangles;  ///< facing outwards
    std::vector<std::uint16_t> exciting_joint;   ///< [actuators] none: 0xffff

    sim::CoupledSystem system;
};

std::shared_ptr<const NeckBody> build_neck_body(std::shared_ptr<const NeckBlueprint> blueprint,
                                                const NeckSettings& settings);

}  // namespace fascia
