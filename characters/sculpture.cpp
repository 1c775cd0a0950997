#include "sculpture.h"

#include <algorithm>

#include "trig.h"

namespace fascia::characters {
namespace {

constexpr double block_size = 0.12;
constexpr double grading = 0.35;  // how fast edges may grow away from fine detail

double to_linear(std::uint32_t byte) {
    const double c = byte / 255.0;
    // A cubic that follows the sRGB curve to 0.002; no power function, so the same bits everywhere.
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

std::string mirrored_part(const std::string& part) {
    return part.rfind("left", 0) == 0 ? "right" + part.substr(4) : part;
}

bool same(Color a, Color b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

}  // namespace

Color srgb(std::uint32_t hex) {
    return {to_linear(hex >> 16 & 255), to_linear(hex >> 8 & 255), to_linear(hex & 255)};
}
Color mix(Color a, Color b, double t) {
    return {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
}

void Sculpture::add(const std::string& part, const Shape& shape, Color color, Touch touch) {
    if (touch.rim == 0) touch.rim = 0.6 * touch.blend;  // just outside the seam, where the surface is smooth again
    layers_.push_back({Layer::Kind::lump, part, shape, color, touch});
}
void Sculpture::add_pair(const std::string& left_part, const Shape& shape, Color color, Touch touch) {
    add(left_part, shape, color, touch);
    add(mirrored_part(left_part), shape.mirrored(), color, touch);
}
void Sculpture::carve(const Shape& shape, Touch touch) {
    layers_.push_back({Layer::Kind::hollow, "", shape, {}, touch});
}
void Sculpture::carve_pair(const Shape& shape, Touch touch) {
    carve(shape, touch);
    carve(shape.mirrored(), touch);
}
void Sculpture::paint(const Shape& shape, Color color, Touch touch) {
    layers_.push_back({Layer::Kind::stroke, "", shape, color, touch});
}
void Sculpture::paint_pair(const Shape& shape, Color color, Touch touch) {
    paint(shape, color, touch);
    paint(shape.mirrored(), color, touch);
}

Field::Field(const Sculpture& sculpture) : sculpture_(sculpture), min_{1e9, 1e9, 1e9}, max_{-1e9, -1e9, -1e9} {
    for (const Layer& layer : sculpture.layers()) {
        const bool lump = layer.kind == Layer::Kind::lump;
        balls_.push_back({layer.shape.ball_centre(), layer.shape.ball_radius()});
        const auto found = std::find(parts_.begin(), parts_.end(), layer.part);
        part_of_layer_.push_back(lump ? static_cast<int>(found - parts_.begin()) : -1);
        if (!lump) continue;
        if (found == parts_.end()) parts_.push_back(layer.part);
        const auto& [c, r] = balls_.back();
        min_ = {std::min(min_.x, c.x - r), std::min(min_.y, c.y - r), std::min(min_.z, c.z - r)};
        max_ = {std::max(max_.x, c.x + r), std::max(max_.y, c.y + r), std::max(max_.z, c.z + r)};
    }
    min_ = min_ - Vec3d{reach, reach, reach};
    max_ = max_ + Vec3d{reach, reach, reach};
    const auto count = [](double extent) { return static_cast<int>(extent / block_size) + 1; };
    nx_ = count(max_.x - min_.x);
    ny_ = count(max_.y - min_.y);
    nz_ = count(max_.z - min_.z);

    const double block_radius = block_size * 0.8660254037844387;
    for (int z = 0; z < nz_; ++z) {
        for (int y = 0; y < ny_; ++y) {
            for (int x = 0; x < nx_; ++x) {
                const Vec3d c = min_ + Vec3d{x + 0.5, y + 0.5, z + 0.5} * block_size;
                Block block;
                for (std::size_t i = 0; i < sculpture.layers().size(); ++i) {
                    const Layer& layer = sculpture.layers()[i];
                    // The distance of a stretched shape may be off by some tenths far from it: allow for that.
                    const double d = layer.shape.distance(c) * 0.7 - block_radius;
                    const bool stroke = layer.kind == Layer::Kind::stroke;
                    if (!stroke && d < reach + layer.touch.blend) block.clay.push_back(static_cast<int>(i));
                    if (layer.kind == Layer::Kind::hollow) continue;
                    if (i == 0 || d < layer.touch.rim + std::max(layer.touch.softness, sculpture.edge / grading))
                        block.colors.push_back(static_cast<int>(i));
                }
                blocks_.push_back(std::move(block));
            }
        }
    }
}

const Field::Block& Field::block_at(Vec3d p) const {
    const Vec3d q = (p - min_) * (1 / block_size);
    const int x = static_cast<int>(std::floor(q.x)), y = static_cast<int>(std::floor(q.y)),
              z = static_cast<int>(std::floor(q.z));
    if (x < 0 || y < 0 || z < 0 || x >= nx_ || y >= ny_ || z >= nz_) return outside_;
    return blocks_[static_cast<std::size_t>((z * ny_ + y) * nx_ + x)];
}

double Field::distance(Vec3d p) const {
    double d = 1e3;
    for (const int i : block_at(p).clay) {
        const Layer& clay = layer(i);
        const bool hollow = clay.kind == Layer::Kind::hollow;
        const double far = hollow ? clay.touch.blend - d : clay.touch.blend + d;
        if (!may_reach(i, p, far)) continue;  // nothing changes from there on
        const double own = clay.shape.distance(p, far);
        d = hollow ? blend_max(d, -own, clay.touch.blend) : blend_min(d, own, clay.touch.blend);
    }
    return d;
}

Field::Slope Field::slope(Vec3d p) const {
    // Four corners of a small tetrahedron: as good as six central differences, and their mean is the value at p.
    constexpr double e = 1e-4;
    const double a = distance(p + Vec3d{e, -e, -e}), b = distance(p + Vec3d{-e, -e, e});
    const double c = distance(p + Vec3d{-e, e, -e}), d = distance(p + Vec3d{e, e, e});
    return {(a + b + c + d) / 4, Vec3d{a - b - c + d, c + d - a - b, b + d - a - c} * (1 / (4 * e))};
}

Vec3d Field::project(Vec3d p, int steps) const {
    for (int i = 0; i < steps; ++i) {
        const Slope s = slope(p);
        const double slope2 = dot(s.gradient, s.gradient);
        if (slope2 < 1e-6) break;
        const double limit = sculpture_.edge / std::sqrt(slope2);
        p += s.gradient * std::clamp(-s.value / slope2, -limit, limit);
    }
    return p;
}

/// How far p lies from the border of each layer's colour, negative where it covers p; asked from the bottom up.
class Field::Covers {
public:
    explicit Covers(const Field& field) : field_(field) {}
    double next(int i, Vec3d p) {
        const Layer& paint = field_.layer(i);
        const double far = paint.touch.rim + std::max(paint.touch.softness, field_.usual_edge() / grading);
        if (i > 0 && !field_.may_reach(i, p, far)) return far;
        const double own = paint.shape.distance(p), below = clay_below_;
        if (paint.kind == Layer::Kind::lump) clay_below_ = std::min(clay_below_, own);
        if (i == 0) return -1;
        const double d = own - paint.touch.rim;
        // Everywhere on a lump its own distance is zero, so the distance to its border comes from the clay that it lies
        // on.
        return paint.kind == Layer::Kind::lump ? d - 0.7 * std::max(0.0, below - own) : d;
    }

private:
    const Field& field_;
    double clay_below_ = 1;
};

double Field::edge_length(Vec3d p) const {
    const Block& block = block_at(p);
    double edge = sculpture_.edge;
    for (const int i : block.clay) {
        const Touch& touch = layer(i).touch;
        const double far = (edge - touch.edge) / grading;
        if (touch.edge <= 0 || !may_reach(i, p, far)) continue;
        const double d = layer(i).shape.distance(p, far);
        edge = std::min(edge,
                        touch.edge + grading * (layer(i).kind == Layer::Kind::hollow ? std::abs(d) : std::max(0.0, d)));
    }
    // Fine where a crisp border shows: where the colour below is another one.
    Color top;
    Covers covers(*this);
    for (const int i : block.colors) {
        const Layer& paint = layer(i);
        const double d = covers.next(i, p);
        if (paint.touch.softness > 0) continue;
        if (i > 0 && !same(paint.color, top)) edge = std::min(edge, border_edge(paint) + grading * std::abs(d));
        if (d < 0) top = paint.color;
    }
    return edge;
}

double Field::border_edge(const Layer& paint) const {
    return paint.touch.edge > 0 ? paint.touch.edge : sculpture_.fine_edge;
}

Field::Border Field::border(const Layer& paint, Vec3d p, Vec3d normal) const {
    constexpr double e = 1e-4;
    const auto value = [&](double x, double y, double z) {
        return paint.shape.distance(p + Vec3d{x, y, z}) - paint.touch.rim;
    };
    const double a = value(e, -e, -e), b = value(-e, -e, e), c = value(-e, e, -e), d = value(e, e, e);
    Vec3d g = Vec3d{a - b - c + d, c + d - a - b, b + d - a - c} * (1 / (4 * e));
    g = g - normal * dot(g, normal);
    const double slope2 = dot(g, g), here = (a + b + c + d) / 4;
    if (slope2 < 0.01) return {here * 10, p};  // the border runs along the surface: nothing to aim at
    return {here / std::sqrt(slope2), p - g * (here / slope2)};
}

Field::Border Field::nearest_border(Vec3d p, Vec3d normal) const {
    // From the bottom up; a layer that covers p hides the borders below it.
    const Layer* nearest = nullptr;
    double value = 1e3;
    Color top;
    Covers covers(*this);
    for (const int i : block_at(p).colors) {
        const Layer& paint = layer(i);
        const double d = covers.next(i, p);
        if (paint.touch.softness > 0) continue;
        const bool shows = i > 0 && !same(paint.color, top);
        if (d < 0) top = paint.color;
        if (d > 0 && (!shows || d > std::abs(value))) continue;
        if (!shows && -d < std::abs(value)) continue;
        value = shows ? d : 1e3;
        nearest = shows ? &paint : nullptr;
    }
    if (!nearest || std::abs(value) > sculpture_.edge) return {};
    return border(*nearest, p, normal);
}

Color Field::color(Vec3d p, Vec3d normal) const {
    const double edge = edge_length(p);
    Color color;
    Covers covers(*this);
    for (const int i : block_at(p).colors) {
        const Layer& paint = layer(i);
        const double softness = paint.touch.softness;
        double d = covers.next(i, p);
        if (softness > 0) {
            color = mix(color, paint.color, 1 - smooth_step(-softness / 2, softness / 2, d));
            continue;
        }
        // Vertices that sit on a border count as inside, so that a crisp change takes one edge and no more.
        if (d > 0 && d < edge) d = border(paint, p, normal).distance;
        color = mix(color, paint.color, 1 - smooth_step(0.15, 0.4, d / edge));
    }
    return color;
}

void Field::part_distances(Vec3d p, std::vector<double>& out) const {
    out.assign(parts_.size(), 1e3);
    for (const int i : block_at(p).clay) {
        const int part = part_of_layer_[static_cast<std::size_t>(i)];
        if (part < 0) continue;
        const double d = layer(i).shape.distance(p);
        out[static_cast<std::size_t>(part)] = std::min(out[static_cast<std::size_t>(part)], d);
    }
}

}  // namespace fascia::characters
