// A figure with elbows and knees: the heavy man of the shared data if available, otherwise the bundled gnome.
#pragma once

#include <string>
#include <vector>

#include "stage.h"

namespace fascia::experiments {

struct Human {
    Character character;
    struct Hinge {
        std::string joint;
        Vec3d axis;  ///< about which the joint flexes
    };
    Hinge elbow, knee;
};
Human human();

/// The rest pose with some joints turned in place, their children along with them.
struct Turn {
    std::string joint;
    Vec3d axis;
    double degrees = 0;
};
std::vector<Affine> turned(const Character& character, const std::vector<Turn>& turns);

/// A surface held in one pose until nothing moves any more.
struct Held {
    std::vector<Vec3> positions, normals;
    State state;
};
Held hold(const Rig& rig, const std::vector<Affine>& joints);

/// Everything within `reach` (relative to the size) of a joint's rest position.
View close_up(const Character& character, const std::string& joint, double reach, const std::vector<Vec3>& positions);

}  // namespace fascia::experiments
