// A body as a drawing: lumps of clay pressed together one after another, then paint on top.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shape.h"

namespace fascia::characters {

/// Linear RGB.
struct Color {
    double r = 0, g = 0, b = 0;
};
/// From the usual 0xRRGGBB.
Color srgb(std::uint32_t hex);
Color mix(Color a, Color b, double t);

/// Options of a lump or a stroke besides its shape and colour.
struct Touch {
    double blend = 0;     ///< lumps: width of the seam to what is there already
    double softness = 0;  ///< width over which the colour fades; 0: as crisp as the mesh allows
    double edge = 0;      ///< edge length wanted there; 0: the sculpture's default
    double rim = 0;       ///< how far the colour reaches beyond the shape; lumps: just beyond the seam unless set
};

/// A lump of clay (or a hollow carved with it) or a stroke of paint, which colours what lies inside its shape.
struct Layer {
    enum class Kind { lump, hollow, stroke };
    Kind kind;
    std::string part;  ///< lumps: the part of the body whose joints move it (see skinning.h)
    Shape shape;
    Color color;
    Touch touch;
};

class Sculpture {
public:
    double cell = 0.025;      ///< of the first, rough mesh: no detail may be much thinner
    double edge = 0.03;       ///< usual edge length of the mesh
    double fine_edge = 0.01;  ///< edge length at crisp colour borders

    void add(const std::string& part, const Shape& shape, Color color, Touch touch = {});
    /// The same on both sides; `part` is the one on the left (+x), its mirror begins with "right".
    void add_pair(const std::string& left_part, const Shape& shape, Color color, Touch touch = {});
    void carve(const Shape& shape, Touch touch = {});
    void carve_pair(const Shape& shape, Touch touch = {});
    void paint(const Shape& shape, Color color, Touch touch = {});
    void paint_pair(const Shape& shape, Color color, Touch touch = {});

    const std::vector<Layer>& layers() const { return layers_; }

private:
    std::vector<Layer> layers_;
};

/// A sculpture that can be queried quickly: space is cut into blocks that know which lumps matter there.
class Field {
public:
    explicit Field(const Sculpture& sculpture);

    /// Distance to the surface, exact below `reach` and at least `reach` beyond it.
    double distance(Vec3d p) const;
    Vec3d gradient(Vec3d p) const { return slope(p).gradient; }
    /// Moves p onto the surface by Newton steps along the gradient.
    Vec3d project(Vec3d p, int steps) const;

    /// A sharp border between two colours: how far away it is along the surface (negative on the side of the upper
    /// layer), and the point moved onto it.
    struct Border {
        double distance = 1e3;
        Vec3d on_it;
    };
    /// The nearest one that is not covered by other paint.
    Border nearest_border(Vec3d p, Vec3d normal) const;

    /// Edge length wanted at a point of the surface.
    double edge_length(Vec3d p) const;
    double usual_edge() const { return sculpture_.edge; }
    Color color(Vec3d p, Vec3d normal) const;
    /// Distance of the nearest lump of each part, in the order of parts().
    void part_distances(Vec3d p, std::vector<double>& out) const;
    const std::vector<std::string>& parts() const { return parts_; }

    Vec3d box_min() const { return min_; }
    Vec3d box_max() const { return max_; }
    static constexpr double reach = 0.07;

private:
    struct Slope {
        double value;
        Vec3d gradient;
    };
    Slope slope(Vec3d p) const;
    struct Block {
        std::vector<int> clay, colors;  ///< layers that matter for the shape, and for its colour
    };
    const Block& block_at(Vec3d p) const;
    const Layer& layer(int i) const { return sculpture_.layers()[static_cast<std::size_t>(i)]; }
    class Covers;
    double border_edge(const Layer& paint) const;
    Border border(const Layer& layer, Vec3d p, Vec3d normal) const;

    const Sculpture& sculpture_;
    struct Ball {
        Vec3d centre;
        double radius;
    };
    /// True when p is nearer to the layer's bounding ball than `reach_there`.
    bool may_reach(int i, Vec3d p, double reach_there) const {
        const Ball& ball = balls_[static_cast<std::size_t>(i)];
        const Vec3d q = p - ball.centre;
        const double r = ball.radius + reach_there;
        return r > 0 && dot(q, q) < r * r;
    }

    std::vector<std::string> parts_;
    std::vector<int> part_of_layer_;
    std::vector<Ball> balls_;
    Vec3d min_, max_;
    int nx_ = 0, ny_ = 0, nz_ = 0;
    std::vector<Block> blocks_;
    Block outside_;
};

}  // namespace fascia::characters
