#include "lattice/layers.h"

#include <algorithm>
#include <cmath>

#include "lattice/segment_box.h"

namespace fascia::lattice {

namespace {

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double l2 = dot(along, along);
    const double t = l2 > 0 ? std::clamp(dot(p - a, along) / l2, 0.0, 1.0) : 0.0;
    return length(p - (a + along * t));
}

/// A node is outermost if some face has no neighbour.
bool is_outermost(const Tissue& tissue, std::size_t node) {
    for (int d = 0; d < 6; ++d)
        if (tissue.through(node, d).empty()) return true;
    return false;
}

/// Breadth-first from all bones at once; of parts that arrive in the same step the one with the lowest number wins.
struct NearestPart {
    std::vector<std::int32_t> steps;
    std::vector<std::uint16_t> part;
};

NearestPart nearest_part(const Tissue& tissue, std::span<const Bone> bones,
                         const std::vector<std::vector<std::uint32_t>>& cores) {
    constexpr std::uint16_t none = 0xffff;
    NearestPart out;
    out.steps.assign(tissue.size(), -1);
    out.part.assign(tissue.size(), none);
    std::vector<std::uint32_t> front, next;
    for (std::size_t b = 0; b < bones.size(); ++b)
        for (const std::uint32_t n : cores[b]) {
            if (out.steps[n] < 0) front.push_back(n);
            out.steps[n] = 0;
            out.part[n] = std::min(out.part[n], bones[b].part);
        }
    for (std::int32_t level = 1; !front.empty(); ++level) {
        next.clear();
        for (const std::uint32_t n : front)
            for (std::uint32_t k = tissue.link_first[n * 6]; k < tissue.link_first[n * 6 + 6]; ++k) {
                const std::uint32_t m = tissue.links[k];
                if (out.steps[m] < 0) out.steps[m] = level, next.push_back(m);
                if (out.steps[m] == level) out.part[m] = std::min(out.part[m], out.part[n]);
            }
        front.swap(next);
    }
    return out;
}

/// The flesh layer at the share t of the distance from bone to skin.
std::uint8_t flesh_layer_at(double t, const LayerPlan& plan, double muscle) {
    if (plan.flesh_layers <= 1) return 1;
    double rest = 0;
    for (int k = 1; k < plan.flesh_layers; ++k) rest += plan.shares[k];
    double end = muscle;
    for (int k = 1; k < plan.flesh_layers; ++k) {
        if (t <= end) return std::uint8_t(k);
        end += (1 - muscle) * (rest > 0 ? plan.shares[k] / rest : 1.0 / (plan.flesh_layers - 1));
    }
    return std::uint8_t(plan.flesh_layers);
}

}  // namespace

std::vector<std::int32_t> steps_from(const Tissue& tissue, std::span<const std::uint32_t> sources) {
    std::vector<std::int32_t> steps(tissue.size(), -1);
    std::vector<std::uint32_t> queue;
    queue.reserve(tissue.size());
    for (const std::uint32_t n : sources)
        if (steps[n] < 0) steps[n] = 0, queue.push_back(n);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const std::uint32_t n = queue[k];
        for (std::uint32_t l = tissue.link_first[n * 6]; l < tissue.link_first[n * 6 + 6]; ++l) {
            const std::uint32_t m = tissue.links[l];
            if (steps[m] < 0) steps[m] = steps[n] + 1, queue.push_back(m);
        }
    }
    return steps;
}

std::vector<std::vector<std::uint32_t>> find_cores(const Grid& grid, const Tissue& tissue,
                                                   std::span<const Bone> bones) {
    const NodeIndex index(grid, tissue.cells);
    std::vector<std::vector<std::uint32_t>> cores(bones.size());
    // A bone that runs between cells, as in every symmetric body, belongs to all of them, so that rounding does not
    // decide.
    const double half = grid.h * (0.5 + 1e-5);
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const Cell p = grid.cell_at(bones[b].a), q = grid.cell_at(bones[b].b);
        for (int z = std::min(p.z, q.z) - 1; z <= std::max(p.z, q.z) + 1; ++z)
            for (int y = std::min(p.y, q.y) - 1; y <= std::max(p.y, q.y) + 1; ++y)
                for (int x = std::min(p.x, q.x) - 1; x <= std::max(p.x, q.x) + 1; ++x) {
                    const auto [first, last] = index.at({x, y, z});
                    if (first == last || !segment_cuts_box(bones[b].a, bones[b].b, grid.center({x, y, z}), half))
                        continue;
                    for (std::uint32_t n = first; n < last; ++n) cores[b].push_back(n);
                }
        if (!cores[b].empty()) continue;
        std::uint32_t best = 0;
        double best_distance = 1e300;
        for (std::uint32_t n = 0; n < tissue.size(); ++n) {
            const double d = distance_to_segment(grid.center(tissue.cells[n]), bones[b].a, bones[b].b);
            if (d < best_distance) best_distance = d, best = n;
        }
        if (tissue.size() > 0) cores[b].push_back(best);
    }
    return cores;
}

Layers find_layers(const Grid& grid, const Tissue& tissue, std::span<const Bone> bones, const LayerPlan& plan) {
    const std::size_t n = tissue.size();
    const auto cores = find_cores(grid, tissue, bones);
    const NearestPart nearest = nearest_part(tissue, bones, cores);

    Layers out;
    constexpr std::uint8_t unset = 255;
    const std::uint8_t skin = std::uint8_t(plan.flesh_layers + 1);
    out.part = nearest.part;
    out.to_core = nearest.steps;
    out.layer.assign(n, unset);
    out.core.assign(n, 0);
    std::vector<std::uint32_t> outermost, bone;
    for (std::uint32_t i = 0; i < n; ++i) {
        const bool outer = is_outermost(tissue, i);
        if (outer) outermost.push_back(i);
        out.core[i] = nearest.steps[i] == 0;
        if (nearest.steps[i] < 0) {
            out.layer[i] = bone_layer;
            out.part[i] = 0;
            out.boneless.push_back(i);
            continue;
        }
        // A bone's own cells first, so that thin limbs keep a driver; then the skin, so that it stays closed.
        const double width = plan.parts[out.part[i]].bone_width;
        if (out.core[i]) {
            out.layer[i] = bone_layer;
        } else if (outer && plan.skin) {
            out.layer[i] = skin;
        } else if (nearest.steps[i] <= std::floor(width / grid.h + 0.5)) {
            out.layer[i] = bone_layer;
        }
        if (out.layer[i] == bone_layer) bone.push_back(i);
    }
    out.to_bone = steps_from(tissue, bone);
    out.to_skin = steps_from(tissue, outermost);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (out.layer[i] != unset) continue;
        const double a = out.to_bone[i], s = out.to_skin[i];
        out.layer[i] = flesh_layer_at(a + s > 0 ? a / (a + s) : 0, plan, plan.parts[out.part[i]].muscle);
    }
    return out;
}

namespace {

/// Distance to the nearest place outside, through the 26 directions of a block with lengths 3, 4, 5 (thirds of a cell,
/// within 7 % of the Euclidean distance). Buckets instead of a heap.
std::vector<std::int32_t> chamfer_depth(const Tissue& tissue) {
    const std::size_t n = tissue.size();
    std::vector<std::int32_t> depth(n, -1);
    std::vector<std::vector<std::uint32_t>> buckets(2);
    for (std::uint32_t i = 0; i < n; ++i)
        if (is_outermost(tissue, i)) depth[i] = 0, buckets[0].push_back(i);
    for (std::size_t d = 0; d < buckets.size(); ++d)
        for (std::size_t k = 0; k < buckets[d].size(); ++k) {
            const std::uint32_t i = buckets[d][k];
            if (depth[i] != std::int32_t(d)) continue;
            for (int place = 0; place < 27; ++place) {
                const std::int32_t j = tissue.neighbours[std::size_t(i) * 27 + place];
                if (j < 0 || place == 13) continue;
                const int axes = (place % 3 != 1) + (place / 3 % 3 != 1) + (place / 9 != 1);
                const std::int32_t reached = std::int32_t(d) + 2 + axes;
                if (depth[j] >= 0 && depth[j] <= reached) continue;
                depth[j] = reached;
                if (buckets.size() <= std::size_t(reached)) buckets.resize(reached + 1);
                buckets[reached].push_back(std::uint32_t(j));
            }
        }
    return depth;
}

std::size_t distance2(Cell a, Cell b) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return std::size_t(dx * dx + dy * dy + dz * dz);
}

/// Paints the balls of one radius around some nodes, all at once and from the centres outwards: a node is visited about
/// once, whereas painting ball by ball would visit thick parts once per ball.
class BallPainter {
public:
    explicit BallPainter(const Tissue& tissue)
        : tissue_(tissue), center_(tissue.size(), 0), away2_(tissue.size(), unreached) {}

    /// Calls visit(node, distance to the nearest centre) for all nodes that lie in a ball and are linked to its centre.
    template <class Visit>
    void paint(std::span<const std::uint32_t> centers, double radius, Visit&& visit) {
        const std::size_t most2 = std::size_t(radius * radius);
        rings_.resize(std::max(rings_.size(), most2 + 1));
        for (const std::uint32_t c : centers) reach(c, c, 0);
        for (std::size_t away2 = 0; away2 <= most2; ++away2)
            for (std::size_t k = 0; k < rings_[away2].size(); ++k) {
                const std::uint32_t i = rings_[away2][k], center = center_[i];
                if (away2_[i] != away2) continue;  // reached again, from a nearer centre
                visit(i, std::sqrt(double(away2)));
                for (std::uint32_t l = tissue_.link_first[i * 6]; l < tissue_.link_first[i * 6 + 6]; ++l) {
                    const std::uint32_t j = tissue_.links[l];
                    const std::size_t next2 = distance2(tissue_.cells[j], tissue_.cells[center]);
                    if (next2 <= most2 && next2 < away2_[j]) reach(j, center, next2);
                }
            }
        for (auto& ring : rings_) {
            for (const std::uint32_t i : ring) away2_[i] = unreached;
            ring.clear();
        }
    }

private:
    static constexpr std::uint32_t unreached = 0xffffffffu;

    void reach(std::uint32_t i, std::uint32_t center, std::size_t away2) {
        center_[i] = center;
        away2_[i] = std::uint32_t(away2);
        rings_[away2].push_back(i);
    }

    const Tissue& tissue_;
    std::vector<std::uint32_t> center_, away2_;
    std::vector<std::vector<std::uint32_t>> rings_;  ///< nodes by the square of their distance
};

/// Rounds large depths down, by a sixteenth at most, which keeps the number of distinct ones small.
std::int32_t rounded_down(std::int32_t depth) {
    std::int32_t step = 1;
    while (depth >= 32 * step) step *= 2;
    return depth - depth % step;
}

/// How far a ball may protrude from larger ones, in cells, before it is painted as well; 0 for small balls.
double overhang(double radius) {
    return std::max(0.0, radius / 8 - 2);
}

}  // namespace

std::vector<float> inscribed_radius(const Grid& grid, const Tissue& tissue) {
    const std::size_t n = tissue.size();
    const std::vector<std::int32_t> depth = chamfer_depth(tissue);
    const auto radius = [&](std::uint32_t i) { return rounded_down(std::max(depth[i], 0)) / 3.0 + 0.5; };

    // Balls that no neighbouring ball contains, largest first.
    std::vector<std::uint32_t> centers;
    for (std::uint32_t i = 0; i < n; ++i) {
        bool contained = false;
        for (int place = 0; place < 27 && !contained; ++place) {
            const std::int32_t j = tissue.neighbours[std::size_t(i) * 27 + place];
            const int axes = (place % 3 != 1) + (place / 3 % 3 != 1) + (place / 9 != 1);
            contained = j >= 0 && place != 13 && depth[j] >= depth[i] + 2 + axes;
        }
        if (!contained) centers.push_back(i);
    }
    std::stable_sort(centers.begin(), centers.end(), [&](auto a, auto b) { return depth[a] > depth[b]; });

    // A ball that hardly protrudes from painted ones adds nothing. room: the largest ball around a node inside those.
    std::vector<float> out(n, 0), room(n, 0);
    BallPainter painter(tissue);
    std::vector<std::uint32_t> same;
    for (std::size_t first = 0, last = 0; first < centers.size(); first = last) {
        const double r = radius(centers[first]);
        same.clear();
        for (; last < centers.size() && radius(centers[last]) == r; ++last)
            if (r > room[centers[last]] + overhang(r)) same.push_back(centers[last]);
        painter.paint(same, r, [&](std::uint32_t i, double away) {
            out[i] = std::max(out[i], float(r * grid.h));
            room[i] = std::max(room[i], float(r - away));
        });
    }
    return out;
}

void smooth(const Grid& grid, const Tissue& tissue, double reach, std::span<float> values) {
    // n averages over three cells spread like one box of width w with w^2 / 12 = n * 2 / 3.
    const double width = 2 * reach / grid.h + 1;
    const int rounds = std::max(1, int(std::floor(width * width / 8 + 0.5)));
    std::vector<float> last(values.size());
    for (int round = 0; round < rounds; ++round) {
        std::copy(values.begin(), values.end(), last.begin());
        for (std::size_t i = 0; i < values.size(); ++i) {
            float sum = 0;
            int count = 0;
            for (int place = 0; place < 27; ++place) {
                const std::int32_t j = tissue.neighbours[i * 27 + place];
                if (j >= 0) sum += last[j], ++count;
            }
            values[i] = sum / float(count);
        }
    }
}

}  // namespace fascia::lattice
