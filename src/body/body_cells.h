// A character's surface filled with cells, connected as its tissue is: the starting point of every method with points
// inside the body.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "body/body_shells.h"
#include "fascia/character.h"
#include "lattice/connectivity.h"
#include "lattice/grid.h"
#include "lattice/layers.h"
#include "lattice/surface_fans.h"
#include "lattice/winding.h"

namespace fascia {

/// Joints that hold any vertex; all of them if the file's weights are not used. [joints]
std::vector<std::uint8_t> used_joints(const Character& character, bool from_file);

/// The joint that each triangle follows most: by the file's weights, or that of the nearest bone.
std::vector<std::uint16_t> triangle_joints(const Character& character, const std::vector<lattice::Bone>& bones,
                                           bool from_file);

struct BodyCells {
    int resolution = 0;  ///< cells along the longest side
    lattice::Grid grid;
    Vec3d centre;  ///< of the surface's box
    lattice::Tissue tissue;
    bool open = false;  ///< some part of the surface is not closed
};

/// A surface that is to be filled: what does not depend on the size of the cells.
class BodySurface {
public:
    /// Flesh that touches and follows one joint may part or, where the cells serve weights, is one piece. A mitten has
    /// fingers, but one bone for all of them.
    enum class OfOneJoint { may_part, is_one };

    /// followed: [triangles] the joint that each follows. It and the character must outlive this object.
    BodySurface(const Character& character, std::span<const std::uint16_t> followed,
                OfOneJoint of_one_joint = OfOneJoint::may_part);
    BodyCells fill(int resolution) const;
    /// Between the nearest corners of two lists of triangles.
    double distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;

private:
    const Mesh& mesh_;
    std::span<const std::uint16_t> followed_;
    OfOneJoint of_one_joint_;
    Relations related_;                   ///< of joints
    std::vector<std::uint32_t> corners_;  ///< [triangles * 3] welded
    BodyShells shells_;
    lattice::SurfaceFans fans_;
    bool open_ = false;
    std::optional<lattice::WindingField> outward_;  ///< of a closed surface
    Vec3d low_, high_;
};

BodyCells fill_body(const Character& character, std::span<const std::uint16_t> followed, int resolution);

/// Sentences for a person about parts that touch within the same cells.
void warn_of_meetings(const Character& character, const lattice::Tissue& tissue, double size,
                      std::vector<std::string>& warnings);

}  // namespace fascia
