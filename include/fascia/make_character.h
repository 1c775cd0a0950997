// A character from a program's own arrays: for engines that have a mesh, a skeleton and weights, but no file.
#pragma once

#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/arrays.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// Optional arrays may stay empty. The arrays are copied, not kept.
struct CharacterArrays {
    std::string name = "character";

    // ---- the surface, at rest, in scene space ----
    ArrayView positions;    ///< 3 numbers per vertex
    ArrayView normals;      ///< 3; optional: made from the triangles
    ArrayView tangents;     ///< 4, w = handedness; optional
    ArrayView uvs;          ///< 2; optional
    ArrayView colors;       ///< 4; optional
    ArrayView mask_colors;  ///< 4, for masks ("COLOR_1.r"); optional
    ArrayView triangles;    ///< one whole number per corner: [triangles * 3]

    // ---- the skeleton ----
    std::vector<std::string> joint_names;         ///< [joints], or empty; made unique
    std::span<const std::int32_t> joint_parents;  ///< [joints] an earlier joint, or -1
    ArrayView joint_rests;  ///< a matrix per joint: its world matrix in the pose in which the mesh was bound
    MatrixForm form = MatrixForm::rows_3x4;
    bool inverse_binds = false;  ///< joint_rests hold the inverses of those matrices
    ArrayView joint_tails;       ///< 3: where each bone ends at rest; optional: guessed as for files

    // ---- weights ----
    int influences = 4;       ///< 1 to 8
    ArrayView joint_indices;  ///< `influences` whole numbers per vertex
    ArrayView joint_weights;  ///< `influences` numbers per vertex, sum 1 (within a hundredth, as 8 bits give it)
};

/// Checks everything: an index out of range, a parent that is not an earlier joint, a non-finite number, a matrix that
/// cannot be inverted, weights that do not add up to 1. The error says which.
Result<Character> make_character(const CharacterArrays& arrays);

/// Checks the indices and numbers of a character that was assembled in code, as bind does: the error names what is
/// wrong. Weights may be missing.
Status check_character(const Character& character);

}  // namespace fascia
FASCIA_API_END
