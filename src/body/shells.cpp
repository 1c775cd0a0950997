#include "body/shells.h"

#include <algorithm>
#include <map>

#include "base/box.h"
#include "fascia/measure.h"

namespace fascia {

namespace {

constexpr double one_joint = 0.98;     ///< of the weights: a shell held by less bends
constexpr double largest_piece = 0.2;  ///< of the area: more than this is the body, not something on it
constexpr double most_plates = 0.6;    ///< of the area: from here on a body is a machine
constexpr std::size_t fewest_plates = 3;
constexpr double riding_radius = 0.04;  ///< of the size

/// A third of the triangles around each vertex. [vertices]
std::vector<double> vertex_areas(const ShellInput& surface) {
    std::vector<double> out(surface.positions.size(), 0);
    for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3) {
        const Vec3d a = to_double(surface.positions[surface.triangles[t]]);
        const Vec3d b = to_double(surface.positions[surface.triangles[t + 1]]);
        const Vec3d c = to_double(surface.positions[surface.triangles[t + 2]]);
        const double third = length(cross(b - a, c - a)) / 6;
        for (std::size_t k = 0; k < 3; ++k) out[surface.triangles[t + k]] += third;
    }
    return out;
}

void number_shells(const ShellInput& surface, Shells& out) {
    const Components components = find_components(surface.triangles, weld_by_position(surface.positions));
    out.all.resize(components.closed.size());
    out.of_vertex.assign(surface.positions.size(), Shells::none);
    for (std::size_t k = 0; k < surface.triangles.size(); ++k)
        out.of_vertex[surface.triangles[k]] = components.of_triangle[k / 3];
}

void measure_shells(const ShellInput& surface, const std::vector<double>& areas, Shells& out) {
    for (std::size_t v = 0; v < areas.size(); ++v) {
        if (out.of_vertex[v] == Shells::none) continue;
        Shell& shell = out.all[out.of_vertex[v]];
        shell.area += areas[v];
        shell.centre += to_double(surface.positions[v]) * areas[v];
        ++shell.vertices;
    }
    for (Shell& shell : out.all)
        if (shell.area > 0) shell.centre = shell.centre * (1 / shell.area);
    for (std::size_t v = 0; v < areas.size(); ++v) {
        if (out.of_vertex[v] == Shells::none) continue;
        Shell& shell = out.all[out.of_vertex[v]];
        shell.radius = std::max(shell.radius, length(to_double(surface.positions[v]) - shell.centre));
    }
}

void find_holders(const ShellInput& surface, const std::vector<double>& areas, Shells& out) {
    const auto slots = std::size_t(surface.weights.influences);
    std::vector<std::map<std::uint16_t, double>> holds(out.all.size());
    for (std::size_t v = 0; v < areas.size(); ++v)
        for (std::size_t k = v * slots; out.of_vertex[v] != Shells::none && k < (v + 1) * slots; ++k)
            if (surface.weights.weights[k] > 0)
                holds[out.of_vertex[v]][surface.weights.joints[k]] += areas[v] * double(surface.weights.weights[k]);
    for (std::size_t s = 0; s < holds.size(); ++s)
        for (const auto& [joint, held] : holds[s])
            if (out.all[s].area > 0 && held / out.all[s].area > out.all[s].held)
                out.all[s].held = held / out.all[s].area, out.all[s].joint = joint;
}

}  // namespace

Shells find_shells(const ShellInput& surface) {
    Shells out;
    const std::vector<double> areas = vertex_areas(surface);
    number_shells(surface, out);
    measure_shells(surface, areas, out);
    find_holders(surface, areas, out);
    double total = 0, on_one_joint = 0;
    std::vector<std::uint16_t> joints;
    for (const Shell& shell : out.all) {
        total += shell.area;
        if (shell.held < one_joint) continue;
        on_one_joint += shell.area;
        joints.push_back(shell.joint);
    }
    std::sort(joints.begin(), joints.end());
    const auto distinct = std::size_t(std::unique(joints.begin(), joints.end()) - joints.begin());
    out.plates = distinct >= fewest_plates && on_one_joint > most_plates * total;
    const double size = box_of(surface.positions).longest();
    for (Shell& shell : out.all) {
        shell.stiff = shell.held >= one_joint && (out.plates || shell.area < largest_piece * total);
        shell.holds_flesh = out.plates || shell.radius > riding_radius * size;
    }
    return out;
}

std::vector<float> softness_of_shells(const Shells& shells) {
    const auto holds = [](const Shell& shell) { return shell.stiff && shell.holds_flesh; };
    if (std::none_of(shells.all.begin(), shells.all.end(), holds)) return {};
    std::vector<float> out(shells.of_vertex.size(), 1);
    for (std::size_t v = 0; v < out.size(); ++v)
        if (shells.is_stiff(v) && shells.all[shells.of_vertex[v]].holds_flesh) out[v] = 0;
    return out;
}

std::vector<double> shared_holds(const ShellInput& surface, std::size_t joints) {
    const std::vector<double> areas = vertex_areas(surface);
    const auto slots = std::size_t(surface.weights.influences);
    std::vector<double> held(joints, 0), shared(joints, 0);
    for (std::size_t v = 0; v < areas.size(); ++v)
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k) {
            const double w = double(surface.weights.weights[k]);
            held[surface.weights.joints[k]] += areas[v] * w;
            shared[surface.weights.joints[k]] += areas[v] * w * (1 - w);
        }
    for (std::size_t j = 0; j < joints; ++j) shared[j] = held[j] > 0 ? shared[j] / held[j] : 0;
    return shared;
}

}  // namespace fascia
