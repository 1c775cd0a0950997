#include "shape.h"

#include <algorithm>

namespace fascia::characters {
namespace {

double solid_distance(const Ellipsoid& e, Vec3d p) {
    const Vec3d& inv = e.inverse_radii;
    const Vec3d q{(p.x - e.centre.x) * inv.x, (p.y - e.centre.y) * inv.y, (p.z - e.centre.z) * inv.z};
    const double k = length(q);
    // First-order distance: value over gradient length of |q|, which is exact on the surface.
    const double slope = length(Vec3d{q.x * inv.x, q.y * inv.y, q.z * inv.z});
    if (slope < 1e-9) return -std::min({e.radii.x, e.radii.y, e.radii.z});
    return k * (k - 1) / slope;
}

double solid_distance(const RoundCone& c, Vec3d p) {
    const Vec3d axis = c.b - c.a;
    const double l = length(axis);
    const Vec3d to_p = p - c.a;
    if (l < 1e-12) return length(to_p) - std::max(c.radius_a, c.radius_b);
    const double along = dot(to_p, axis) / l;
    const double across = std::sqrt(std::max(0.0, dot(to_p, to_p) - along * along));
    // The cone's normal leans by `sine` along the axis; walk back along it to find the ball that is touched.
    const double sine = (c.radius_a - c.radius_b) / l;
    if (sine >= 1) return length(to_p) - c.radius_a;
    if (sine <= -1) return length(p - c.b) - c.radius_b;
    const double cosine = std::sqrt(1 - sine * sine);
    const double ball_at = along - across * sine / cosine;
    if (ball_at <= 0) return length(to_p) - c.radius_a;
    if (ball_at >= l) return length(p - c.b) - c.radius_b;
    return along * sine + across * cosine - c.radius_a;
}

double solid_distance(const Chain& chain, Vec3d p, double enough) {
    double d = enough;
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
        const Vec3d q = p - chain.middles[i];
        const double within = d + chain.extents[i];
        if (within > 0 && dot(q, q) < within * within) d = std::min(d, solid_distance(chain.links[i], p));
    }
    return d;
}

double solid_distance(const RoundBox& b, Vec3d p) {
    const Vec3d q{std::abs(p.x - b.centre.x) - (b.half.x - b.rounding),
                  std::abs(p.y - b.centre.y) - (b.half.y - b.rounding),
                  std::abs(p.z - b.centre.z) - (b.half.z - b.rounding)};
    const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0) - b.rounding;
}

double solid_distance(const Ring& r, Vec3d p) {
    const Vec3d q = p - r.centre;
    const double across = std::sqrt(q.x * q.x + q.z * q.z) - r.radius;
    return std::sqrt(across * across + q.y * q.y) - r.thickness;
}

double solid_distance(const HalfSpace& h, Vec3d p) {
    return dot(p - h.point, h.normal);
}

template <class Solid>
double solid_distance(const Solid& solid, Vec3d p, double) {
    return solid_distance(solid, p);
}

struct Ball {
    Vec3d centre;
    double radius;
};
Ball ball_of(const Ellipsoid& e) {
    return {e.centre, std::max({e.radii.x, e.radii.y, e.radii.z})};
}
Ball ball_of(const RoundCone& c) {
    return {(c.a + c.b) * 0.5, length(c.b - c.a) / 2 + std::max(c.radius_a, c.radius_b)};
}
Ball ball_of(const Chain& chain) {
    Vec3d centre;
    for (const RoundCone& link : chain.links) centre += (link.a + link.b) * (0.5 / chain.links.size());
    double radius = 0;
    for (const RoundCone& link : chain.links) {
        radius = std::max(radius, length(link.a - centre) + link.radius_a);
        radius = std::max(radius, length(link.b - centre) + link.radius_b);
    }
    return {centre, radius};
}
Ball ball_of(const RoundBox& b) {
    return {b.centre, length(b.half)};
}
Ball ball_of(const Ring& r) {
    return {r.centre, r.radius + r.thickness};
}
Ball ball_of(const HalfSpace& h) {
    return {h.point, 1e9};
}

}  // namespace

Vec3d Shape::to_local(Vec3d p) const {
    if (mirror_) p.x = -p.x;
    if (!placed_) return p;
    const Vec3d q = p - moved_ - pivot_;
    return pivot_ + Vec3d{dot(axis_x_, q) * inverse_stretch_.x, dot(axis_y_, q) * inverse_stretch_.y,
                          dot(axis_z_, q) * inverse_stretch_.z};
}

double Shape::distance(Vec3d p, double enough) const {
    const Vec3d q = to_local(p);
    const double inside = (enough + grow_) / shrink_;
    double d =
        std::visit([&](const auto& solid) { return solid_distance(solid, q, inside); }, solid_) * shrink_ - grow_;
    if (cuts_.empty()) return d;
    if (mirror_) p.x = -p.x;
    for (const Cut& c : cuts_) d = blend_max(d, solid_distance(c.plane, p), c.rounding);
    return d;
}

Shape Shape::turn(Vec3d pivot, Quat rotation) const {
    Shape s = *this;
    // A stretch about the same pivot comes first; a drawing needs no deeper nesting.
    s.placed_ = true;
    s.pivot_ = pivot;
    s.axis_x_ = rotate(rotation, Vec3d{1, 0, 0});
    s.axis_y_ = rotate(rotation, Vec3d{0, 1, 0});
    s.axis_z_ = rotate(rotation, Vec3d{0, 0, 1});
    return s;
}

Shape Shape::move(Vec3d by) const {
    Shape s = *this;
    s.placed_ = true;
    s.moved_ += by;
    return s;
}

Shape Shape::stretch(Vec3d pivot, Vec3d f) const {
    Shape s = *this;
    s.placed_ = true;
    s.pivot_ = pivot;
    s.stretch_ = f;
    s.inverse_stretch_ = {1 / f.x, 1 / f.y, 1 / f.z};
    s.shrink_ = std::min({f.x, f.y, f.z, 1.0});
    return s;
}

Shape Shape::cut(Vec3d point, Vec3d outward, double rounding) const {
    Shape s = *this;
    s.cuts_.push_back({{point, normalized(outward)}, rounding});
    return s;
}

Shape Shape::grow(double by) const {
    Shape s = *this;
    s.grow_ += by;
    return s;
}

Shape Shape::mirrored() const {
    Shape s = *this;
    s.mirror_ = !s.mirror_;
    return s;
}

Vec3d Shape::ball_centre() const {
    Vec3d c = std::visit([](const auto& solid) { return ball_of(solid); }, solid_).centre;
    if (placed_) {
        const Vec3d q = c - pivot_;
        c = moved_ + pivot_ + axis_x_ * (q.x * stretch_.x) + axis_y_ * (q.y * stretch_.y) +
            axis_z_ * (q.z * stretch_.z);
    }
    if (mirror_) c.x = -c.x;
    return c;
}

double Shape::ball_radius() const {
    const double largest = std::max({stretch_.x, stretch_.y, stretch_.z});
    return std::visit([](const auto& solid) { return ball_of(solid); }, solid_).radius * largest + grow_;
}

Shape ball(Vec3d centre, double radius) {
    return egg(centre, {radius, radius, radius});
}
Shape egg(Vec3d centre, Vec3d radii) {
    return Shape(Ellipsoid{centre, radii, {1 / radii.x, 1 / radii.y, 1 / radii.z}});
}
Shape limb(Vec3d a, double radius_a, Vec3d b, double radius_b) {
    return Shape(RoundCone{a, b, radius_a, radius_b});
}
Shape box(Vec3d centre, Vec3d half, double rounding) {
    return Shape(RoundBox{centre, half, rounding});
}
Shape ring(Vec3d centre, double radius, double thickness) {
    return Shape(Ring{centre, radius, thickness});
}
Shape below(Vec3d point, Vec3d normal) {
    return Shape(HalfSpace{point, normalized(normal)});
}

Knot on_curve(const std::vector<Knot>& knots, int span, double t) {
    const int last = static_cast<int>(knots.size()) - 1;
    const auto knot = [&](int i) { return knots[static_cast<std::size_t>(std::clamp(i, 0, last))]; };
    const Knot a = knot(span - 1), b = knot(span), c = knot(span + 1), d = knot(span + 2);
    const double u0 = ((-t + 2) * t - 1) * t / 2, u1 = ((3 * t - 5) * t * t + 2) / 2;
    const double u2 = ((-3 * t + 4) * t + 1) * t / 2, u3 = (t - 1) * t * t / 2;
    return Knot{a.point * u0 + b.point * u1 + c.point * u2 + d.point * u3,
                a.radius * u0 + b.radius * u1 + c.radius * u2 + d.radius * u3};
}

Knot on_curve(const std::vector<Knot>& knots, double t) {
    const int spans = static_cast<int>(knots.size()) - 1;
    const int span = std::clamp(static_cast<int>(t * spans), 0, spans - 1);
    return on_curve(knots, span, t * spans - span);
}

Shape curve(const std::vector<Knot>& knots, int links_per_span) {
    const int last = static_cast<int>(knots.size()) - 1;
    Chain chain;
    Knot from = knots.front();
    for (int span = 0; span < last; ++span) {
        for (int i = 1; i <= links_per_span; ++i) {
            const Knot to = on_curve(knots, span, static_cast<double>(i) / links_per_span);
            chain.links.push_back({from.point, to.point, from.radius, to.radius});
            chain.middles.push_back((from.point + to.point) * 0.5);
            chain.extents.push_back(length(to.point - from.point) / 2 + std::max(from.radius, to.radius));
            from = to;
        }
    }
    return Shape(chain);
}

double blend_min(double a, double b, double blend) {
    const double low = std::min(a, b);
    if (blend <= 0) return low;
    const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
    return low - h * h * h * blend / 6;  // cubic: the seam has no visible line in its shading
}
double blend_max(double a, double b, double blend) {
    return -blend_min(-a, -b, blend);
}

}  // namespace fascia::characters
