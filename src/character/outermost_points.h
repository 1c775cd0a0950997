// Picks out the few of many points that may be the first to touch a plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "character/body_frame.h"

namespace fascia {

/// Directions to the grid points on the surface of a cube aligned with the body, about 25 degrees apart.
inline std::vector<Vec3d> all_directions(const BodyFrame& frame) {
    std::vector<Vec3d> directions;
    constexpr int kSide = 2;
    for (int x = -kSide; x <= kSide; ++x)
        for (int y = -kSide; y <= kSide; ++y)
            for (int z = -kSide; z <= kSide; ++z)
                if (std::max({std::abs(x), std::abs(y), std::abs(z)}) == kSide)
                    directions.push_back(rotate(
                        frame.rotation, {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}));
    return directions;
}

/// Of all vertices that mostly follow one node: the outermost in each direction.
class OutermostVertices {
public:
    explicit OutermostVertices(const BodyFrame& frame) : directions_(all_directions(frame)) {}

    void add(int node, int vertex, Vec3d place) {
        auto [found, fresh] = by_node_.try_emplace(node);
        std::vector<Best>& best = found->second;
        if (fresh) best.assign(directions_.size(), {vertex, place});
        for (std::size_t d = 0; d < directions_.size(); ++d)
            if (dot(place - best[d].place, directions_[d]) > 0) best[d] = {vertex, place};
    }

    template <class Visit>
    void visit(Visit visit) const {
        for (const auto& [node, best] : by_node_) {
            std::map<int, Vec3d> once;
            for (const Best& entry : best) once.emplace(entry.vertex, entry.place);
            for (const auto& [vertex, place] : once) visit(node, vertex, place);
        }
    }

private:
    struct Best {
        int vertex = -1;
        Vec3d place;
    };
    std::vector<Vec3d> directions_;
    std::map<int, std::vector<Best>> by_node_;
};

}  // namespace fascia
