#include "body/opened_overlaps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "base/box.h"
#include "base/distinct.h"
#include "base/number_text.h"
#include "body/body_of.h"
#include "body/body_shells.h"
#include "fascia/measure.h"
#include "lattice/nearest.h"
#include "lattice/overlaps.h"
#include "lattice/point_tree.h"
#include "lattice/surface_fans.h"
#include "lattice/winding.h"

namespace fascia {

namespace {

/// As shares of the size: walls that overlap less only touch; walls that overlap more are not pushed out.
constexpr double shallowest = 1e-4, deepest = 0.06;
constexpr double clearance = 1e-3;  ///< of the size, kept between opened walls
constexpr int rays_along = 64;      ///< along the longest side, to look for overlaps
constexpr int passes = 8;
constexpr double farthest = 0.045;  ///< of the size: if walls had to move more, the body is left as it is
constexpr double shortest = 0.1;    ///< of the size: shorter walls do not count
constexpr int rings = 12;           ///< of triangles that move along with a wall
constexpr double along = 0.95;      ///< of the movement of the ring before
constexpr int rounds = 12;          ///< curved walls need several to meet in the middle
constexpr double opposite = -0.3;   ///< cosine: walls that have passed through one another face away from each other

class OverlapOpener {
public:
    OverlapOpener(const Mesh& mesh, const BodyShells& shells, const lattice::SurfaceFans& fans, double size)
        : mesh_(mesh), shells_(shells), fans_(fans), size_(size), place_(fans.size()) {
        for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
            place_[fans.of_corner[k]] = to_double(mesh.positions[mesh.triangles[k]]);
    }

    /// pierced: [triangles] where a ray enters flesh a second time, or leaves one of two.
    /// Walls shorter than `least` are a crease, an ear or a lip, where nothing needs to come apart.
    std::vector<Vec3> open(const std::vector<std::uint8_t>& pierced, double least) {
        find_walls(pierced, least);
        find_around();
        for (int round = 0; round < rounds; ++round) give_way();
        std::vector<std::uint8_t> moved(fans_.size(), 0);
        for (const std::uint32_t fan : around_) moved[fan] = 1;
        std::vector<Vec3> out = mesh_.positions;
        for (std::size_t k = 0; k < mesh_.triangles.size(); ++k)
            if (moved[fans_.of_corner[k]]) out[mesh_.triangles[k]] = to_float(place_[fans_.of_corner[k]]);
        return out;
    }

private:
    Vec3d corner(std::size_t t, int k) const { return place_[fans_.of_corner[3 * t + std::size_t(k)]]; }
    Vec3d middle(std::size_t t) const { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3); }
    Vec3d area(std::size_t t) const {
        const Vec3d a = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
        return shells_.shell[t] < 0 ? a * -1 : a;
    }
    static Vec3d unit(Vec3d v) {
        const double l = length(v);
        return l > 0 ? v * (1 / l) : Vec3d{};
    }

    /// Finds triangles with flesh of their own piece on both sides, growing from the pierced ones.
    void find_walls(const std::vector<std::uint8_t>& pierced, double least) {
        std::vector<std::uint8_t> asked(pierced.size(), 0);
        const auto ask = [&](std::uint32_t t) {
            if (asked[t]) return;
            asked[t] = 1;
            if (pierced[t] || lies_in_flesh(t)) walls_.push_back(t);
        };
        for (std::uint32_t t = 0; t < pierced.size(); ++t) {
            const std::size_t first = walls_.size();
            if (pierced[t]) ask(t);
            Box box;
            for (std::size_t k = first; k < walls_.size(); ++k)
                for (std::size_t c = 3 * std::size_t(walls_[k]); c < 3 * std::size_t(walls_[k]) + 3; ++c) {
                    box.add(place_[fans_.of_corner[c]]);
                    for (const std::uint32_t next : fans_.around(fans_.of_corner[c])) ask(next);
                }
            if (walls_.size() > first && length(box.high - box.low) < least) walls_.resize(first);
        }
        std::sort(walls_.begin(), walls_.end());
        for (const std::uint32_t t : walls_)
            for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                yielding_.push_back(fans_.of_corner[k]);
        keep_distinct(yielding_);
    }

    bool lies_in_flesh(std::uint32_t t) {
        const std::uint32_t piece = fans_.piece[t];
        auto& field = fields_[piece];
        if (!field) {
            std::vector<std::uint32_t> corners;
            for (std::size_t k = 0; k < mesh_.triangles.size(); ++k)
                if (fans_.piece[k / 3] == piece) corners.push_back(mesh_.triangles[k]);
            field = std::make_unique<lattice::WindingField>(mesh_.positions, corners);
        }
        const double behind = field->at(middle(t) - unit(area(t)) * (shallowest * size_));
        return (shells_.shell[t] < 0 ? -behind : behind) > 1.5;
    }

    /// One round: each corner of a wall moves half of the way out of the wall that it has passed.
    void give_way() {
        std::vector<Vec3d> middles, out(yielding_.size()), facing(fans_.size());
        double radius = 0;
        for (const std::uint32_t t : walls_) {
            middles.push_back(middle(t));
            for (int k = 0; k < 3; ++k) {
                radius = std::max(radius, length(corner(t, k) - middles.back()));
                facing[fans_.of_corner[3 * std::size_t(t) + std::size_t(k)]] += area(t);
            }
        }
        const lattice::PointTree tree(middles);
        const double reach = deepest * size_ + radius;
        for (std::size_t f = 0; f < yielding_.size(); ++f) {
            const std::uint32_t fan = yielding_[f], piece = fans_.piece[fans_.around(fan)[0]];
            const Vec3d p = place_[fan], n = unit(facing[fan]);
            double least = deepest * size_;
            tree.within(p, reach * reach, [&](std::size_t k) {
                const std::uint32_t t = walls_[k];
                const Vec3d wall = unit(area(t));
                if (!(dot(wall, n) < opposite) || fans_.piece[t] != piece) return;
                const Vec3d q = lattice::nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2));
                const double apart = length(q - p), depth = dot(q - p, wall) + clearance * size_;
                if (apart >= least) return;
                least = apart;
                out[f] = depth > 0 ? wall * depth : Vec3d{};
            });
        }
        std::vector<Vec3d> asked(fans_.size());
        for (std::size_t f = 0; f < yielding_.size(); ++f) asked[yielding_[f]] = out[f] * 0.5;
        take_along(asked);
    }

    /// The surroundings of a wall move along with it, less with distance: thin parts move aside instead of being
    /// crushed, and neighbours do not fold over one another.
    void take_along(const std::vector<Vec3d>& asked) {
        std::vector<Vec3d> move = asked, next = asked;
        for (int ring = 0; ring < rings; ++ring) {
            for (const std::uint32_t fan : around_) {
                Vec3d sum;
                double count = 0;
                for (const std::uint32_t t : fans_.around(fan))
                    for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                        if (fans_.of_corner[k] != fan) sum += move[fans_.of_corner[k]], ++count;
                const Vec3d mean = count > 0 ? sum * (1 / count) : Vec3d{};
                const bool is_asked = dot(asked[fan], asked[fan]) > 0;
                next[fan] = is_asked ? (asked[fan] + mean) * 0.5 : mean * along;
            }
            move.swap(next);
        }
        for (const std::uint32_t fan : around_) place_[fan] += move[fan];
    }

    /// Fans within a few rings of the walls.
    void find_around() {
        std::vector<std::uint8_t> found(fans_.size(), 0);
        around_ = yielding_;
        for (const std::uint32_t fan : around_) found[fan] = 1;
        std::size_t first = 0;
        for (int ring = 0; ring < rings; ++ring)
            for (const std::size_t last = around_.size(); first < last; ++first)
                for (const std::uint32_t t : fans_.around(around_[first]))
                    for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                        if (const std::uint32_t fan = fans_.of_corner[k]; !found[fan])
                            found[fan] = 1, around_.push_back(fan);
    }

    const Mesh& mesh_;
    const BodyShells& shells_;
    const lattice::SurfaceFans& fans_;
    double size_;
    std::vector<Vec3d> place_;             ///< [fans]
    std::vector<std::uint32_t> walls_;     ///< triangles with flesh on both sides, ascending
    std::vector<std::uint32_t> yielding_;  ///< fans at their corners, ascending
    std::vector<std::uint32_t> around_;    ///< these, and the fans that move along
    std::map<std::uint32_t, std::unique_ptr<lattice::WindingField>> fields_;  ///< of pieces
};

}  // namespace

std::optional<Character> with_overlaps_opened(const Character& character) {
    const Mesh& mesh = character.mesh;
    const double size = character.size();
    if (!(size > 0) || mesh.triangles.empty()) return {};
    const Weld weld = weld_by_position(mesh.positions);
    std::vector<std::uint32_t> corners(mesh.triangles.size());
    for (std::size_t k = 0; k < corners.size(); ++k) corners[k] = weld.id[mesh.triangles[k]];
    const lattice::SurfaceFans fans = lattice::find_fans(mesh.positions, mesh.triangles, corners);
    const auto pierced_in = [&](const Mesh& shape) {
        return lattice::overlapped_triangles(shape.positions, shape.triangles, fans.piece,
                                             {size / rays_along, shallowest * size});
    };
    const auto any = [](const std::vector<std::uint8_t>& pierced) {
        return std::find(pierced.begin(), pierced.end(), 1) != pierced.end();
    };
    std::vector<std::uint8_t> pierced = pierced_in(mesh);
    if (!any(pierced)) return {};
    const BodyShells shells = find_body_shells(mesh, find_components(mesh.triangles, weld));
    Character out = body_of(character);
    out.mesh.positions = OverlapOpener(mesh, shells, fans, size).open(pierced, shortest * size);
    if (out.mesh.positions == mesh.positions) return {};
    // Walls that gave way may have run into something else.
    for (int pass = 1; pass < passes; ++pass) {
        pierced = pierced_in(out.mesh);
        for (std::size_t t = 0; t < pierced.size(); ++t) {
            const std::uint32_t* c = &mesh.triangles[3 * t];
            const auto moved = [&](std::uint32_t v) { return !(out.mesh.positions[v] == mesh.positions[v]); };
            if (!moved(c[0]) && !moved(c[1]) && !moved(c[2])) pierced[t] = 0;
        }
        if (!any(pierced)) break;
        out.mesh.positions = OverlapOpener(out.mesh, shells, fans, size).open(pierced, 0);
    }
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
        if (!(length(to_double(out.mesh.positions[v]) - to_double(mesh.positions[v])) < farthest * size)) return {};
    return out;
}

void warn_of_overlaps(const Character& given, const Character& opened, std::vector<std::string>& warnings) {
    // A vertex counts for the joint that it follows most.
    std::map<std::uint16_t, std::size_t> moved;
    double most = 0;
    const auto slots = std::size_t(given.weights.influences);
    for (std::size_t v = 0; v < given.mesh.vertex_count() && slots > 0; ++v) {
        const double away = length(to_double(opened.mesh.positions[v]) - to_double(given.mesh.positions[v]));
        if (away < clearance * given.size()) continue;
        most = std::max(most, away);
        const auto first = given.weights.weights.begin() + std::ptrdiff_t(v * slots);
        const auto slot = std::max_element(first, first + std::ptrdiff_t(slots)) - given.weights.weights.begin();
        ++moved[given.weights.joints[std::size_t(slot)]];
    }
    if (moved.empty()) return;
    std::vector<std::pair<std::size_t, std::uint16_t>> parts;
    for (const auto& [joint, count] : moved) parts.emplace_back(count, joint);
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(parts.size(), 4); ++k)
        names += (k > 0 ? ", '" : "'") + given.joints[parts[k].second].name + "'";
    warnings.push_back("flesh overlaps other flesh at rest, around " + names + (parts.size() > 4 ? " and others" : "") +
                       ": to part it, its walls give way by up to " + number_text(100 * most / given.size(), 2) +
                       " % of the size; bind the body in a pose in which nothing overlaps to avoid that");
}

}  // namespace fascia
