// What a rig remembers of the character it was bound to: the rest surface with its weights, and the joints. Rig files
// contain it, and further meshes are attached to it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "fascia/character.h"
#include "fascia/result.h"
#include "skin/skin_source.h"

namespace fascia {

struct RestSurface {
    std::vector<Vec3> positions, normals;  ///< [vertices]; normals may be empty
    std::vector<Vec4> tangents;            ///< [vertices] or empty
    std::vector<std::uint32_t> triangles;  ///< [triangles * 3]
    SkinWeights weights;
    std::vector<Joint> joints;  ///< name, parent and rest only

    RestSurface() = default;
    explicit RestSurface(const Character& character);

    /// Spans into this object, which must outlive them.
    SkinSource source() const;
};

std::vector<std::string> names_of_joints(const RestSurface& surface);

void write_rest_surface(const RestSurface& surface, ByteWriter& out);
/// Checks every size, index and number; the error says what is wrong, without naming the file.
Result<RestSurface> read_rest_surface(ByteReader& in);

}  // namespace fascia
