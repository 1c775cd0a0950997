// A stout column on two bones, as an engine hands it over in C.
#pragma once

#include <cstring>

#include "fascia/fascia_c.h"
#include "support/small_character.h"

namespace fascia::test {

struct SmallArrays {
    Character like = small_character();
    std::int32_t parents[2] = {-1, 0};
    const char* names[2] = {"lower", "upper"};
    float rests[32] = {};
    fascia_character_arrays arrays;

    SmallArrays() {
        std::memset(&arrays, 0, sizeof arrays);
        const std::size_t n = like.mesh.vertex_count();
        for (Vec3& p : like.mesh.positions) p = {3 * p.x, p.y, 3 * p.z};  // 1.2 wide: there is flesh around the bone
        for (std::size_t j = 0; j < 2; ++j)
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t r = 0; r < 4; ++r)
                    rests[16 * j + 4 * c + r] = r < 3 ? float(like.joints[j].rest.m[r][c]) : c == 3 ? 1.0f : 0.0f;
        arrays.name = "small";
        arrays.positions = {like.mesh.positions.data(), n, 0, FASCIA_FLOAT};
        arrays.triangles = {like.mesh.triangles.data(), like.mesh.triangles.size(), 0, FASCIA_UINT32};
        arrays.influences = 4;
        arrays.joint_indices = {like.weights.joints.data(), n, 0, FASCIA_UINT16};
        arrays.joint_weights = {like.weights.weights.data(), n, 0, FASCIA_FLOAT};
        arrays.joint_names = names;
        arrays.joint_parents = parents;
        arrays.joint_rests = {rests, 2, 0, FASCIA_FLOAT};
        arrays.matrix_form = FASCIA_COLUMNS_4X4;
    }
    SmallArrays(const SmallArrays&) = delete;
    SmallArrays& operator=(const SmallArrays&) = delete;
};

}  // namespace fascia::test
