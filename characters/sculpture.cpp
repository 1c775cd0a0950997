#include "sculpture.h"

#include <algorithm>

#include "trig.h"

namespace fascia::characters {
namespace {

constexpr double block_size = 0.16;
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
    lumps_.push_back({part, shape, color, touch, false});
}
void Sculpture::add_pair(const std::string& left_part, const Shape& shape, Color color, Touch touch) {
    add(left_part, shape, color, touch);
    add(mirrored_part(left_part), shape.mirrored(), color, touch);
}
void Sculpture::carve(const Shape& shape, Touch touch) {
    lumps_.push_back({"", shape, {}, touch, true});
}
void Sculpture::carve_pair(const Shape& shape, Touch touch) {
    carve(shape, touch);
    carve(shape.mirrored(), touch);
}
void Sculpture::paint(const Shape& shape, Color color, Touch touch) {
    strokes_.push_back({shape, color, touch});
}
void Sculpture::paint_pair(const Shape& shape, Color color, Touch touch) {
    paint(shape, color, touch);
    paint(shape.mirrored(), color, touch);
}

Field::Field(const Sculpture& sculpture) : sculpture_(sculpture), min_{1e9, 1e9, 1e9}, max_{-1e9, -1e9, -1e9} {
    for (const Lump& lump : sculpture.lumps()) {
        const auto found = std::find(parts_.begin(), parts_.end(), lump.part);
        part_of_lump_.push_back(lump.carve ? -1 : static_cast<int>(found - parts_.begin()));
        if (lump.carve) continue;
        if (found == parts_.end()) parts_.push_back(lump.part);
        const Vec3d c = lump.shape.ball_centre();
        const double r = lump.shape.ball_radius();
        min_ = {std::min(min_.x, c.x - r), std::min(min_.y, c.y - r), std::min(min_.z, c.z - r)};
        max_ = {std::max(max_.x, c.x + r), std::max(max_.y, c.y + r), std::max(max_.z, c.z + r)};
    }
    const double margin = reach;
    min_ = min_ - Vec3d{margin, margin, margin};
    max_ = max_ + Vec3d{margin, margin, margin};
    const auto count = [](double extent) { return static_cast<int>(extent / block_size) + 1; };
    nx_ = count(max_.x - min_.x);
    ny_ = count(max_.y - min_.y);
    nz_ = count(max_.z - min_.z);

    const double block_radius = block_size * 0.8660254037844387;
    for (int z = 0; z < nz_; ++z) {
        for (int y = 0; y < ny_; ++y) {
            for (int x = 0; x < nx_; ++x) {
                const Vec3d c = min_ + Vec3d{x + 0.5, y + 0.5, z + 0.5} * block_size;
                const auto near = [&](const Shape& shape, double margin_here) {
                    return length(c - shape.ball_centre()) < shape.ball_radius() + block_radius + margin_here;
                };
                Block block;
                for (std::size_t i = 0; i < sculpture.lumps().size(); ++i) {
                    const Lump& lump = sculpture.lumps()[i];
                    if (near(lump.shape, reach + lump.touch.blend)) block.lumps.push_back(static_cast<int>(i));
                }
                for (std::size_t i = 0; i < sculpture.strokes().size(); ++i) {
                    if (near(sculpture.strokes()[i].shape, sculpture.edge / grading))
                        block.strokes.push_back(static_cast<int>(i));
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
    for (const int i : block_at(p).lumps) {
        const Lump& lump = sculpture_.lumps()[static_cast<std::size_t>(i)];
        const double own = lump.shape.distance(p);
        d = lump.carve ? blend_max(d, -own, lump.touch.blend) : blend_min(d, own, lump.touch.blend);
    }
    return d;
}

Vec3d Field::gradient(Vec3d p) const {
    // Four corners of a small tetrahedron: as good as six central differences, and cheaper.
    constexpr double e = 1e-4;
    const double a = distance(p + Vec3d{e, -e, -e}), b = distance(p + Vec3d{-e, -e, e});
    const double c = distance(p + Vec3d{-e, e, -e}), d = distance(p + Vec3d{e, e, e});
    return Vec3d{a - b - c + d, c + d - a - b, b + d - a - c} * (1 / (4 * e));
}

Vec3d Field::project(Vec3d p, int steps) const {
    for (int i = 0; i < steps; ++i) {
        const Vec3d g = gradient(p);
        const double slope2 = dot(g, g);
        if (slope2 < 1e-6) break;
        double move = -distance(p) / slope2;
        const double limit = sculpture_.edge / std::sqrt(slope2);
        move = std::clamp(move, -limit, limit);
        p += g * move;
    }
    return p;
}

double Field::edge_length(Vec3d p) const {
    double edge = sculpture_.edge;
    const Block& block = block_at(p);
    // Crisp colour borders: between lumps of different colour, and around strokes.
    double nearest = 1e3;
    const Lump* owner = nullptr;
    for (const int i : block.lumps) {
        const Lump& lump = sculpture_.lumps()[static_cast<std::size_t>(i)];
        const double d = lump.shape.distance(p);
        const double own_edge = lump.touch.edge > 0 ? lump.touch.edge : sculpture_.edge;
        edge = std::min(edge, own_edge + grading * std::max(0.0, lump.carve ? std::abs(d) : d));
        if (lump.carve) continue;
        if (owner && !same(owner->color, lump.color)) {
            const double softness = std::max(owner->touch.softness, lump.touch.softness);
            const double border = std::max(0.0, std::abs(d - nearest) * 0.7 - softness / 2);
            const double fine = softness > 0 ? sculpture_.edge : sculpture_.fine_edge;
            edge = std::min(edge, fine + grading * border);
        }
        if (d < nearest) {
            nearest = d;
            owner = &lump;
        }
    }
    for (const int i : block.strokes) {
        const Stroke& stroke = sculpture_.strokes()[static_cast<std::size_t>(i)];
        if (stroke.touch.softness > 0 && stroke.touch.edge <= 0) continue;
        const double fine = stroke.touch.edge > 0 ? stroke.touch.edge : sculpture_.fine_edge;
        edge = std::min(edge, fine + grading * std::abs(stroke.shape.distance(p)));
    }
    return edge;
}

Color Field::color(Vec3d p) const {
    const Block& block = block_at(p);
    const double crisp = edge_length(p) * 0.9;
    const auto cover = [&](double d, double softness) {
        const double width = std::max(softness, crisp) / 2;
        return 1 - smooth_step(-width, width, d);
    };
    Color color;
    double nearest = 1e3;
    for (const int i : block.lumps) {
        const Lump& lump = sculpture_.lumps()[static_cast<std::size_t>(i)];
        if (lump.carve) continue;
        const double d = lump.shape.distance(p);
        color = mix(color, lump.color, cover((d - nearest) / 2, lump.touch.softness));
        nearest = std::min(nearest, d);
    }
    for (const int i : block.strokes) {
        const Stroke& stroke = sculpture_.strokes()[static_cast<std::size_t>(i)];
        color = mix(color, stroke.color, cover(stroke.shape.distance(p), stroke.touch.softness));
    }
    return color;
}

void Field::part_distances(Vec3d p, std::vector<double>& out) const {
    out.assign(parts_.size(), 1e3);
    for (const int i : block_at(p).lumps) {
        const int part = part_of_lump_[static_cast<std::size_t>(i)];
        if (part < 0) continue;
        const double d = sculpture_.lumps()[static_cast<std::size_t>(i)].shape.distance(p);
        out[static_cast<std::size_t>(part)] = std::min(out[static_cast<std::size_t>(part)], d);
    }
}

}  // namespace fascia::characters
