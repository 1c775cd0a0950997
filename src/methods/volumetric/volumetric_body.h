// What bind makes of a character for the volumetric methods, as a rig file holds it: voxels with points at their
// corners, the weights of the points, and the surface bound in the voxels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "embed/trilinear.h"
#include "fascia/method.h"
#include "lattice/corners.h"
#include "lattice/grid.h"
#include "methods/shared/rest_surface.h"
#include "weights/influences.h"

namespace fascia {

struct VolumetricBody {
    double size = 1;
    lattice::Grid grid;
    lattice::CornerLattice corners;     ///< the points
    weights::Influences influences;     ///< 4 slots
    std::vector<std::uint8_t> at_bone;  ///< [points] 1 at a voxel that a bone passes through
    RestSurface surface;
    embedding::Trilinear bound;  ///< the surface; points are corners
    std::vector<std::string> warnings;

    std::size_t point_count() const { return corners.size(); }
    Vec3d place(std::size_t point) const {
        const lattice::Cell c = corners.places[point];
        return grid.origin + Vec3d{double(c.x), double(c.y), double(c.z)} * grid.h;
    }
    int resolution() const;
};

/// Fills the body with voxels, or says in a sentence why it cannot. method: the method named in the sentence
Result<std::shared_ptr<const VolumetricBody>> build_volumetric_body(const Character& character,
                                                                    const VolumetricSettings& settings,
                                                                    const char* method);

void write_volumetric_body(const VolumetricBody& body, ByteWriter& out);
/// Checks everything; the error says what is wrong, without naming the file.
Result<std::shared_ptr<const VolumetricBody>> read_volumetric_body(ByteReader& in);

}  // namespace fascia
