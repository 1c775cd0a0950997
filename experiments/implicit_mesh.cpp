#include "implicit_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fascia::experiments {

namespace {

/// Surface nets: one vertex in each cell that the surface passes, a quad around each edge that it cuts.
class Nets {
public:
    Nets(const Solid& solid, Vec3d low, Vec3d high, int cells)
        : low_(low), h_(std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / cells) {
        const Vec3d size = high - low;
        n_ = {int(std::ceil(size.x / h_)) + 1, int(std::ceil(size.y / h_)) + 1, int(std::ceil(size.z / h_)) + 1};
        for (int z = 0; z < n_[2]; ++z)
            for (int y = 0; y < n_[1]; ++y)
                for (int x = 0; x < n_[0]; ++x) values_.push_back(solid(corner(x, y, z)));
        vertices_.assign(values_.size(), -1);
    }

    Mesh mesh() {
        for (int z = 0; z + 1 < n_[2]; ++z)
            for (int y = 0; y + 1 < n_[1]; ++y)
                for (int x = 0; x + 1 < n_[0]; ++x) add_vertex(x, y, z);
        for (int axis = 0; axis < 3; ++axis)
            for (int z = 1; z + 1 < n_[2]; ++z)
                for (int y = 1; y + 1 < n_[1]; ++y)
                    for (int x = 1; x + 1 < n_[0]; ++x) add_quad({x, y, z}, axis);
        add_normals();
        return std::move(out_);
    }

private:
    Vec3d corner(int x, int y, int z) const { return low_ + Vec3d{double(x), double(y), double(z)} * h_; }
    std::size_t at(int x, int y, int z) const { return std::size_t((z * n_[1] + y) * n_[0] + x); }

    void add_vertex(int x, int y, int z) {
        Vec3d sum{};
        int cuts = 0;
        for (int a = 0; a < 8; ++a)
            for (int axis = 0; axis < 3; ++axis) {
                const int b = a | 1 << axis;
                if (b == a) continue;
                const auto place = [&](int k) {
                    return std::array<int, 3>{x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)};
                };
                const auto [ax, ay, az] = place(a);
                const auto [bx, by, bz] = place(b);
                const double from = values_[at(ax, ay, az)], to = values_[at(bx, by, bz)];
                if ((from < 0) == (to < 0)) continue;
                const double t = from / (from - to);
                sum += corner(ax, ay, az) * (1 - t) + corner(bx, by, bz) * t;
                ++cuts;
            }
        if (cuts == 0) return;
        vertices_[at(x, y, z)] = int(out_.positions.size());
        out_.positions.push_back(to_float(sum * (1.0 / cuts)));
    }

    void add_normals() {
        std::vector<Vec3d> sums(out_.positions.size());
        for (std::size_t t = 0; t < out_.triangles.size(); t += 3) {
            const auto place = [&](std::size_t k) { return to_double(out_.positions[out_.triangles[t + k]]); };
            const Vec3d n = cross(place(1) - place(0), place(2) - place(0));
            for (std::size_t k = 0; k < 3; ++k) sums[out_.triangles[t + k]] += n;
        }
        for (const Vec3d n : sums) out_.normals.push_back(to_float(normalized(n)));
    }

    /// Around the edge from a corner along an axis.
    void add_quad(std::array<int, 3> from, int axis) {
        std::array<int, 3> to = from;
        ++to[std::size_t(axis)];
        const bool in = values_[at(from[0], from[1], from[2])] < 0, end = values_[at(to[0], to[1], to[2])] < 0;
        if (in == end) return;
        const std::size_t u = std::size_t(axis + 1) % 3, v = std::size_t(axis + 2) % 3;
        std::array<std::uint32_t, 4> quad{};
        constexpr int steps[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
        for (std::size_t k = 0; k < 4; ++k) {
            std::array<int, 3> cell = from;
            cell[u] += steps[k][0], cell[v] += steps[k][1];
            quad[k] = std::uint32_t(vertices_[at(cell[0], cell[1], cell[2])]);
        }
        if (!in) std::swap(quad[1], quad[3]);
        for (const std::size_t k : {0, 1, 2, 0, 2, 3}) out_.triangles.push_back(quad[k]);
    }

    Vec3d low_;
    double h_;
    std::array<int, 3> n_{};
    std::vector<double> values_;
    std::vector<int> vertices_;
    Mesh out_;
};

}  // namespace

Mesh surface_of(const Solid& solid, Vec3d low, Vec3d high, int cells) {
    return Nets(solid, low, high, cells).mesh();
}

}  // namespace fascia::experiments
