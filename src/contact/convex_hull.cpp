// Convex hulls, point by point: every face that a new point can see is replaced by faces from its rim to the point.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/portable_math.h"
#include "contact/solid.h"

namespace fascia::contact {

namespace {

constexpr double flat = 1e-7;  ///< of the size: nearer to a face than this counts as on it
/// Of more points than this, those that are farthest along so many directions stand for all: on a ball, whose every
/// point is a corner, that takes away 0.2 % of its radius. Each corner costs time wherever flesh comes near.
constexpr std::size_t most_corners = 1000;

/// Directions spread evenly, along a spiral from pole to pole.
Vec3d direction(std::size_t k, std::size_t count) {
    const double up = 1 - (2 * double(k) + 1) / double(count), around = std::sqrt(1 - up * up);
    const double golden = portable::pi * (3 - std::sqrt(5.0)), turn = golden * double(k);
    return {around * portable::cosine(turn), up, around * portable::sine(turn)};
}

/// The points that can be corners, or enough of them.
std::vector<std::uint32_t> possible_corners(std::span<const Vec3d> points) {
    std::vector<std::uint32_t> out(points.size());
    std::iota(out.begin(), out.end(), 0u);
    if (points.size() <= most_corners) return out;
    std::vector<std::uint8_t> chosen(points.size(), 0);
    for (std::size_t k = 0; k < most_corners; ++k) {
        const Vec3d along = direction(k, most_corners);
        std::size_t farthest = 0;
        for (std::size_t p = 1; p < points.size(); ++p)
            if (dot(points[p], along) > dot(points[farthest], along)) farthest = p;
        chosen[farthest] = 1;
    }
    std::erase_if(out, [&](std::uint32_t p) { return chosen[p] == 0; });
    return out;
}

struct HullFace {
    std::array<std::uint32_t, 3> corners;
    Vec3d normal;
    double height = 0;
};

class Hull {
public:
    explicit Hull(std::span<const Vec3> points) {
        for (const Vec3 p : points) points_.push_back(to_double(p));
        double size = 0;
        for (const Vec3d p : points_) size = std::max(size, length(p - points_[0]));
        near_ = flat * size;
        if (!begin()) return;
        for (const std::uint32_t k : possible_corners(points_)) add(k);
    }
    const std::vector<HullFace>& faces() const { return faces_; }

private:
    double above(const HullFace& face, std::uint32_t k) const { return dot(face.normal, points_[k]) - face.height; }

    HullFace face(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        const Vec3d n = normalized(cross(points_[b] - points_[a], points_[c] - points_[a]));
        return {{a, b, c}, n, dot(n, points_[a])};
    }

    /// The point that is farthest by some measure, if that is far enough.
    template <class Measure>
    bool farthest(Measure measure, std::uint32_t& out) const {
        double most = near_;
        bool found = false;
        for (std::uint32_t k = 0; k < points_.size(); ++k)
            if (const double value = measure(points_[k]); value > most) most = value, out = k, found = true;
        return found;
    }

    /// Four points that do not lie in a plane.
    bool begin() {
        std::uint32_t a = 0, b = 0, c = 0, d = 0;
        if (points_.size() < 4) return false;
        if (!farthest([&](Vec3d p) { return length(p - points_[a]); }, b)) return false;
        const Vec3d along = normalized(points_[b] - points_[a]);
        if (!farthest([&](Vec3d p) { return length(cross(p - points_[a], along)); }, c)) return false;
        const HullFace base = face(a, b, c);
        if (!farthest([&](Vec3d p) { return std::abs(dot(base.normal, p) - base.height); }, d)) return false;
        if (above(base, d) > 0) std::swap(b, c);
        faces_ = {face(a, b, c), face(a, d, b), face(b, d, c), face(c, d, a)};
        return true;
    }

    void add(std::uint32_t k) {
        const auto sees = [&](const HullFace& f) { return above(f, k) > near_; };
        if (std::none_of(faces_.begin(), faces_.end(), sees)) return;
        // An edge of the rim belongs to one seen face only.
        std::map<std::array<std::uint32_t, 2>, int> edges;
        for (const HullFace& f : faces_)
            if (sees(f))
                for (std::size_t e = 0; e < 3; ++e) edges[{f.corners[e], f.corners[(e + 1) % 3]}] = 1;
        faces_.erase(std::remove_if(faces_.begin(), faces_.end(), sees), faces_.end());
        for (const auto& [edge, one] : edges)
            if (edges.count({edge[1], edge[0]}) == 0) faces_.push_back(face(edge[0], edge[1], k));
    }

    std::vector<Vec3d> points_;
    std::vector<HullFace> faces_;
    double near_ = 0;
};

}  // namespace

std::vector<HalfSpace> convex_hull(std::span<const Vec3> points) {
    std::vector<HalfSpace> out;
    const Hull hull(points);
    for (const HullFace& face : hull.faces()) {
        if (face.normal == Vec3d{}) continue;  // a sliver between others
        const HalfSpace side{to_float(face.normal), float(face.height)};
        const bool known = std::any_of(out.begin(), out.end(), [&](const HalfSpace& other) {
            return dot(other.normal, side.normal) > 1 - 1e-6f &&
                   std::abs(other.height - side.height) <= 1e-6f * std::abs(side.height);
        });
        if (!known) out.push_back(side);
    }
    return out;
}

std::vector<std::uint32_t> hull_triangles(std::span<const Vec3> points) {
    std::vector<std::uint32_t> out;
    const Hull hull(points);
    for (const HullFace& face : hull.faces()) out.insert(out.end(), face.corners.begin(), face.corners.end());
    return out;
}

}  // namespace fascia::contact
