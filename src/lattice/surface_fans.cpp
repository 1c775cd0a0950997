#include "lattice/surface_fans.h"

#include <algorithm>

#include "base/union_find.h"

namespace fascia::lattice {

namespace {

/// A triangle's side that ends at the vertex: the welded vertex at its other end, and the corner it is seen from.
struct Spoke {
    std::uint32_t other, slot, file_vertex;  ///< file_vertex: at the other end
    bool outgoing;                           ///< the triangle's order of corners runs from the vertex to the other end
};

/// Splits the corners at one welded vertex into fans.
class FanFinder {
public:
    FanFinder(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
              std::span<const std::uint32_t> corners)
        : positions_(positions), triangles_(triangles), corners_(corners) {}

    /// slots: the corners (3 t + k) at the vertex, ascending. Calls found(index into slots, leader's index).
    template <class Found>
    void find(std::span<const std::uint32_t> slots, Found&& found) {
        fans_.reset(slots.size());
        gather(slots);
        for (std::size_t first = 0, last = 0; first < spokes_.size(); first = last) {
            while (last < spokes_.size() && spokes_[last].other == spokes_[first].other) ++last;
            join_edge({&spokes_[first], last - first});
        }
        for (std::uint32_t k = 0; k < slots.size(); ++k) found(k, fans_.lead(k));
    }

private:
    void gather(std::span<const std::uint32_t> slots) {
        spokes_.clear();
        for (std::uint32_t k = 0; k < slots.size(); ++k) {
            const std::uint32_t t = slots[k] / 3, c = slots[k] % 3;
            const std::uint32_t next = 3 * t + (c + 1) % 3, last = 3 * t + (c + 2) % 3;
            spokes_.push_back({corners_[next], k, triangles_[next], true});
            spokes_.push_back({corners_[last], k, triangles_[last], false});
        }
        slots_ = slots;
        std::sort(spokes_.begin(), spokes_.end(), [](const Spoke& a, const Spoke& b) {
            return a.other != b.other ? a.other < b.other
                   : a.slot != b.slot ? a.slot < b.slot
                                      : a.outgoing < b.outgoing;
        });
    }

    void join_edge(std::span<Spoke> edge) {
        if (edge.size() <= 3) {  // three: a sheet standing on a surface
            for (std::size_t k = 1; k < edge.size(); ++k) fans_.join(edge[k].slot, edge[0].slot);
            return;
        }
        std::vector<std::uint8_t> taken(edge.size(), 0);
        const auto pair = [&](std::size_t i, std::size_t j) {
            fans_.join(edge[i].slot, edge[j].slot);
            taken[i] = taken[j] = 1;
        };
        const auto same_file_edge = [&](const Spoke& a, const Spoke& b) {
            return a.file_vertex == b.file_vertex && triangles_[slots_[a.slot]] == triangles_[slots_[b.slot]];
        };
        for (std::size_t i = 0; i < edge.size(); ++i)
            for (std::size_t j = i + 1; j < edge.size() && !taken[i]; ++j)
                if (!taken[j] && edge[i].outgoing != edge[j].outgoing && same_file_edge(edge[i], edge[j])) pair(i, j);
        for (std::size_t i = 0; i < edge.size(); ++i) {
            std::size_t best = i;
            for (std::size_t j = i + 1; j < edge.size() && !taken[i]; ++j)
                if (!taken[j] && edge[i].outgoing != edge[j].outgoing &&
                    (best == i || straightness(edge[i], edge[j]) > straightness(edge[i], edge[best])))
                    best = j;
            if (best != i) pair(i, best);
        }
        for (std::size_t k = 0; k < edge.size(); ++k)
            if (!taken[k]) fans_.join(edge[k].slot, edge[0].slot);  // it is unclear where it belongs
    }

    double straightness(const Spoke& a, const Spoke& b) const { return dot(normal(a.slot), normal(b.slot)); }
    Vec3d normal(std::uint32_t slot) const {
        const std::uint32_t* c = &triangles_[slots_[slot] / 3 * 3];
        const Vec3d a = to_double(positions_[c[0]]);
        const Vec3d n = cross(to_double(positions_[c[1]]) - a, to_double(positions_[c[2]]) - a);
        const double l = length(n);
        return l > 0 ? n * (1 / l) : Vec3d{};
    }

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_, corners_;
    std::span<const std::uint32_t> slots_;
    std::vector<Spoke> spokes_;
    UnionFind fans_;  ///< of the slots at one vertex
};

/// For each of `count` things, the list of what refers to it, ascending.
struct Lists {
    std::vector<std::uint32_t> first, items;

    Lists(std::span<const std::uint32_t> of_item, std::size_t count) : first(count + 1, 0), items(of_item.size()) {
        for (const std::uint32_t thing : of_item) ++first[thing + 1];
        for (std::size_t k = 0; k < count; ++k) first[k + 1] += first[k];
        std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
        for (std::uint32_t k = 0; k < of_item.size(); ++k) items[at[of_item[k]]++] = k;
    }
};

void find_pieces(SurfaceFans& fans) {
    constexpr std::uint32_t none = 0xffffffffu;
    fans.piece.assign(fans.of_corner.size() / 3, none);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t start = 0; start < fans.piece.size(); ++start) {
        if (fans.piece[start] != none) continue;
        const auto piece = std::uint32_t(fans.piece_count++);
        queue.assign(1, start);
        fans.piece[start] = piece;
        while (!queue.empty()) {
            const std::uint32_t t = queue.back();
            queue.pop_back();
            for (std::uint32_t slot = 3 * t; slot < 3 * t + 3; ++slot)
                for (const std::uint32_t next : fans.around(fans.of_corner[slot]))
                    if (fans.piece[next] == none) fans.piece[next] = piece, queue.push_back(next);
        }
    }
}

}  // namespace

SurfaceFans find_fans(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                      std::span<const std::uint32_t> corners) {
    SurfaceFans out;
    out.of_corner.resize(corners.size());
    const std::size_t vertices = corners.empty() ? 0 : *std::max_element(corners.begin(), corners.end()) + 1u;
    const Lists at_vertex(corners, vertices);
    FanFinder finder(positions, triangles, corners);
    std::uint32_t fans = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        const std::span<const std::uint32_t> slots(at_vertex.items.data() + at_vertex.first[v],
                                                   at_vertex.first[v + 1] - at_vertex.first[v]);
        finder.find(slots, [&](std::uint32_t k, std::uint32_t leader) {
            out.of_corner[slots[k]] = leader == k ? fans++ : out.of_corner[slots[leader]];
        });
    }
    Lists around(out.of_corner, fans);
    out.first = std::move(around.first);
    out.triangles = std::move(around.items);
    for (std::uint32_t& t : out.triangles) t /= 3;
    find_pieces(out);
    return out;
}

}  // namespace fascia::lattice
