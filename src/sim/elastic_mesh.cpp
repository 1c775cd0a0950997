#include "sim/elastic_mesh.h"

namespace fascia::sim {

namespace {

Matrix3 stress(const Matrix3& strain, Stiffness s) {
    const double trace = strain.m[0][0] + strain.m[1][1] + strain.m[2][2];
    return strain * (2 * s.mu) + scaled_identity(s.lambda * trace);
}

Matrix3 symmetric(const Matrix3& a) {
    return (a + transposed(a)) * 0.5;
}

}  // namespace

Stiffness stiffness_of(double young, double poisson) {
    return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

bool ElasticMesh::add_tetrahedron(const std::array<std::uint32_t, 4>& nodes, std::span<const Vec3d> rest,
                                  Stiffness stiffness) {
    const Vec3d o = rest[nodes[0]];
    const Matrix3 edges = from_columns(rest[nodes[1]] - o, rest[nodes[2]] - o, rest[nodes[3]] - o);
    const double six = determinant(edges);
    if (!(six > 0)) return false;
    const Matrix3 back = transposed(inverse(edges));
    Point p;
    p.volume = six / 6;
    p.stiffness = stiffness;
    for (int a = 0; a < 4; ++a) p.node[a] = nodes[a];
    for (int a = 1; a < 4; ++a) {
        p.gradient[a] = column(back, a - 1);
        p.gradient[0] = p.gradient[0] - p.gradient[a];
    }
    points_.push_back(p);
    ++elements_;
    return true;
}

bool ElasticMesh::add_hexahedron(const std::array<std::uint32_t, 8>& nodes, std::span<const Vec3d> rest,
                                 Stiffness stiffness) {
    const double root = 1 / std::sqrt(3.0);
    std::vector<Point> eight;
    for (int g = 0; g < 8; ++g) {
        const auto side = [](int corner, int axis) { return (corner >> axis) & 1 ? 1.0 : -1.0; };
        Point p;
        p.nodes = 8;
        p.stiffness = stiffness;
        Matrix3 jacobian;
        for (int a = 0; a < 8; ++a) {
            double f[3];
            for (int c = 0; c < 3; ++c) f[c] = 1 + side(a, c) * side(g, c) * root;
            p.node[a] = nodes[a];
            p.gradient[a] = Vec3d{side(a, 0) * f[1] * f[2], side(a, 1) * f[0] * f[2], side(a, 2) * f[0] * f[1]} * 0.125;
            jacobian = jacobian + outer(rest[nodes[a]], p.gradient[a]);
        }
        p.volume = determinant(jacobian);
        if (!(p.volume > 0)) return false;
        const Matrix3 back = transposed(inverse(jacobian));
        for (Vec3d& each : p.gradient) each = back * each;
        eight.push_back(p);
    }
    points_.insert(points_.end(), eight.begin(), eight.end());
    ++elements_;
    return true;
}

Matrix3 ElasticMesh::gradient_of(const Point& p, std::span<const Vec3d> x) {
    Matrix3 out;
    for (int a = 0; a < p.nodes; ++a) {
        const Vec3d at = x[p.node[a]], g = p.gradient[a];
        const double row[3] = {at.x, at.y, at.z};
        for (int i = 0; i < 3; ++i) {
            out.m[i][0] += row[i] * g.x;
            out.m[i][1] += row[i] * g.y;
            out.m[i][2] += row[i] * g.z;
        }
    }
    return out;
}

double ElasticMesh::rest_volume() const {
    double sum = 0;
    for (const Point& p : points_) sum += p.volume;
    return sum;
}

double ElasticMesh::volume(std::span<const Vec3d> x) const {
    double sum = 0;
    for (const Point& p : points_) sum += p.volume * determinant(gradient_of(p, x));
    return sum;
}

double ElasticMesh::energy(std::span<const Vec3d> x) const {
    double sum = 0;
    for (const Point& p : points_) {
        const Matrix3 f = gradient_of(p, x), r = nearest_rotation(f);
        const Matrix3 strain = symmetric(transposed(r) * f) + scaled_identity(-1), s = stress(strain, p.stiffness);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum += 0.5 * p.volume * strain.m[i][j] * s.m[i][j];
    }
    return sum;
}

void ElasticMesh::add_forces(std::span<const Vec3d> x, std::span<Matrix3> rotations, std::span<Vec3d> forces) const {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const Point& p = points_[k];
        const Matrix3 f = gradient_of(p, x), r = nearest_rotation(f);
        rotations[k] = r;
        const Matrix3 strain = symmetric(transposed(r) * f) + scaled_identity(-1);
        const Matrix3 push = r * stress(strain, p.stiffness) * -p.volume;
        for (int a = 0; a < p.nodes; ++a) forces[p.node[a]] += push * p.gradient[a];
    }
}

void ElasticMesh::add_stiffness(double s, std::span<const Matrix3> rotations, std::span<const Vec3d> u,
                                std::span<Vec3d> out) const {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const Point& p = points_[k];
        const Matrix3& r = rotations[k];
        const Matrix3 strain = symmetric(transposed(r) * gradient_of(p, u));
        const Matrix3 push = r * stress(strain, p.stiffness) * (s * p.volume);
        for (int a = 0; a < p.nodes; ++a) out[p.node[a]] += push * p.gradient[a];
    }
}

void ElasticMesh::add_pairs(std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) const {
    for_each_pair([&](std::uint32_t row, std::uint32_t column) { pairs.push_back({row, column}); });
}

std::vector<std::uint32_t> ElasticMesh::slots_in(const BlockPattern& pattern) const {
    std::vector<std::uint32_t> out;
    for_each_pair([&](std::uint32_t row, std::uint32_t column) { out.push_back(pattern.slot(row, column)); });
    return out;
}

void ElasticMesh::linearise(double s, std::span<const Vec3d> x, std::span<const std::uint32_t> slots,
                            std::span<Matrix3> rotations, std::span<Vec3d> forces, std::span<Matrix3> blocks) const {
    std::size_t next = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const Point& p = points_[k];
        const Matrix3 f = gradient_of(p, x), r = nearest_rotation(f);
        rotations[k] = r;
        const Matrix3 push = r * stress(symmetric(transposed(r) * f) + scaled_identity(-1), p.stiffness) * -p.volume;
        std::array<Vec3d, 8> turned;
        for (int a = 0; a < p.nodes; ++a) {
            forces[p.node[a]] += push * p.gradient[a];
            turned[a] = r * p.gradient[a];
        }
        const double lambda = s * p.volume * p.stiffness.lambda, mu = s * p.volume * p.stiffness.mu;
        for (int a = 0; a < p.nodes; ++a)
            for (int b = 0; b <= a; ++b) {
                const bool swapped = p.node[a] < p.node[b];
                const Vec3d g = turned[swapped ? b : a], h = turned[swapped ? a : b], lg = g * lambda, mh = h * mu;
                const double own = dot(g, mh);
                auto& m = blocks[slots[next++]].m;
                m[0][0] += lg.x * h.x + mh.x * g.x + own;
                m[0][1] += lg.x * h.y + mh.x * g.y;
                m[0][2] += lg.x * h.z + mh.x * g.z;
                m[1][0] += lg.y * h.x + mh.y * g.x;
                m[1][1] += lg.y * h.y + mh.y * g.y + own;
                m[1][2] += lg.y * h.z + mh.y * g.z;
                m[2][0] += lg.z * h.x + mh.z * g.x;
                m[2][1] += lg.z * h.y + mh.z * g.y;
                m[2][2] += lg.z * h.z + mh.z * g.z + own;
            }
    }
}

void ElasticMesh::add_volumes(std::span<double> volumes) const {
    for (const Point& p : points_)
        for (int a = 0; a < p.nodes; ++a) volumes[p.node[a]] += p.volume / p.nodes;
}

}  // namespace fascia::sim
