#include <cmath>
#include <cstring>

#include "fascia/measure.h"
#include "measure/index_table.h"

namespace fascia {

namespace {

std::uint32_t bits(float v) {
    v += 0.0f;  // -0 equals +0
    std::uint32_t out;
    std::memcpy(&out, &v, sizeof out);
    return out;
}

std::uint64_t hash_of(Vec3 p) {
    return scramble((std::uint64_t{bits(p.x)} << 32) | bits(p.y)) ^ bits(p.z);
}

}  // namespace

Weld weld_by_position(std::span<const Vec3> positions) {
    Weld weld;
    weld.id.resize(positions.size());
    IndexTable table(positions.size());
    std::vector<Vec3> distinct;
    distinct.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3 p = positions[i];
        // Compared by value: NaN equals nothing, so such a position stays on its own.
        std::uint64_t hash = hash_of(p);
        if (!(p == p)) hash = scramble(i);  // so that many of them do not form one long chain
        weld.id[i] = table.find_or_add(hash, [&](std::uint32_t k) { return distinct[k] == p; });
        if (weld.id[i] == distinct.size()) distinct.push_back(p);
    }
    weld.count = distinct.size();
    return weld;
}

}  // namespace fascia
