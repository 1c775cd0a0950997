#include "embed/fans.h"

#include "fascia/measure.h"

namespace fascia::embedding {

Fans::Fans(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles)
    : corners(triangles.begin(), triangles.end()), first(rest.size() + 1, 0), same_place(rest.size()) {
    const Weld weld = weld_by_position(rest);
    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> head(weld.count, none), last(weld.count, none);
    for (std::uint32_t v = 0; v < rest.size(); ++v) {
        const std::uint32_t place = weld.id[v];
        if (head[place] == none) head[place] = v;
        if (last[place] != none) same_place[last[place]] = v;
        last[place] = same_place[v] = v;
    }
    for (std::uint32_t& corner : corners) {
        corner = head[weld.id[corner]];
        ++first[corner + 1];
    }
    for (std::size_t v = 0; v < rest.size(); ++v) first[v + 1] += first[v];
    around.resize(corners.size());
    std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
    for (std::uint32_t k = 0; k < corners.size(); ++k) around[filled[corners[k]]++] = k;
}

}  // namespace fascia::embedding
