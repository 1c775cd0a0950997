#include "body/body_shells.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/box.h"
#include "base/union_find.h"
#include "lattice/winding.h"

namespace fascia {

namespace {

constexpr double least_volume = 0.002;  ///< of area^1.5, for a component that is not closed; a ball has 0.094
/// As a share of the size: twice the volume over the area, which is the thickness of a plate and the radius of a limb.
constexpr double least_thickness = 0.03;
/// How many corners of a component are checked, evenly spread, and how many of those must be inside another component.
constexpr std::size_t most_looks = 400;
constexpr double least_inside = 0.01, most_inside = 0.95;
/// How many components one is compared with: those whose boxes overlap its own, and those of them that are checked in
/// detail.
constexpr std::size_t most_beside = 1000, most_looked = 64;

struct Component {
    std::vector<std::uint32_t> triangles;  ///< corners
    Vec3d middle;
    double volume = 0, area = 0;
    Box box;
};

std::vector<Component> gather(const Mesh& mesh, const Components& components) {
    std::vector<Component> out(components.closed.size());
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        Component& c = out[components.of_triangle[k / 3]];
        const Vec3d p = to_double(mesh.positions[mesh.triangles[k]]);
        c.triangles.push_back(mesh.triangles[k]);
        c.middle = c.middle + p;
        c.box.add(p);
    }
    for (Component& c : out) {
        if (!c.triangles.empty()) c.middle = c.middle * (1 / double(c.triangles.size()));
        for (std::size_t k = 0; k < c.triangles.size(); k += 3) {
            const auto at = [&](std::size_t n) { return to_double(mesh.positions[c.triangles[k + n]]); };
            c.volume += dot(at(0) - c.middle, cross(at(1) - c.middle, at(2) - c.middle)) / 6;
            c.area += length(cross(at(1) - at(0), at(2) - at(0))) / 2;
        }
    }
    return out;
}

bool meet(const Box& a, const Box& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// Joins the components that are flesh and reach into one another.
class FleshJoiner {
public:
    FleshJoiner(const Mesh& mesh, const std::vector<Component>& components)
        : mesh_(mesh), components_(components), fields_(components.size()), joined_(components.size()) {
        const double size = box_of(mesh.positions).longest();
        std::vector<std::uint32_t> thick;
        for (std::uint32_t c = 0; c < components.size(); ++c)
            if (2 * std::abs(components[c].volume) > least_thickness * size * components[c].area) thick.push_back(c);
        // By x: components whose boxes overlap are near one another in this order.
        std::sort(thick.begin(), thick.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(components[a].box.low.x, a) < std::pair(components[b].box.low.x, b);
        });
        for (std::size_t k = 0; k < thick.size(); ++k) join_with_next(thick, k);
    }
    std::uint32_t lead(std::uint32_t component) { return joined_.lead(component); }

private:
    void join_with_next(const std::vector<std::uint32_t>& thick, std::size_t k) {
        const std::uint32_t a = thick[k];
        std::size_t beside = 0, looked = 0;
        for (std::size_t l = k + 1; l < thick.size(); ++l) {
            const std::uint32_t b = thick[l];
            if (components_[b].box.low.x > components_[a].box.high.x) return;
            if (!meet(components_[a].box, components_[b].box)) continue;
            // In a heap this dense, everything reaches into something.
            if (++beside > most_beside || looked == most_looked) return joined_.join(a, b);
            if (joined_.lead(a) == joined_.lead(b)) continue;
            ++looked;
            if (reaches_into(a, b) || reaches_into(b, a)) joined_.join(a, b);
        }
    }

    /// Some of it, but not all: a component that another swallows whole is connected to nothing else.
    bool reaches_into(std::uint32_t a, std::uint32_t b) {
        const std::vector<std::uint32_t>& corners = components_[a].triangles;
        const std::size_t stride = std::max<std::size_t>(1, corners.size() / most_looks);
        std::size_t looks = 0, inside = 0;
        for (std::size_t k = 0; k < corners.size(); k += stride, ++looks) {
            const Vec3d p = to_double(mesh_.positions[corners[k]]);
            inside += components_[b].box.holds(p) && std::abs(field(b).at(p)) > 0.5;
        }
        return double(inside) > least_inside * double(looks) && double(inside) < most_inside * double(looks);
    }
    const lattice::WindingField& field(std::uint32_t c) {
        if (!fields_[c])
            fields_[c] = std::make_unique<lattice::WindingField>(mesh_.positions, components_[c].triangles);
        return *fields_[c];
    }

    const Mesh& mesh_;
    const std::vector<Component>& components_;
    std::vector<std::unique_ptr<lattice::WindingField>> fields_;
    UnionFind joined_;
};

}  // namespace

BodyShells find_body_shells(const Mesh& mesh, const Components& components) {
    const std::vector<Component> all = gather(mesh, components);
    FleshJoiner joiner(mesh, all);
    BodyShells out{std::vector<std::int32_t>(mesh.triangle_count(), 0), {}};
    out.body = out.shell;
    for (std::size_t t = 0; t < out.shell.size(); ++t) {
        const std::uint32_t c = components.of_triangle[t];
        const double enough = components.closed[c] ? 0 : least_volume * all[c].area * std::sqrt(all[c].area);
        if (std::abs(all[c].volume) <= enough) continue;
        const int facing = all[c].volume > 0 ? 1 : -1;
        out.shell[t] = facing * std::int32_t(c + 1);
        out.body[t] = facing * std::int32_t(joiner.lead(c) + 1);
    }
    return out;
}

}  // namespace fascia
