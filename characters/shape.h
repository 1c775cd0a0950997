// The clay: simple solids as signed distances. Negative inside, with a gradient of about 1 near the surface.
#pragma once

#include <variant>
#include <vector>

#include "fascia/math.h"

namespace fascia::characters {

struct Ellipsoid {
    Vec3d centre, radii, inverse_radii;
};
/// Two balls and the cone around them.
struct RoundCone {
    Vec3d a, b;
    double radius_a, radius_b;
};
/// Consecutive round cones: a bent limb, a line of a drawing.
struct Chain {
    std::vector<RoundCone> links;
    std::vector<Vec3d> middles;   ///< of balls around the links, to skip distant ones quickly
    std::vector<double> extents;  ///< their radii
};
struct RoundBox {
    Vec3d centre, half;
    double rounding;
};
/// A ring about the y axis of its centre.
struct Ring {
    Vec3d centre;
    double radius, thickness;
};
/// Everything below the plane through `point`.
struct HalfSpace {
    Vec3d point, normal;
};

/// One solid, placed: turned and stretched about a pivot, and cut by planes.
class Shape {
public:
    using Solid = std::variant<Ellipsoid, RoundCone, Chain, RoundBox, Ring, HalfSpace>;

    Shape(Solid solid) : solid_(std::move(solid)) {}

    /// A distance of `enough` or more need not be exact: any number from `enough` on will do.
    double distance(Vec3d p, double enough = 1e15) const;

    /// Turns the shape so far about `pivot`.
    Shape turn(Vec3d pivot, Quat rotation) const;
    /// Moves a shape that was turned about the origin; cuts stay where they are.
    Shape move(Vec3d by) const;
    /// Stretches the shape so far about `pivot`.
    Shape stretch(Vec3d pivot, Vec3d factors) const;
    /// Keeps what lies below the plane; the new edge is rounded by `rounding`.
    Shape cut(Vec3d point, Vec3d outward, double rounding) const;
    /// Inflates by a constant.
    Shape grow(double by) const;
    /// The same on the other side of x = 0.
    Shape mirrored() const;

    /// A ball that holds the shape (not its cuts).
    Vec3d ball_centre() const;
    double ball_radius() const;

private:
    Vec3d to_local(Vec3d p) const;

    Solid solid_;
    // p_local = pivot + stretch^-1 turn^-1 (p - moved - pivot): one placement is enough for a drawing.
    bool placed_ = false;
    Vec3d moved_, pivot_, inverse_stretch_{1, 1, 1}, stretch_{1, 1, 1};
    Vec3d axis_x_{1, 0, 0}, axis_y_{0, 1, 0}, axis_z_{0, 0, 1};
    double shrink_ = 1;  // smallest stretch: keeps the distance a lower bound
    double grow_ = 0;
    bool mirror_ = false;
    struct Cut {
        HalfSpace plane;
        double rounding;
    };
    std::vector<Cut> cuts_;
};

/// The vocabulary of a drawing.
Shape ball(Vec3d centre, double radius);
Shape egg(Vec3d centre, Vec3d radii);
Shape limb(Vec3d a, double radius_a, Vec3d b, double radius_b);
Shape box(Vec3d centre, Vec3d half, double rounding);
Shape ring(Vec3d centre, double radius, double thickness);
Shape below(Vec3d point, Vec3d normal);
/// A smooth curve through the knots (Catmull-Rom), its radius carried along.
struct Knot {
    Vec3d point;
    double radius;
};
Shape curve(const std::vector<Knot>& knots, int links_per_span = 6);
/// A place on that curve, t from 0 to 1 between knots `span` and `span` + 1.
Knot on_curve(const std::vector<Knot>& knots, int span, double t);
/// The same with t over the whole curve.
Knot on_curve(const std::vector<Knot>& knots, double t);

/// Smooth union and smooth intersection of two distances; `blend` is the width of the seam.
double blend_min(double a, double b, double blend);
double blend_max(double a, double b, double blend);

}  // namespace fascia::characters
