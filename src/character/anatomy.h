// Which joint of a skeleton moves which part of a body.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "character/joint_names.h"
#include "character/joint_tree.h"

namespace fascia {

/// Joints of one arm or leg, by LimbPart; -1 if there is none.
struct Limb {
    std::array<int, kLimbParts> joints{-1, -1, -1, -1, -1};
    int operator[](int part) const { return joints[part]; }
    bool is_found() const { return joints[limb_upper] >= 0 && joints[limb_lower] >= 0; }
};

struct Anatomy {
    int hips = -1;
    std::vector<int> spine;  ///< above the hips, up to where the arms branch off
    std::vector<int> neck;   ///< between there and the head
    int head = -1;
    std::array<Limb, 2> arms;  ///< by Side
    std::array<Limb, 2> legs;  ///< by Side
    /// Up to three bones of each finger, by Side and Finger.
    std::array<std::array<std::array<int, 3>, kFingers>, 2> fingers;
    bool by_shape = false;  ///< the names said nothing; found by where the joints are

    Anatomy();
    bool has_legs() const { return legs[0].is_found() && legs[1].is_found(); }
    bool has_arms() const { return arms[0].is_found() && arms[1].is_found(); }
    int limbs_found() const;
};

/// By the joints' names, or else by their positions.
Anatomy find_anatomy(const JointTree& skeleton);
/// By a humanoid map as VRM has it: (bone, joint) such as ("leftUpperArm", 12).
Anatomy anatomy_from_humanoid(const JointTree& skeleton, const std::vector<std::pair<std::string, int>>& bones);
/// By where the joints are: a left and a right chain going down are legs, those going outwards are arms.
Anatomy anatomy_from_shape(const JointTree& skeleton);

/// Fills in hips, spine and neck from where the limbs and the head are attached. `named_hips` is preferred if it fits.
void find_trunk(const JointTree& skeleton, int named_hips, Anatomy& anatomy);

}  // namespace fascia
