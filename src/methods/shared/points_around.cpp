#include "methods/shared/points_around.h"

#include <algorithm>
#include <cmath>

#include "methods/shared/joint_places.h"

namespace fascia {

namespace {

/// How far around a point others are looked for, in units of the coarser spacing.
constexpr double reach_around = 1.25;
/// Share of a point that follows none of the same joints.
constexpr double least_kinship = 0.02;

/// How much two points follow the same joints, 0..1.
double kinship(const RestPoints& a, std::size_t i, const RestPoints& b, std::size_t k) {
    if (a.joints.empty() || b.joints.empty()) return 1;
    double shared = 0;
    for (std::size_t p = i; p < 4 * a.stride; p += a.stride)
        for (std::size_t q = k; q < 4 * b.stride; q += b.stride)
            if (a.joints[p] == b.joints[q]) shared += std::min(a.weights[p], b.weights[q]);
    return std::min(shared, 1.0);
}

/// Points sorted into cubes.
class Cubes {
public:
    Cubes(const RestPoints& points, double edge) : edge_(edge) {
        for (const std::uint32_t slot : points.slots) items_.push_back({cube_of(points.place(slot)), slot});
        std::sort(items_.begin(), items_.end());
    }

    /// Calls visit(slot) for the points of the 27 cubes around p, in a fixed order.
    template <class Visit>
    void around(Vec3d p, Visit&& visit) const {
        const Cube at = cube_of(p);
        for (std::int64_t x = at.x - 1; x <= at.x + 1; ++x)
            for (std::int64_t y = at.y - 1; y <= at.y + 1; ++y) {
                const Item low{{x, y, at.z - 1}, 0};
                for (auto item = std::lower_bound(items_.begin(), items_.end(), low);
                     item != items_.end() && item->cube.x == x && item->cube.y == y && item->cube.z <= at.z + 1; ++item)
                    visit(item->slot);
            }
    }

private:
    struct Cube {
        std::int64_t x = 0, y = 0, z = 0;
        auto operator<=>(const Cube&) const = default;
    };
    struct Item {
        Cube cube;
        std::uint32_t slot = 0;
        auto operator<=>(const Item&) const = default;
    };
    Cube cube_of(Vec3d p) const {
        const auto index = [&](double v) { return std::int64_t(std::floor(v / edge_)); };
        return {index(p.x), index(p.y), index(p.z)};
    }

    double edge_;
    std::vector<Item> items_;
};

}  // namespace

Vec3d RestPoints::place(std::size_t slot) const {
    const Vec3d local{rest[slot], rest[stride + slot], rest[2 * stride + slot]};
    return from_axes(local * h, turn) + centre;
}

PointsAround points_around(const RestPoints& points, const RestPoints& others) {
    const double radius = reach_around * std::max(points.h, others.h);
    const Cubes cubes(others, radius);
    PointsAround out;
    out.first.push_back(0);
    for (const std::uint32_t slot : points.slots) {
        const Vec3d p = points.place(slot);
        const std::size_t begin = out.slots.size();
        double sum = 0;
        cubes.around(p, [&](std::uint32_t other) {
            const double near = 1 - length(others.place(other) - p) / radius;
            if (!(near > 0)) return;
            const double share = near * near * std::max(kinship(points, slot, others, other), least_kinship);
            out.slots.push_back(other);
            out.shares.push_back(float(share));
            sum += share;
        });
        for (std::size_t k = begin; k < out.shares.size(); ++k) out.shares[k] = float(out.shares[k] / sum);
        out.first.push_back(std::uint32_t(out.slots.size()));
    }
    return out;
}

}  // namespace fascia
