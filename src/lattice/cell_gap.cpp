#include "lattice/cell_gap.h"

#include <algorithm>
#include <cmath>

#include "lattice/nearest.h"

namespace fascia::lattice {

namespace {

double along(Vec3d p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/// Keeps the part of a polygon on the near side of a plane across an axis.
void cut_off(std::vector<Vec3d>& polygon, int axis, double sign, double at, std::vector<Vec3d>& out) {
    out.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3d p = polygon[k], q = polygon[(k + 1) % polygon.size()];
        const double from = sign * along(p, axis) - at, to = sign * along(q, axis) - at;
        if (from <= 0) out.push_back(p);
        if ((from < 0 && to > 0) || (from > 0 && to < 0)) out.push_back(p + (q - p) * (from / (from - to)));
    }
    polygon.swap(out);
}

}  // namespace

void CellGap::cut(std::span<const std::uint32_t> triangles, Vec3d center, double half, std::vector<Piece>& out) {
    out.resize(triangles.size());
    for (std::size_t n = 0; n < triangles.size(); ++n) {
        Piece& piece = out[n];
        for (std::size_t k = 0; k < 3; ++k)
            piece.corner[k] = to_double(positions_[triangles_[3 * std::size_t(triangles[n]) + k]]);
        piece.places.assign(piece.corner, piece.corner + 3);
        for (int axis = 0; axis < 3; ++axis)
            for (const double sign : {1.0, -1.0})
                cut_off(piece.places, axis, sign, half + sign * along(center, axis), polygon_);
        if (piece.places.empty())  // it only touches the cell
            piece.places.push_back(nearest_on_triangle(center, piece.corner[0], piece.corner[1], piece.corner[2]));
        Vec3d sum;
        for (const Vec3d p : piece.places) sum += p;
        piece.places.push_back(sum * (1.0 / double(piece.places.size())));
        piece.middle = (piece.corner[0] + piece.corner[1] + piece.corner[2]) * (1.0 / 3);
        piece.radius = 0;
        for (const Vec3d p : piece.corner) piece.radius = std::max(piece.radius, length(p - piece.middle));
    }
}

double CellGap::between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d center, double half,
                        double bound) {
    cut(a, center, half, a_);
    cut(b, center, half, b_);
    const auto look = [&](const Piece& from, const Piece& to) {
        for (const Vec3d p : from.places) {
            const Vec3d off = nearest_on_triangle(p, to.corner[0], to.corner[1], to.corner[2]) - p;
            bound = std::min(bound, dot(off, off));
        }
    };
    for (const Piece& s : a_)
        for (const Piece& t : b_) {
            const double far = length(s.middle - t.middle) - s.radius - t.radius;
            if (far > 0 && far * far >= bound) continue;
            look(s, t);
            look(t, s);
        }
    return bound;
}

}  // namespace fascia::lattice
