// From words on the command line to a character and its motions.
#pragma once

#include <string>
#include <vector>

#include "bake_options.h"
#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia::cli {

/// A file, or the name of a bundled character.
Result<Character> open_character(const std::string& file_or_name);

/// Are these weights that the method computes on its own points?
bool computes_own_weights(const std::string& method, const std::string& weights);

/// The character with --weights and --subdivide applied, ready to be bound; `method` may compute weights itself.
Result<Character> prepare_character(const BakeOptions& options, const std::string& method, Character character);

/// True if `text` names a bundled character rather than a file.
bool is_bundled_name(const std::string& text);

/// Adds what --attach asks for to Character::attached.
Status attach_files(const BakeOptions& options, Character& character);

/// One motion to bake.
struct MotionJob {
    Clip clip;
    std::string label;      ///< for people: the clip's name, or its index if it has none
    std::string file_part;  ///< the label as part of a file name, different for each job
    std::vector<std::string> warnings;
};

/// What --motion, --map, --bvh-rest and --raw-motion ask for: one job, or one per clip.
Result<std::vector<MotionJob>> open_motions(const BakeOptions& options, const Character& character);

}  // namespace fascia::cli
