// How far a point is from the skin of a posed body, its arms left out: from points spread over its triangles.
#pragma once

#include <vector>

#include "character/character_rest.h"
#include "fascia/character.h"

namespace fascia {

/// Which way is out, and how far out a point is (negative inside).
struct SkinDistance {
    double distance = 0;
    Vec3d out;
};

class TrunkSkin {
public:
    /// `is_left_out` [nodes]: triangles that touch skin which mostly follows these are no part of it.
    TrunkSkin(const Character& character, const CharacterRest& rest, const std::vector<bool>& is_left_out);

    bool is_empty() const { return points_.empty(); }

    /// Skins the points, for nodes at `world`.
    void pose(const std::vector<Affine>& world);

    SkinDistance distance_to(Vec3d place) const;  ///< to the posed skin

private:
    struct Influence {
        int node = -1;
        double weight = 0;
        Vec3d place, normal;  ///< in the node's space at rest
    };
    struct Point {
        Vec3d place, normal;       ///< posed
        int first = 0, count = 0;  ///< its influences
    };

    void add(const Character& character, int triangle, Vec3d shares, Vec3d place, Vec3d normal);

    double spacing_ = 0;
    std::vector<Point> points_;
    std::vector<Influence> influences_;
};

}  // namespace fascia
