// The anatomy of the bundled bust, fitted to the neck of another character.
#pragma once

#include <string>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

struct FittedNeck {
    AnatomyScene scene;
    std::vector<std::string> joints;  ///< of the character that bones follow, from below
    std::vector<std::string> notes;   ///< what could not be fitted well
};

/// `model` is the bundled character "neck". Bones and muscles keep their places between the joints of the neck and the
/// skin around them, and their depth below it. `character` needs a head and joints below it that are found by their
/// names, a humanoid map, or their places.
Result<FittedNeck> fit_neck(const Character& model, const Character& character);

}  // namespace fascia
FASCIA_API_END
