// Bodies that are not bundled and that methods find hard: flesh that touches at rest, hooves and jaws, eyes that are
// separate shells, duplicated joints, plates, a ball with thin fins. Each has a skeleton, weights and clips;
// `write_bodies` writes them as GLB.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"

namespace fascia::test {

/// A heavy woman with breasts, belly and buttocks whose arms rest against her sides. Clips: those of the bundled
/// characters, and "sit".
Character heavy_body();
/// The same, bound with her arms pressed into her sides by a few centimetres.
Character pressed_body();
/// A pony with hooves, a jaw, a mane and a tail. Clips: "trot", "bite".
Character pony_body();
/// Head and shoulders; eyes and teeth are shells of their own, and each half of the face follows its own copy of head
/// and neck. Clip: "nod".
Character bust_body();
/// Plates on joints: every vertex follows one. Clips: those of the bundled characters.
Character mech_body();
/// A saurian with a long tail, a jaw, tiny arms and toes that lie together. Clip: "leap".
Character saurian_body();
/// A fish that is nearly a ball, with thin fins, and with eyes on its skin that are separate shells. Clips: "swim",
/// "shake".
Character puffer_body();

struct NamedBody {
    const char* name;
    Character (*make)();
};
inline constexpr NamedBody odd_bodies[] = {{"heavy", heavy_body}, {"pony", pony_body},       {"bust", bust_body},
                                           {"mech", mech_body},   {"saurian", saurian_body}, {"puffer", puffer_body}};

}  // namespace fascia::test
