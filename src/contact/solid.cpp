#include "contact/solid.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace fascia::contact {

namespace {

constexpr int mesh_cells = 48;    ///< along the longest edge of a mesh's box
constexpr int most_paces = 64;    ///< of first_met
constexpr float arrived = 1e-4f;  ///< of the way, or of the solid

/// Cells inside a closed mesh: along each line parallel to z, triangles that face down lead in, the others out.
std::vector<std::uint8_t> cells_inside(const RestGrid& grid, std::span<const Vec3> positions,
                                       std::span<const std::uint32_t> triangles) {
    struct Crossing {
        float z;
        int turn;
    };
    std::vector<std::vector<Crossing>> lines(std::size_t(grid.nx) * std::size_t(grid.ny));
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = to_double(positions[triangles[t]] - grid.first),
                    b = to_double(positions[triangles[t + 1]] - grid.first),
                    c = to_double(positions[triangles[t + 2]] - grid.first);
        const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if (area == 0) continue;
        const int x0 = std::max(0, int(std::ceil(std::min({a.x, b.x, c.x})))),
                  x1 = std::min(grid.nx - 1, int(std::floor(std::max({a.x, b.x, c.x})))),
                  y0 = std::max(0, int(std::ceil(std::min({a.y, b.y, c.y})))),
                  y1 = std::min(grid.ny - 1, int(std::floor(std::max({a.y, b.y, c.y}))));
        // A line through an edge belongs to the triangle on its left; the lines are slightly off those of the grid.
        const double off_x = 1.234e-5, off_y = 2.345e-5;
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x) {
                const double px = x + off_x, py = y + off_y;
                const double u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area,
                             v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area, w = 1 - u - v;
                if (u < 0 || v < 0 || w < 0) continue;
                lines[std::size_t(y) * std::size_t(grid.nx) + std::size_t(x)].push_back(
                    {float(u * a.z + v * b.z + w * c.z), area > 0 ? -1 : 1});
            }
    }
    std::vector<std::uint8_t> out(grid.size(), 0);
    for (int y = 0; y < grid.ny; ++y)
        for (int x = 0; x < grid.nx; ++x)
            for (int z = 0; z < grid.nz; ++z) {
                int winding = 0;
                for (const Crossing& each : lines[std::size_t(y) * std::size_t(grid.nx) + std::size_t(x)])
                    if (each.z < float(z)) winding += each.turn;
                out[grid.index(x, y, z)] = winding != 0;
            }
    return out;
}

FloatBox box_around(std::span<const Vec3> points) {
    FloatBox out;
    for (const Vec3 p : points) out.add(p);
    return out;
}

}  // namespace

bool is_closed(std::span<const std::uint32_t> triangles) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k)
            if (!edges.insert({triangles[t + k], triangles[t + (k + 1) % 3]}).second) return false;
    return !edges.empty() && std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
        return edges.count({edge.second, edge.first}) != 0;
    });
}

Solid Solid::plane() {
    return {};
}

Solid Solid::sphere(float radius) {
    return capsule(radius, 0);
}

Solid Solid::capsule(float radius, float length) {
    Solid out;
    out.kind_ = length > 0 ? Kind::capsule : Kind::sphere;
    out.radius_ = radius;
    out.half_length_ = length / 2;
    const Vec3 half{radius, radius + length / 2, radius};
    out.box_ = {-half, half};
    return out;
}

Solid Solid::box(Vec3 size) {
    Solid out;
    out.kind_ = Kind::box;
    out.half_ = size * 0.5f;
    out.box_ = {-out.half_, out.half_};
    return out;
}

Solid Solid::hull(std::vector<HalfSpace> sides, std::span<const Vec3> points) {
    Solid out;
    out.kind_ = Kind::hull;
    out.sides_ = std::move(sides);
    out.box_ = box_around(points);
    return out;
}

Solid Solid::mesh(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles) {
    Solid out;
    out.kind_ = Kind::mesh;
    out.box_ = box_around(positions);
    const Vec3 size = out.box_.high - out.box_.low;
    auto field = std::make_shared<Field>();
    field->cell = std::max({size.x, size.y, size.z}) / float(mesh_cells);
    field->first = out.box_.low - Vec3{2, 2, 2} * field->cell;
    const auto cells = [&](float edge) { return int(std::ceil(edge / field->cell)) + 5; };
    const RestGrid grid{{}, cells(size.x), cells(size.y), cells(size.z)};
    std::vector<Vec3> local;
    for (const Vec3 p : positions) local.push_back((p - field->first) * (1 / field->cell));
    const std::vector<std::uint8_t> inside = cells_inside(grid, local, triangles), all(grid.size(), 1);
    const std::vector<SurfacePlace> nearest = nearest_places(grid, local, triangles, all);
    std::vector<float> distance(grid.size());
    for (std::size_t k = 0; k < distance.size(); ++k)
        distance[k] = inside[k] != 0 ? -nearest[k].distance : nearest[k].distance;
    field->distance = RestDistance(grid, distance);
    out.field_ = std::move(field);
    return out;
}

float Solid::distance(Vec3 p, Vec3& out) const {
    const Vec3 up{0, 1, 0};
    switch (kind_) {
        case Kind::plane: out = up; return p.y;
        case Kind::sphere:
        case Kind::capsule: {
            const Vec3 axis{0, std::clamp(p.y, -half_length_, half_length_), 0}, away = p - axis;
            out = normalized(away, {1, 0, 0});
            return length(away) - radius_;
        }
        case Kind::box: {
            const Vec3 q{std::abs(p.x) - half_.x, std::abs(p.y) - half_.y, std::abs(p.z) - half_.z};
            const Vec3 side{p.x < 0 ? -1.0f : 1.0f, p.y < 0 ? -1.0f : 1.0f, p.z < 0 ? -1.0f : 1.0f};
            const Vec3 beyond{std::max(q.x, 0.0f), std::max(q.y, 0.0f), std::max(q.z, 0.0f)};
            const float outside = length(beyond), deepest = std::max({q.x, q.y, q.z});
            if (outside > 0) {
                out = Vec3{beyond.x * side.x, beyond.y * side.y, beyond.z * side.z} * (1 / outside);
                return outside;
            }
            out = q.x == deepest ? Vec3{side.x, 0, 0} : q.y == deepest ? Vec3{0, side.y, 0} : Vec3{0, 0, side.z};
            return deepest;
        }
        case Kind::hull: {
            float most = -1e30f;
            for (const HalfSpace& side : sides_)
                if (const float above = dot(side.normal, p) - side.height; above > most)
                    most = above, out = side.normal;
            return most;
        }
        case Kind::mesh: {
            const float cells = field_->distance.at((p - field_->first) * (1 / field_->cell), out);
            out = normalized(out, up);
            return cells * field_->cell;
        }
    }
    return 1e30f;
}

float Solid::first_met(Vec3 from, Vec3 to) const {
    const Vec3 way = to - from;
    const float whole = length(way);
    if (!(whole > 0)) return 1;
    // Nothing solid is nearer than the distance, so at least that much of the way is free.
    float t = 0;
    for (int pace = 0; pace < most_paces && t < 1; ++pace) {
        Vec3 out;
        const float free = distance(from + way * t, out);
        if (free <= arrived * whole) return t;
        t += free / whole;
    }
    return std::min(t, 1.0f);
}

}  // namespace fascia::contact
