// Weights from the drawing: each part of the body follows a chain of joints, and neighbouring parts blend.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"
#include "sculpture.h"
#include "skeleton.h"
#include "surface_mesh.h"

namespace fascia::characters {

/// One joint of a chain, and how it takes over from the one before it: across a plane through the joint.
struct Link {
    std::string joint;
    double half_width = 0.08;  ///< of the transition, along the normal
    Vec3d normal = {};         ///< zero: halfway between the directions of the two bones
};

/// The joints that move one part, from its root outwards.
struct BodyPart {
    std::string name;
    std::vector<Link> chain;
    double seam = 0.08;  ///< how far (in distance to the part's own shape) it reaches into its neighbours
};

/// A soft spot of a part that follows a joint of its own (a belly).
struct SoftSpot {
    std::string part, joint;
    Shape shape;
    double inner, outer;  ///< full strength below `inner` of the shape's distance, none beyond `outer`
    double strength;
};

class Skinning {
public:
    void add(const std::string& part, std::vector<Link> chain, double seam = 0.08);
    void add_pair(const std::string& left_part, std::vector<Link> chain, double seam = 0.08);
    void soft_spot(const std::string& part, const std::string& joint, const Shape& shape, double inner, double outer,
                   double strength);

    int smoothing = 9;  ///< rounds of averaging over the surface

    /// Four largest per vertex, largest first, sum 1.
    SkinWeights weights(const Skeleton& skeleton, const Field& field, const SurfaceMesh& mesh) const;

private:
    std::vector<double> raw_weights(const Skeleton& skeleton, const Field& field, const SurfaceMesh& mesh) const;

    std::vector<BodyPart> parts_;
    std::vector<SoftSpot> spots_;
};

}  // namespace fascia::characters
