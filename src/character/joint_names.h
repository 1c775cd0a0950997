// What a joint's name says about the body part that it moves, following the naming habits of common rigs.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fascia {

enum class Side { left = 0, right = 1, middle = 2 };

/// Joints along a limb from the trunk outwards. Arms: clavicle, upper arm, forearm, hand, (none).
/// Legs: side of the pelvis, thigh, shin, foot, toes.
enum LimbPart { limb_root = 0, limb_upper = 1, limb_lower = 2, limb_end = 3, limb_tip = 4 };
constexpr int kLimbParts = 5;

enum Finger { thumb = 0, index_finger = 1, middle_finger = 2, ring_finger = 3, little_finger = 4, any_finger = 5 };
constexpr int kFingers = 5;

struct NameMeaning {
    enum class Kind { unknown, helper, hips, spine, neck, head, arm, leg, finger };
    Kind kind = Kind::unknown;
    Side side = Side::middle;
    /// Arms and legs: how well the name fits each part of the limb; 0 = not at all. "leg" alone may be thigh or shin.
    std::array<int, kLimbParts> fit{};
    int finger = any_finger;
    int number = 0;  ///< last number in the name, 0 for none
};

NameMeaning meaning_of_name(const std::string& name);

/// Lower-case words of a name: "mixamorig:LeftUpLeg" -> mixamorig left up leg; digits are words of their own.
std::vector<std::string> words_of_name(const std::string& name);

/// The form in which names are compared: lower case, without a "rig:" prefix.
std::string comparable_name(const std::string& name);

}  // namespace fascia
