// Which joints of a motion a retarget would pair with which of a character: to be shown, and corrected by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/pose.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

struct JointPairs {
    /// (motion joint, character joint), in the order of the character's joints. A joint that follows a mix of two
    /// stands with the first.
    std::vector<std::pair<std::string, std::string>> pairs;
    bool enough = false;  ///< retarget() would accept them
};

/// By names, humanoid bones, shape, and options.map, as retarget() pairs them.
Result<JointPairs> joint_pairs(const Character& character, const Motion& motion, const RetargetOptions& options = {});

}  // namespace fascia
FASCIA_API_END
