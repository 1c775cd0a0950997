// Normals that a body inside the surface gives, checked against the surface itself. At the end of a slit, such as an
// armpit, cells turn in ways that the skin around a vertex does not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "embed/fans.h"
#include "fascia/math.h"

namespace fascia::embedding {

class OutwardNormals {
public:
    OutwardNormals() = default;
    /// Checks those vertices that are `watched` and whose normal at rest is about that of the triangles around them.
    OutwardNormals(std::span<const Vec3> rest, std::span<const Vec3> normals, const Fans& fans,
                   std::span<const std::uint8_t> watched);

    bool empty() const { return vertices_.empty(); }

    /// A normal that leans away from the triangles around its vertex is turned towards theirs until it does not.
    void correct(std::span<const Vec3> positions, std::span<Vec3> normals, ThreadPool& pool) const;

private:
    std::vector<std::uint32_t> vertices_;
    std::vector<std::uint32_t> first_;  ///< [vertices_ + 1] into `sides_`
    std::vector<std::uint32_t> sides_;  ///< the other two corners of each triangle, so that it faces outward
};

}  // namespace fascia::embedding
