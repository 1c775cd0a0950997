// Turns a static mesh into a character: the skeleton is placed, centred in the body if asked, and given weights.
#include "fascia/rig_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/box.h"
#include "base/number_text.h"
#include "base/words.h"
#include "character/continuing_child.h"
#include "fascia/measure.h"
#include "lattice/grid.h"
#include "lattice/voxelise.h"

namespace fascia {

namespace {

Box box_of(const Skeleton& skeleton) {
    Box box;
    for (const SkeletonJoint& joint : skeleton) {
        box.add(joint.position);
        if (joint.tail) box.add(*joint.tail);
    }
    return box;
}

/// Are most joints inside, spread over a good part of the body? Then the skeleton is meant to be where it is.
bool lies_inside(const Skeleton& skeleton, const Box& body) {
    std::size_t inside = 0;
    for (const SkeletonJoint& joint : skeleton) inside += body.holds(joint.position);
    return 10 * inside >= 8 * skeleton.size() && box_of(skeleton).longest() >= 0.3 * body.longest();
}

void place(const Mesh& mesh, const RigOptions& options, Skeleton& skeleton, std::vector<std::string>& notes) {
    const Box body = box_of(mesh.positions), bones = box_of(skeleton);
    const bool fit = options.fit == RigOptions::Fit::box ||
                     (options.fit == RigOptions::Fit::automatic && !lies_inside(skeleton, body));
    // A skeleton ends inside the body, a little below its skin.
    const double filled = 0.92;
    const double scale = fit && bones.longest() > 0 ? filled * body.longest() / bones.longest() : 1;
    const auto move = [&](Vec3d p) {
        if (fit) p = body.middle() + (p - bones.middle()) * scale;
        return p * options.scale + options.offset;
    };
    for (SkeletonJoint& joint : skeleton) {
        joint.position = move(joint.position);
        if (joint.tail) joint.tail = move(*joint.tail);
    }
    if (fit) notes.push_back("the skeleton was scaled by " + number_text(scale, 6) + " and moved into the mesh");
}

/// Depth of each cell below the surface, in cells along faces; 0 outside.
std::vector<int> depths(const lattice::Grid& grid, const lattice::SolidCells& solid) {
    std::vector<int> depth(grid.cell_count(), -1);
    std::vector<std::size_t> queue;
    for (std::size_t i = 0; i < depth.size(); ++i)
        if (solid.kinds[i] == lattice::CellKind::outside) depth[i] = 0, queue.push_back(i);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const lattice::Cell c = grid.cell(queue[k]);
        for (const lattice::Cell d : lattice::face_directions) {
            const lattice::Cell next{c.x + d.x, c.y + d.y, c.z + d.z};
            if (!grid.contains(next) || depth[grid.index(next)] >= 0) continue;
            depth[grid.index(next)] = depth[queue[k]] + 1;
            queue.push_back(grid.index(next));
        }
    }
    return depth;
}

/// Moves joints to the deepest cell within two cells (docs/formulas.md D1), the nearest of equally deep ones.
void pull_to_middle(const Mesh& mesh, Skeleton& skeleton) {
    constexpr int resolution = 48, reach = 2;
    const Box body = box_of(mesh.positions);
    const lattice::Grid grid = lattice::make_grid(body.low, body.high, resolution);
    const Weld weld = weld_by_position(mesh.positions);
    const Components components = find_components(mesh.triangles, weld);
    const bool open = std::find(components.closed.begin(), components.closed.end(), false) != components.closed.end();
    const auto surface = lattice::conservative_cells(mesh.positions, mesh.triangles, grid);
    const auto depth = depths(grid, lattice::solid_cells(mesh.positions, mesh.triangles, grid, surface, open));
    for (SkeletonJoint& joint : skeleton) {
        const lattice::Cell c = grid.cell_at(joint.position);
        int deepest = -1;
        double least = 1e300;
        Vec3d best = joint.position;
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const lattice::Cell at{c.x + x, c.y + y, c.z + z};
                    if (!grid.contains(at)) continue;
                    const int d = depth[grid.index(at)];
                    const double far = length(grid.center(at) - joint.position);
                    if (d < deepest || (d == deepest && far >= least)) continue;
                    deepest = d, least = far, best = grid.center(at);
                }
        if (deepest > 0) joint.position = best;
    }
}

/// Files hold floats: a joint further from its parent, or from the origin, cannot be written.
Status check_range(const std::string& name, const Skeleton& skeleton) {
    constexpr double largest = std::numeric_limits<float>::max();
    const auto fits = [](Vec3d v) {
        return std::abs(v.x) <= largest && std::abs(v.y) <= largest && std::abs(v.z) <= largest;
    };
    for (const SkeletonJoint& joint : skeleton) {
        const Vec3d from = joint.parent >= 0 ? skeleton[std::size_t(joint.parent)].position : Vec3d{};
        if (!fits(joint.position) || !fits(joint.position - from) || !fits(joint.tail.value_or(joint.position)))
            return input_error(name + ": the joint '" + short_name(joint.name) +
                               "' of the skeleton lies farther away than a file can express; scale the skeleton down");
    }
    return ok_status();
}

Character assemble(const Mesh& mesh, const std::string& name, const Skeleton& skeleton) {
    Character out;
    out.name = name;
    out.mesh = mesh;
    Node body;
    body.name = name;
    out.nodes.push_back(body);
    out.materials.resize(std::max<std::size_t>(1, out.materials.size()));
    out.materials[0].name = "skin";
    for (const SkeletonJoint& s : skeleton) {
        Node node;
        node.name = s.name;
        node.parent = s.parent >= 0 ? s.parent + 1 : -1;
        node.translation = s.parent >= 0 ? s.position - skeleton[std::size_t(s.parent)].position : s.position;
        out.nodes.push_back(node);
        Joint joint;
        joint.name = s.name;
        joint.node = int(out.nodes.size()) - 1;
        joint.parent = s.parent;
        joint.rest = compose(s.position, {}, {1, 1, 1});
        joint.tail = s.tail.value_or(s.position);
        out.joints.push_back(joint);
    }
    // A bone ends where the child that continues it begins; without such a child it is half as long as the bone before
    // it.
    std::vector<Vec3d> heads;
    std::vector<int> parents;
    for (const SkeletonJoint& s : skeleton) heads.push_back(s.position), parents.push_back(s.parent);
    const std::vector<int> next = continuing_children(heads, parents);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (skeleton[j].tail) continue;
        if (next[j] >= 0)
            out.joints[j].tail = heads[std::size_t(next[j])];
        else if (parents[j] >= 0)
            out.joints[j].tail = heads[j] + (heads[j] - heads[std::size_t(parents[j])]) * 0.5;
    }
    Part part;
    part.name = name;
    part.node = 0;
    part.mesh = 0;
    part.material = 0;
    part.skin = 0;
    part.vertex_count = int(mesh.vertex_count());
    part.triangle_count = int(mesh.triangle_count());
    out.mesh.parts = {part};
    for (std::size_t j = 0; j < out.joints.size(); ++j) {
        const int parent = out.joints[j].parent;
        out.joints[j].tree = parent >= 0 ? out.joints[std::size_t(parent)].tree : int(j);
    }
    return out;
}

}  // namespace

Result<RiggedMesh> rig_mesh(const Mesh& mesh, const std::string& name, const Skeleton& given,
                            const RigOptions& options) {
    if (mesh.positions.empty()) return input_error(name + ": has no vertices to rig");
    if (given.empty()) return input_error(name + ": the skeleton has no joints");
    if (options.weights.method == "file") return usage_error(name + ": a static mesh has no weights; try geodesic");
    for (std::size_t j = 0; j < given.size(); ++j)
        if (given[j].parent >= int(j)) return input_error(name + ": the skeleton lists a joint before its parent");
    RiggedMesh out;
    Skeleton skeleton = given;
    place(mesh, options, skeleton, out.notes);
    if (const Status sound = check_range(name, skeleton); !sound) return sound.error();
    if (options.center && !mesh.triangles.empty()) pull_to_middle(mesh, skeleton);
    out.character = assemble(mesh, name, skeleton);
    Result<ComputedWeights> computed = compute_weights(out.character, options.weights);
    if (!computed) return computed.error();
    out.character.weights = std::move(computed->weights);
    out.fallback_share = computed->fallback_share;
    out.notes.insert(out.notes.end(), computed->notes.begin(), computed->notes.end());
    return out;
}

}  // namespace fascia
