#include "methods/neck/neck_normals.h"

#include "base/workspace.h"

namespace fascia {

namespace {

Vec3 area_normal(std::span<const Vec3> at, const std::uint32_t* corners) {
    return cross(at[corners[1]] - at[corners[0]], at[corners[2]] - at[corners[0]]);
}

}  // namespace

void turn_normals(std::span<const std::uint32_t> triangles, std::span<const Vec3> skinned, std::span<const Vec3> moved,
                  const Surface& out, NormalScratch& scratch) {
    const std::span<Vec3> before = sized(scratch.before, skinned.size()), after = sized(scratch.after, skinned.size());
    for (const std::uint32_t v : triangles) before[v] = after[v] = {};
    for (std::size_t k = 0; k < triangles.size(); k += 3) {
        const Vec3 was = area_normal(skinned, &triangles[k]), is = area_normal(moved, &triangles[k]);
        for (std::size_t c = 0; c < 3; ++c) {
            before[triangles[k + c]] += was;
            after[triangles[k + c]] += is;
        }
    }
    for (const std::uint32_t v : triangles) {
        const Vec3 was = normalized(before[v]), is = normalized(after[v]);
        // Changes each vertex once: nothing is left to do at its next corner.
        before[v] = after[v] = {};
        if (was == is) continue;
        out.normals[v] = normalized(out.normals[v] + is - was, out.normals[v]);
        if (out.tangents.size() < skinned.size()) continue;
        Vec4& t = out.tangents[v];
        const Vec3 n = out.normals[v], along = Vec3{t.x, t.y, t.z};
        const Vec3 across = normalized(along - n * dot(n, along), along);
        t = {across.x, across.y, across.z, t.w};
    }
}

}  // namespace fascia
