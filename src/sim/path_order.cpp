#include "sim/path_order.h"

#include <algorithm>

namespace fascia::sim {

namespace {

/// Vertices that are on no path yet, sorted by how many such neighbours they have.
class Unvisited {
public:
    explicit Unvisited(const Links& edges) : edges_(edges), left_(edges.node_count()), taken_(left_.size(), 0) {
        for (std::uint32_t v = 0; v < left_.size(); ++v) {
            left_[v] = std::uint32_t(edges.of(v).size());
            offer(v);
        }
    }
    void take(std::uint32_t v) {
        taken_[v] = 1;
        for (const std::uint32_t w : edges_.of(v)) {
            --left_[w];
            if (!taken_[w]) offer(w);
        }
    }
    /// The vertex with the fewest, or `none`.
    std::uint32_t fewest() {
        for (auto& shelf : shelves_) {
            const auto count = std::uint32_t(&shelf - shelves_.data());
            while (!shelf.empty()) {
                const std::uint32_t v = shelf.back();
                if (!taken_[v] && left_[v] == count) return v;
                shelf.pop_back();  // an outdated entry
            }
        }
        return none;
    }
    std::uint32_t fewest_beside(std::uint32_t v) const {
        std::uint32_t best = none;
        for (const std::uint32_t w : edges_.of(v))
            if (!taken_[w] && (best == none || left_[w] < left_[best])) best = w;
        return best;
    }
    static constexpr std::uint32_t none = 0xffffffffu;

private:
    void offer(std::uint32_t v) {
        if (shelves_.size() <= left_[v]) shelves_.resize(left_[v] + 1);
        shelves_[left_[v]].push_back(v);
    }
    const Links& edges_;
    std::vector<std::uint32_t> left_;
    std::vector<std::uint8_t> taken_;
    std::vector<std::vector<std::uint32_t>> shelves_;
};

void add_runs(std::span<const std::uint32_t> members, std::vector<RecordRun>& out) {
    constexpr std::uint32_t block = RingRuns::block;
    for (std::size_t k = 0; k < members.size();) {
        std::size_t end = k + 1;
        while (end < members.size() && members[end] == members[end - 1] + 1 && members[end] % block != 0) ++end;
        const std::uint32_t begin = RingRuns::record_of(members[k]);
        out.push_back({begin, begin + std::uint32_t(end - k)});
        k = end;
    }
}

}  // namespace

/// [Deul 2013, fig. 2]
std::vector<std::uint32_t> order_along_paths(const Links& edges) {
    std::vector<std::uint32_t> out;
    Unvisited unvisited(edges);
    for (std::uint32_t v = unvisited.fewest(); v != Unvisited::none; v = unvisited.fewest())
        for (; v != Unvisited::none; v = unvisited.fewest_beside(v)) {
            out.push_back(v);
            unvisited.take(v);
        }
    return out;
}

std::vector<std::uint32_t> ring_of(const Links& edges, std::uint32_t vertex, int rings,
                                   std::vector<std::uint32_t>& seen) {
    std::vector<std::uint32_t> out{vertex};
    seen.resize(edges.node_count(), 0xffffffffu);
    seen[vertex] = vertex;
    std::size_t begin = 0;
    for (int ring = 0; ring < rings; ++ring)
        for (const std::size_t end = out.size(); begin < end; ++begin)
            for (const std::uint32_t w : edges.of(out[begin]))
                if (seen[w] != vertex) seen[w] = vertex, out.push_back(w);
    std::sort(out.begin(), out.end());
    return out;
}

RingRuns find_ring_runs(const Links& edges, int rings) {
    RingRuns out;
    out.first.push_back(0);
    std::vector<std::uint32_t> seen;
    for (std::uint32_t v = 0; v < edges.node_count(); ++v) {
        const std::vector<std::uint32_t> members = ring_of(edges, v, rings, seen);
        add_runs(members, out.runs);
        out.first.push_back(std::uint32_t(out.runs.size()));
        out.size.push_back(std::uint32_t(members.size()));
    }
    return out;
}

}  // namespace fascia::sim
