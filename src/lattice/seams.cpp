#include "lattice/seams.h"

#include <numeric>

namespace fascia::lattice {

namespace {

/// Particles at one place to be merged; the one that most cells share represents them.
class SamePlaces {
public:
    explicit SamePlaces(const CornerLattice& corners) : corners_(corners), leader_(corners.size()) {
        std::iota(leader_.begin(), leader_.end(), 0u);
    }

    std::uint32_t lead(std::uint32_t p) {
        while (leader_[p] != p) p = leader_[p] = leader_[leader_[p]];
        return p;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = lead(a), b = lead(b);
        if (a == b) return;
        const int cells_a = cells_around(a), cells_b = cells_around(b);
        const bool first = cells_a != cells_b ? cells_a > cells_b : a < b;
        leader_[first ? b : a] = first ? a : b;
    }

private:
    int cells_around(std::uint32_t p) const {
        int count = 0;
        for (std::size_t k = 8 * std::size_t(p); k < 8 * std::size_t(p) + 8; ++k)
            count += corners_.octants[k] != no_cell;
        return count;
    }

    const CornerLattice& corners_;
    std::vector<std::uint32_t> leader_;
};

}  // namespace

std::vector<std::uint32_t> without_seams(const CornerLattice& corners, std::span<const std::uint32_t> homes,
                                         std::span<const std::uint32_t> triangles) {
    SamePlaces same(corners);
    const auto join_cells = [&](std::uint32_t a, std::uint32_t b) {
        for (std::size_t i = 8 * std::size_t(a); i < 8 * std::size_t(a) + 8; ++i)
            for (std::size_t k = 8 * std::size_t(b); k < 8 * std::size_t(b) + 8; ++k)
                if (corners.places[corners.of_cell[i]] == corners.places[corners.of_cell[k]])
                    same.join(corners.of_cell[i], corners.of_cell[k]);
    };
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const std::uint32_t a = homes[triangles[t]], b = homes[triangles[t % 3 == 2 ? t - 2 : t + 1]];
        if (a != b) join_cells(a, b);
    }
    std::vector<std::uint32_t> out(corners.size());
    for (std::uint32_t p = 0; p < out.size(); ++p) out[p] = same.lead(p);
    return out;
}

}  // namespace fascia::lattice
