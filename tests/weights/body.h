// An L of voxels, three cells thick, with bones along its centre line: small enough for brute force.
#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/links.h"
#include "weights/dense.h"

namespace fascia::test {

struct VoxelBody {
    std::vector<std::array<int, 3>> cells;
    std::vector<std::int32_t> neighbours;  ///< [nodes * 27]
    std::vector<std::uint32_t> first, to;  ///< over faces
    std::vector<weights::NodeJoint> cores;
    std::size_t joints = 0;

    std::size_t size() const { return cells.size(); }
    Links links() const { return {first, to, 1}; }
};

/// `bones` straight bones of equal length along each leg.
inline VoxelBody voxel_corner(int leg, int thick, int bones) {
    VoxelBody body;
    std::map<std::array<int, 3>, int> at;
    for (int z = 0; z < thick; ++z)
        for (int y = 0; y < leg; ++y)
            for (int x = 0; x < leg; ++x)
                if (x < thick || y < thick) at[{z, y, x}] = 0;
    for (auto& [cell, node] : at) node = int(body.cells.size()), body.cells.push_back(cell);
    for (const auto& [z, y, x] : body.cells) {
        body.first.push_back(std::uint32_t(body.to.size()));
        for (int k = 0; k < 27; ++k) {
            const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
            const auto found = at.find({z + dz, y + dy, x + dx});
            body.neighbours.push_back(found == at.end() ? -1 : found->second);
            if (found != at.end() && std::abs(dx) + std::abs(dy) + std::abs(dz) == 1)
                body.to.push_back(std::uint32_t(found->second));
        }
    }
    body.first.push_back(std::uint32_t(body.to.size()));
    const int middle = thick / 2, length = (leg - middle) / bones;
    for (int b = 0; b < bones; ++b)
        for (int k = 0; k < length - 1; ++k)
            body.cores.push_back({std::uint32_t(at[{middle, middle, middle + b * length + k}]), std::uint16_t(b)});
    for (int b = 0; b < bones; ++b)
        for (int k = 1; k < length; ++k)
            body.cores.push_back(
                {std::uint32_t(at[{middle, middle + b * length + k, middle}]), std::uint16_t(bones + b)});
    body.joints = std::size_t(2 * bones);
    return body;
}

}  // namespace fascia::test
