#include "fascia/character.h"

#include <algorithm>

namespace fascia {

double Character::size() const {
    if (mesh.positions.empty()) return 0;
    Vec3 low = mesh.positions.front(), high = low;
    for (const Vec3& p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3d side = to_double(high) - to_double(low);
    return std::max({side.x, side.y, side.z});
}

}  // namespace fascia
