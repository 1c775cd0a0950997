// What lies under the skin of a character: bones as rigid bodies, muscles as volumes and as lines, springs, and how the
// skin is held. Read from NAME.anatomy.json (docs/schemas/anatomy.schema.json), simulated by method `neck`.
//
// Places are in the character's rest pose and scene units; forces, masses and densities in newtons, kilograms and
// metres, with `unit` metres to a scene unit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/math.h"

FASCIA_API_BEGIN
namespace fascia {

struct AnatomyScene {
    /// A closed surface.
    struct Solid {
        std::vector<Vec3d> points;
        std::vector<std::uint32_t> triangles;  ///< [3 * n]
    };
    struct Body {
        std::string name;
        std::string joint;      ///< of the character: the joint it follows or, if free, starts from
        bool free = false;      ///< moved by forces instead of the joint
        double density = 1200;  ///< kg/m3
        double mass = 0;        ///< kg, instead of the density where it is not 0
        Solid solid;
    };
    struct Joint {
        std::string name, a, b;  ///< of bodies
        bool revolute = false;   ///< otherwise a ball
        Vec3d at;
        Vec3d axis{1, 0, 0};  ///< of a revolute joint; of a ball, what `limit` is measured from
        double limit = 180;   ///< degrees that a ball may swing from its rest
    };
    /// A sheath of nodes that belong to a body.
    struct Attachment {
        std::string body;
        double within = 0;        ///< nodes nearer than this to its surface
        double stiffness = 2000;  ///< N/m of each node
    };
    struct Muscle {
        std::string name;
        double young = 50e6, poisson = 0.4, density = 1060;  ///< Pa, 1, kg/m3
        std::vector<Vec3d> points;
        std::vector<std::uint32_t> hexahedra;   ///< [8 * n] corners by bits: 1, 2, 4 for the upper side along an axis
        std::vector<std::uint32_t> tetrahedra;  ///< [4 * n]
        std::vector<Attachment> attachments;
    };
    /// Between a point of a body and one of another.
    struct Line {
        std::string name, a, b;
        Vec3d from, to;
    };
    struct Actuator : Line {
        double f0 = 0;          ///< N at its optimal length
        double lo = 0;          ///< optimal length in scene units; 0: the length in the rest pose
        double lmax = 0;        ///< 0: 1.5 times lo
        double gamma = 0.1;     ///< passive resistance at lmax, as a share of f0
        double damping = 0;     ///< N per strain rate
        double activation = 0;  ///< 0..1 at all times
        std::string joint;      ///< of the character: its offset from rest, in scene units, adds to the activation
    };
    struct Spring : Line {
        double stiffness = 0, damping = 0;  ///< N/m, N per strain rate
    };
    struct Skin {
        double epidermal = 1200, connecting = 500;  ///< N/m per edge and per vertex
        double density = 1;                         ///< kg/m2
        double reach = 0;                           ///< skin further than this from every body is only skinned
    };

    double unit = 1;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Muscle> muscles;
    std::vector<Actuator> actuators;
    std::vector<Spring> springs;
    Skin skin;
};

/// Shapes for authors of scenes. sides: faces around the axis
AnatomyScene::Solid capsule_solid(Vec3d from, Vec3d to, double radius, int sides = 10);
AnatomyScene::Solid ellipsoid_solid(Vec3d centre, Vec3d radii, int sides = 12);
/// Hexahedra along a path with a radius at each of its points: four in each cross-section, `segments` along the path.
void sweep_muscle(const std::vector<Vec3d>& path, const std::vector<double>& radii, int segments,
                  AnatomyScene::Muscle& out);

}  // namespace fascia
FASCIA_API_END
