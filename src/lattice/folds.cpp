#include "lattice/folds.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "lattice/nearest.h"
#include "lattice/winding.h"

namespace fascia::lattice {

namespace {

constexpr double squarely = 0.3;   ///< cosine: surfaces that merely pass one another do not face one another
constexpr double as_near = 1.02;   ///< of a squared distance
constexpr double touching = 1e-4;  ///< of a cell: at a smaller distance the way from one to the other has no direction
constexpr double outside = 0.02;   ///< of a cell: how far outside a surface to check what is in front of it

/// Where a segment meets a triangle, 0..1 along the way from a to b; negative if it does not.
double crossing(Vec3d a, Vec3d b, Vec3d p, Vec3d q, Vec3d r) {
    const Vec3d along = b - a, e = q - p, f = r - p, normal = cross(e, f);
    const double slope = dot(along, normal);
    if (!(std::abs(slope) > 0)) return -1;
    const double t = dot(p - a, normal) / slope;
    if (!(t >= 0 && t <= 1)) return -1;
    const Vec3d w = cross(along, p - a);
    const double u = dot(f, w) / slope, v = -dot(e, w) / slope;
    return u < 0 || v < 0 || u + v > 1 ? -1 : t;
}

bool holds(std::span<const std::uint32_t> sorted, std::uint32_t t) {
    return std::binary_search(sorted.begin(), sorted.end(), t);
}

}  // namespace

Folds::Folds(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
             std::span<const std::int32_t> shell, std::span<const std::int32_t> body,
             std::span<const std::uint32_t> piece, double h)
    : positions_(positions),
      triangles_(triangles),
      shell_(shell.begin(), shell.end()),
      body_(body.empty() ? shell_ : std::vector<std::int32_t>(body.begin(), body.end())),
      piece_(piece),
      h_(h) {
    if (known()) distrust_turned_pieces();
}
Folds::~Folds() = default;

/// Pieces that only touch count as one shell, but one of them may be inside out.
void Folds::distrust_turned_pieces() {
    std::size_t count = 0;
    for (const std::uint32_t p : piece_) count = std::max<std::size_t>(count, p + 1u);
    std::vector<Vec3d> start(count);
    std::vector<double> volume(count, 0);
    std::vector<std::int32_t> first(count, 0);
    std::map<std::int32_t, std::uint32_t> pieces_of_shell;
    for (std::uint32_t t = 0; t < shell_.size(); ++t) {
        const std::uint32_t p = piece_[t];
        if (first[p] == 0) first[p] = shell_[t], start[p] = corner(t, 0), ++pieces_of_shell[shell_[t]];
        volume[p] += dot(corner(t, 0) - start[p], cross(corner(t, 1) - start[p], corner(t, 2) - start[p]));
    }
    for (std::uint32_t t = 0; t < shell_.size(); ++t)
        if (pieces_of_shell[shell_[t]] > 1 && volume[piece_[t]] * shell_[t] < 0) shell_[t] = body_[t] = 0;
}

Vec3d Folds::nearest(std::uint32_t t, Vec3d place) const {
    ++looks_;
    return nearest_on_triangle(place, corner(t, 0), corner(t, 1), corner(t, 2));
}

Vec3d Folds::outward(std::uint32_t t) const {
    const Vec3d normal = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
    const double l = length(normal);
    return l > 0 ? normal * ((shell_[t] > 0 ? 1 : -1) / l) : Vec3d{};
}

void Folds::look(Vec3d place, Patch& patch) const {
    if (!patch.near.empty()) return;
    patch.near.reserve(patch.triangles.size());
    for (const std::uint32_t t : patch.triangles) patch.near.push_back({nearest(t, place), outward(t)});
}

bool Folds::comparable(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
    if (!known()) return false;
    std::vector<std::int32_t> asked;
    std::int32_t last = 0;
    for (const std::uint32_t s : a) {
        if (body_[s] == last) continue;  // most lists are of one body
        last = body_[s];
        if (std::find(asked.begin(), asked.end(), last) != asked.end()) continue;
        if (std::any_of(b.begin(), b.end(), [&](std::uint32_t t) { return body_[t] == last; })) return true;
        asked.push_back(last);
    }
    return false;
}

/// Calls visit(a, b, squared distance) for the pairs of near places that decide: all that are as near as the nearest
/// pair, or touch, in no particular order. Returns the distance of the nearest. Two large patches have too many pairs
/// to check each.
template <class Visit>
double Folds::nearest_pairs(Patch& a, Patch& b, Visit&& visit) const {
    constexpr std::size_t few = 4096;
    const auto distance2 = [&](std::size_t i, std::size_t j) {
        const Vec3d across = b.near[j].point - a.near[i].point;
        return dot(across, across);
    };
    double least = 1e300;
    if (a.near.size() * b.near.size() <= few) {
        for (std::size_t i = 0; i < a.near.size(); ++i)
            for (std::size_t j = 0; j < b.near.size(); ++j) {
                const double l2 = distance2(i, j);
                least = std::min(least, l2);
                visit(i, j, l2);
            }
        looks_ += a.near.size() * b.near.size();
        return least;
    }
    const bool turned = a.near.size() > b.near.size();
    Patch &small = turned ? b : a, &large = turned ? a : b;
    if (!large.tree) {
        std::vector<Vec3d> places;
        for (const Near& t : large.near) places.push_back(t.point);
        large.tree.emplace(places);
    }
    looks_ += 2 * small.near.size();
    for (const Near& s : small.near) least = large.tree->nearest(s.point, least);
    const double reach = std::max(least * as_near, touching * touching * h_ * h_);
    for (std::size_t k = 0; k < small.near.size(); ++k)
        large.tree->within(small.near[k].point, reach, [&](std::size_t l) {
            const std::size_t i = turned ? l : k, j = turned ? k : l;
            visit(i, j, distance2(i, j));
        });
    return least;
}

Between Folds::between(Patch& a, Patch& b, Vec3d place, std::span<const std::uint32_t> around) const {
    const std::uint32_t first_a = a.triangles[0], first_b = b.triangles[0];
    if (!known() || shell_[first_a] == 0 || body_[first_a] != body_[first_b]) return Between::unknown;
    look(place, a);
    look(place, b);
    // At their rims, walls that face one another meet other walls just as near: those do not count against them.
    double least_space = 1e300, least_plate = 1e300, nearest_contact = 1e300;
    Pair plate, contact;
    const double touching2 = touching * touching * h_ * h_;
    // In a tie the first in the order of the lists, whatever the order in which they are found.
    const auto nearer = [](double l2, Pair pair, double least, Pair best) {
        return l2 < least || (l2 == least && pair < best);
    };
    const double least = nearest_pairs(a, b, [&](std::size_t i, std::size_t j, double l2) {
        const Near &s = a.near[i], &t = b.near[j];
        if (l2 <= touching2) {
            const Vec3d off = s.point - place;
            if (dot(s.outward, t.outward) < -squarely && nearer(dot(off, off), {i, j}, nearest_contact, contact))
                nearest_contact = dot(off, off), contact = {i, j};
            return;
        }
        if (l2 > std::max(least_space, least_plate)) return;
        const Vec3d across = t.point - s.point;
        const double l = squarely * std::sqrt(l2), up = dot(s.outward, across), down = -dot(t.outward, across);
        if (up > l && down > l) least_space = std::min(least_space, l2);
        if (up < -l && down < -l && nearer(l2, {i, j}, least_plate, plate)) least_plate = l2, plate = {i, j};
    });
    const auto judge = [&](Pair pair) {
        // Pieces that overlap are meant to be one body.
        const bool one = piece_[a.triangles[pair.a]] != piece_[b.triangles[pair.b]] || is_one_plate(pair, a, b, around);
        return one ? Between::tissue : Between::space;
    };
    // Shells of one body reach into one another elsewhere: where they only touch, they merely lie against each other.
    if (contact.found() && shell_[a.triangles[contact.a]] != shell_[b.triangles[contact.b]]) return Between::space;
    if (contact.found()) return judge(contact);
    if (least_space <= least * as_near) return Between::space;
    return least_plate <= least * as_near ? judge(plate) : Between::unclear;
}

/// On a way from outside one wall through it to the other, tissues end in the order in which they began: if as many end
/// before the second wall as had begun before the first, the second wall ends the tissue that began at the first.
bool Folds::is_one_plate(Pair pair, const Patch& a, const Patch& b, std::span<const std::uint32_t> around) const {
    const Near &s = a.near[pair.a], &t = b.near[pair.b];
    const std::uint32_t triangle = a.triangles[pair.a];
    const Vec3d start = s.point + s.outward * (outside * h_), along = t.point - start;
    int before;
    if (const Vec3d across = t.point - s.point; dot(across, across) > touching * touching * h_ * h_) {
        before = layers_at(start, triangle);
    } else {
        // At the rim of a contact one of the walls ends: check both sides of it.
        const Vec3d to_a = (middle(triangle) - s.point) * outside,
                    to_b = (middle(b.triangles[pair.b]) - s.point) * outside;
        before = std::max(layers_at(start + to_a, triangle), layers_at(start + to_b, triangle));
    }
    std::vector<double> ends;
    for (const std::uint32_t k : around) {
        if (piece_[k] != piece_[triangle] || holds(a.triangles, k) || holds(b.triangles, k) ||
            !(dot(outward(k), along) > 0))
            continue;
        const double at = crossing(start, t.point, corner(k, 0), corner(k, 1), corner(k, 2));
        if (at >= 0) ends.push_back(at);
    }
    std::sort(ends.begin(), ends.end());
    // A way through an edge meets both its triangles.
    const auto same = [](double x, double y) { return y - x < 1e-6; };
    return int(std::unique(ends.begin(), ends.end(), same) - ends.begin()) == before;
}

const WindingField& Folds::field_of(std::uint32_t piece) const {
    if (fields_.empty()) {
        fields_.resize(piece_.empty() ? 0 : *std::max_element(piece_.begin(), piece_.end()) + std::size_t(1));
        piece_first_.assign(fields_.size() + 1, 0);
        for (const std::uint32_t p : piece_) ++piece_first_[p + 1];
        for (std::size_t p = 0; p < fields_.size(); ++p) piece_first_[p + 1] += piece_first_[p];
        of_piece_.resize(piece_.size());
        std::vector<std::uint32_t> at(piece_first_.begin(), piece_first_.end() - 1);
        for (std::uint32_t t = 0; t < piece_.size(); ++t) of_piece_[at[piece_[t]]++] = t;
    }
    if (!fields_[piece]) {
        std::vector<std::uint32_t> corners;
        for (std::uint32_t k = piece_first_[piece]; k < piece_first_[piece + 1]; ++k)
            corners.insert(corners.end(), &triangles_[3 * of_piece_[k]], &triangles_[3 * of_piece_[k]] + 3);
        fields_[piece] = std::make_unique<WindingField>(positions_, corners);
    }
    return *fields_[piece];
}

/// How often the piece of this triangle encloses a place.
int Folds::layers_at(Vec3d place, std::uint32_t triangle) const {
    const double winding = field_of(piece_[triangle]).at(place);
    return std::max(0, int(std::floor(winding * (shell_[triangle] > 0 ? 1 : -1) + 0.5)));
}

bool Folds::is_behind(const Sight& sight, Vec3d place, std::span<const std::uint32_t> around) const {
    if (is_in_front(sight) || sight.above > -squarely * std::sqrt(sight.distance2)) return false;
    looks_ += around.size();
    const Vec3d to = place + (sight.point - place) * (1 - touching);
    return std::none_of(around.begin(), around.end(), [&](std::uint32_t t) {
        return crossing(place, to, corner(t, 0), corner(t, 1), corner(t, 2)) >= 0;
    });
}

bool Folds::is_overlapped(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d place) const {
    std::int32_t last = 0;
    for (const std::uint32_t s : a) {
        if (body_[s] == 0 || body_[s] == last) continue;  // most lists are of one body
        last = body_[s];
        const auto t = std::find_if(b.begin(), b.end(), [&](std::uint32_t k) { return body_[k] == last; });
        if (t != b.end()) return piece_[s] == piece_[*t] && layers_at(place, s) > 1;
    }
    return false;
}

Folds::Sight Folds::sight(std::span<const std::uint32_t> list, Vec3d place) const {
    Sight out;
    for (const std::uint32_t t : list) {
        const Vec3d point = nearest(t, place), off = place - point;
        const double d2 = dot(off, off);
        const bool tie = d2 < out.distance2 * (1 + 1e-9) && out.distance2 < d2 * (1 + 1e-9);
        if (!tie && d2 >= out.distance2) continue;
        const double above = known() && shell_[t] != 0 ? dot(outward(t), off) : -std::sqrt(d2);
        // At an edge the two sides may disagree: a place behind either of them is behind the edge.
        out.above = tie ? std::min(out.above, above) : above;
        if (d2 < out.distance2) out.distance2 = d2, out.point = point, out.triangle = t;
    }
    return out;
}

bool Folds::is_intruder(const Sight& sight) const {
    return is_well_in_front(sight) &&
           layers_at(sight.point - outward(sight.triangle) * (outside * h_), sight.triangle) > 1;
}

bool Folds::is_well_in_front(const Sight& sight) const {
    return sight.above > touching * h_;
}

bool Folds::is_in_front(const Sight& sight) const {
    return sight.above > -touching * h_;
}

}  // namespace fascia::lattice
