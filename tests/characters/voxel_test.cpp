// What a lattice of resolution 32 will see: enough voxels, and limbs that do not fuse. A brute-force twin of the
// voxeliser that shares no code with it.
#include <array>
#include <queue>

#include "bundled_body.h"

namespace fascia::test {
namespace {

bool overlap_on(Vec3d axis, const std::array<Vec3d, 3>& t, double half) {
    const double a = dot(axis, t[0]), b = dot(axis, t[1]), c = dot(axis, t[2]);
    const double r = half * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z)) * (1 + 1e-9);
    return std::min({a, b, c}) <= r && std::max({a, b, c}) >= -r;
}

/// Triangle against the cube of half edge `half` about the origin: thirteen separating axes.
bool touches(const std::array<Vec3d, 3>& t, double half) {
    const std::array<Vec3d, 3> unit{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    const std::array<Vec3d, 3> edge{t[1] - t[0], t[2] - t[1], t[0] - t[2]};
    for (const Vec3d& u : unit)
        if (!overlap_on(u, t, half)) return false;
    if (!overlap_on(cross(edge[0], edge[1]), t, half)) return false;
    for (const Vec3d& u : unit)
        for (const Vec3d& e : edge)
            if (!overlap_on(cross(u, e), t, half)) return false;
    return true;
}

struct Voxels {
    int n = 0;  ///< cells along each side, including two empty ones at both ends
    double h = 0;
    Vec3d origin;
    std::vector<char> solid;

    std::size_t at(int x, int y, int z) const { return static_cast<std::size_t>((z * n + y) * n + x); }
    std::array<int, 3> cell(Vec3d p) const {
        const Vec3d q = (p - origin) * (1 / h);
        return {static_cast<int>(q.x), static_cast<int>(q.y), static_cast<int>(q.z)};
    }
};

Voxels voxelise(const Character& body, int resolution) {
    const std::vector<Vec3d> points = rest_points(body);
    const Box box = box_of(points);
    Voxels v;
    v.n = resolution + 4;
    v.h = box.longest() * (1 + 1e-6) / resolution;
    v.origin = (box.low + box.high) * 0.5 - Vec3d{1, 1, 1} * (v.n * v.h / 2);
    v.solid.assign(static_cast<std::size_t>(v.n) * static_cast<std::size_t>(v.n) * static_cast<std::size_t>(v.n), 0);
    const auto& t = body.mesh.triangles;
    for (std::size_t i = 0; i < t.size(); i += 3) {
        const std::array<Vec3d, 3> tri{points[t[i]], points[t[i + 1]], points[t[i + 2]]};
        Box around;
        for (const Vec3d& p : tri) around.add(p);
        const auto low = v.cell(around.low), high = v.cell(around.high);
        for (int z = low[2]; z <= high[2]; ++z) {
            for (int y = low[1]; y <= high[1]; ++y) {
                for (int x = low[0]; x <= high[0]; ++x) {
                    const Vec3d centre = v.origin + Vec3d{x + 0.5, y + 0.5, z + 0.5} * v.h;
                    if (touches({tri[0] - centre, tri[1] - centre, tri[2] - centre}, v.h / 2))
                        v.solid[v.at(x, y, z)] = 1;
                }
            }
        }
    }
    // Whatever cannot be reached from outside through faces is inside.
    std::vector<char> outside(v.solid.size(), 0);
    std::queue<std::array<int, 3>> open;
    open.push({0, 0, 0});
    outside[0] = 1;
    while (!open.empty()) {
        const auto [x, y, z] = open.front();
        open.pop();
        const int step[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        for (const auto& s : step) {
            const int a = x + s[0], b = y + s[1], c = z + s[2];
            if (a < 0 || b < 0 || c < 0 || a >= v.n || b >= v.n || c >= v.n) continue;
            char& seen = outside[v.at(a, b, c)];
            if (seen || v.solid[v.at(a, b, c)]) continue;
            seen = 1;
            open.push({a, b, c});
        }
    }
    for (std::size_t i = 0; i < v.solid.size(); ++i) v.solid[i] = !outside[i];
    return v;
}

TEST(Voxels, BunnyHasTheMassThatTheLatticeWants) {
    const Voxels v = voxelise(bundled("bunny"), 32);
    const auto count = std::count(v.solid.begin(), v.solid.end(), 1);
    EXPECT_GE(count, 3500);
    EXPECT_LE(count, 5000);
}

TEST(Voxels, TheTwinItselfIsRight) {
    // For a ball, occupied volume over true volume is 1 + 2.25 h / r (docs/formulas.md A1).
    Character ball;
    constexpr int rows = 96, columns = 192;
    for (int i = 0; i <= rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            const double a = 3.14159265358979 * i / rows, b = 2 * 3.14159265358979 * k / columns;
            ball.mesh.positions.push_back(
                to_float(Vec3d{std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b)}));
        }
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t k = 0; k < columns; ++k) {
            const std::uint32_t a = i * columns + k, b = i * columns + (k + 1) % columns;
            for (const std::uint32_t v : {a, b, a + columns, b, b + columns, a + columns})
                ball.mesh.triangles.push_back(v);
        }
    }
    const Voxels v = voxelise(ball, 32);
    const double volume = static_cast<double>(std::count(v.solid.begin(), v.solid.end(), 1)) * v.h * v.h * v.h;
    EXPECT_NEAR(volume / (4.0 / 3 * 3.14159265358979), 1.141, 0.01);
}

/// Voxels of the vertices that follow these joints to at least nine tenths.
std::vector<std::array<int, 3>> cells_of(const Character& body, const Voxels& v,
                                         const std::vector<std::string>& names) {
    std::vector<std::array<int, 3>> cells;
    for (std::size_t i = 0; i < body.mesh.vertex_count(); ++i) {
        float share = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::string& owner = body.joints[body.weights.joints[i * 4 + k]].name;
            if (std::find(names.begin(), names.end(), owner) != names.end()) share += body.weights.weights[i * 4 + k];
        }
        if (share >= 0.9f) cells.push_back(v.cell(to_double(body.mesh.positions[i])));
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

/// Fewest steps from a voxel of one set to one of the other, diagonal steps allowed.
int gap(const std::vector<std::array<int, 3>>& some, const std::vector<std::array<int, 3>>& others) {
    int smallest = 1000;
    for (const auto& p : some)
        for (const auto& q : others)
            smallest =
                std::min(smallest, std::max({std::abs(p[0] - q[0]), std::abs(p[1] - q[1]), std::abs(p[2] - q[2])}));
    return smallest;
}

TEST(Voxels, LimbsAreApart) {
    for (const std::string& name : creatures()) {
        const Character& body = bundled(name);
        const Voxels v = voxelise(body, 32);
        const auto left_leg = cells_of(body, v, {"left_lower_leg", "left_foot"});
        const auto right_leg = cells_of(body, v, {"right_lower_leg", "right_foot"});
        const auto forearm = cells_of(body, v, {"left_lower_arm", "left_hand"});
        const auto trunk = cells_of(
            body, v, {"hips", "spine", "chest", "belly", "neck", "head", "beard", "left_upper_leg", "left_lower_leg"});
        ASSERT_GT(std::min({left_leg.size(), right_leg.size(), forearm.size(), trunk.size()}), 20u);
        // Three steps apart means two empty voxels in between.
        EXPECT_GE(gap(left_leg, right_leg), 3) << name;
        EXPECT_GE(gap(forearm, trunk), 3) << name;
    }
}

}  // namespace
}  // namespace fascia::test
