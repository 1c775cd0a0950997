// Bones that actuators move (Luo 2016, Figure 3.11): those that ball joints link to a bone which the skeleton carries.
// They live in the coordinates of that bone, so that it may go anywhere. Weak springs draw them to the pose that the
// skeleton gives them; the joints of the skeleton then follow the bones, and the flesh follows the joints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "methods/shared/joint_places.h"
#include "sim/rigid_bodies.h"

namespace fascia {

struct MovedScratch {
    std::vector<sim::BodyState> states;
    std::vector<sim::BodyPlace> places;
    std::vector<Vec3d> tied_to;
    std::vector<double> activations;
    std::vector<JointPlace> joints;
    sim::BodyScratch bodies;
};

class MovedBones {
public:
    MovedBones() = default;
    /// joint_of: [bodies]; centres: [bodies] at rest; posture: N/m of each spring
    MovedBones(const AnatomyScene& scene, std::span<const std::uint16_t> joint_of, std::span<const Vec3d> centres,
               std::span<const int> parents, std::span<const Vec3d> pivots, double posture);

    bool any() const { return !bones_.empty(); }
    /// Floats of memory.
    std::size_t memory() const { return per_bone * bones_.size(); }
    /// In the pose that the skeleton gives them, at rest.
    void start(std::span<const JointPlace> places, std::span<float> memory) const;
    /// One step towards this pose. activations: [actuators of the scene]. Returns the greatest speed of a bone.
    double step(std::span<const JointPlace> places, std::span<const double> activations, double dt, double damping,
                Vec3d gravity, std::span<float> memory, MovedScratch& scratch) const;
    /// The skeleton's pose with the joints of these bones, and all below them, where the bones are, `back` seconds ago.
    void follow(std::span<const JointPlace> places, std::span<const float> memory, double back,
                std::span<JointPlace> out) const;

private:
    static constexpr std::size_t per_bone = 13;  ///< place, turn, momentum, spin
    struct Bone {
        std::size_t body = 0, joint = 0;
        Vec3d centre;  ///< at rest
        double radius = 0;
    };
    sim::BodyPlace posed(const Bone& bone, std::span<const JointPlace> places) const;
    sim::BodyState state_of(std::size_t bone, std::span<const float> memory) const;

    std::vector<Bone> bones_;
    std::size_t base_ = 0, base_joint_ = 0;
    Vec3d base_centre_;
    sim::RigidBodies bodies_;
    std::vector<std::size_t> actuators_;  ///< of the scene, that pull at bones
    std::vector<int> follows_;            ///< [joints] the nearest joint above that has a bone; its own: itself; or -1
    std::vector<int> bone_of_;            ///< [joints] or -1
    std::vector<Vec3d> pivots_;
};

}  // namespace fascia
