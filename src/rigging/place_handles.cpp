// Handles for a static mesh: found by thickness, mirrored if the body is symmetric, as many as asked for, and linked.
#include "fascia/place_handles.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/number_text.h"
#include "body/simplify.h"
#include "fascia/measure.h"
#include "lattice/winding.h"
#include "rigging/mirror_plane.h"
#include "rigging/thickness_rings.h"
#include "rigging/tissue_distance.h"

namespace fascia {

namespace {

constexpr std::size_t enough_vertices = 4000;  ///< for thicknesses
constexpr std::size_t most_vertices = 2000000;
constexpr int most_handles = 200;
/// Of a skeleton that is given whole: weights are solved for each of its joints.
constexpr std::size_t most_given = 1000;
/// If no number is asked for: the most handles, the largest distance from a place to the nearest handle, and the
/// smallest between two handles, as shares of the size. Fingers and toes are not posed one by one.
constexpr int usual_most = 32;
constexpr double usual_reach = 0.22, usual_gap = 0.06;
/// A limb bends somewhere between two handles that are farther from each other than this many thicknesses, and than
/// this share of the size.
constexpr double long_limb = 1.8, least_long = 0.16;
/// A handle joins the two of a pair if the way there is hardly longer than a straight line.
constexpr double straight_enough = 1.3;

/// A handle, or two that mirror each other.
struct Orbit {
    Vec3d at;
    double thickness = 0;
    bool pair = false;
    const std::vector<double>* far = nullptr;         ///< [voxels] distance through the tissue
    const std::vector<double>* mirror_far = nullptr;  ///< the same for the other of a pair
};

class Placement {
public:
    Placement(const Mesh& mesh, const HandleOptions& options)
        : mesh_(mesh),
          weld_(weld_by_position(mesh.positions)),
          components_(find_components(mesh.triangles, weld_)),
          winding_(mesh.positions, mesh.triangles),
          tissue_(mesh.positions, mesh.triangles, is_open()),
          plane_(find_mirror_plane(mesh.positions, mesh.triangles)) {
        for (const HandlePlace& place : found(options.clusters)) add(place);
        if (orbits_.empty()) add(deepest());
        if (orbits_.empty()) {
            // Nothing is inside: a single triangle, for example, is posed by its middle.
            Orbit only{deepest().at, 0, false, {}, {}};
            keep(only);
        }
        const int most = options.count > 0 ? options.count : usual_most, least = options.count;
        while (options.count == 0 && orbits_.size() > 1 && least_gap() < usual_gap * size()) remove_crowded(2);
        while (count() > most) remove_crowded(count() - most);
        if (plane_ && options.count == 0) add_middles();
        // Adds handles until no place is far from all of them.
        while (count() < (least > 0 ? least : usual_most) &&
               add_far((least > 0 ? least : usual_most) - count(), least > 0 ? 0 : usual_reach * size())) {
        }
    }

    const std::optional<MirrorPlane>& plane() const { return plane_; }
    const TissueDistance& tissue() const { return tissue_; }
    /// [voxels] through the tissue, found once for each voxel that it starts from
    const std::vector<double>& far_from(Vec3d p) {
        std::vector<double>& known = fields_[tissue_.size() > 0 ? tissue_.voxel(p) : 0];
        if (known.empty()) known = tissue_.from(p);
        return known;
    }
    bool is_open() const {
        return std::find(components_.closed.begin(), components_.closed.end(), false) != components_.closed.end();
    }
    std::vector<Vec3d> handles() const {
        std::vector<Vec3d> out;
        for (const Orbit& orbit : orbits_) {
            out.push_back(orbit.at);
            if (orbit.pair) out.push_back(plane_->mirrored(orbit.at));
        }
        return out;
    }
    bool is_inside(Vec3d p) const { return winding_.at(p) > 0.5; }

    /// Elbows and knees are no thicker or thinner than the limb: they are found in the middle of what is long.
    void divide(Vec3d a, Vec3d b) {
        const double apart = length(b - a);
        if (apart < least_long * size()) return;
        const Vec3d at = deepest_across((a + b) * 0.5, normalized(b - a));
        const double thick = tissue_.spacing() * (2 * tissue_.depth_at(at) - 1);
        if (thick > 0 && apart > long_limb * thick) add({at, thick});
    }

    /// Knees matter more than the tips of toes: the most crowded handles make room for those in limbs.
    void keep_usual() {
        while (count() > usual_most) remove_crowded(count() - usual_most);
    }

private:
    int count() const {
        int out = 0;
        for (const Orbit& orbit : orbits_) out += orbit.pair ? 2 : 1;
        return out;
    }

    std::vector<HandlePlace> found(int clusters) const {
        std::vector<Vec3d> positions(weld_.count);
        std::vector<std::uint32_t> triangles;
        for (std::size_t v = 0; v < mesh_.positions.size(); ++v) positions[weld_.id[v]] = to_double(mesh_.positions[v]);
        for (const std::uint32_t v : mesh_.triangles) triangles.push_back(weld_.id[v]);
        if (positions.size() <= enough_vertices) return thickness_rings(positions, triangles, clusters);
        const SimplerSurface simpler = simplify(positions, triangles, enough_vertices);
        std::vector<Vec3d> kept;
        for (const std::uint32_t v : simpler.vertices) kept.push_back(positions[v]);
        return thickness_rings(kept, simpler.triangles, clusters);
    }

    /// Adds a handle inside the body, unless another one is already there.
    void add(HandlePlace place) {
        place.at = inside_near(place.at);
        Orbit orbit{place.at, place.thickness, false, {}, {}};
        if (plane_) {
            const double off = plane_->side(orbit.at);
            orbit.pair = std::abs(off) > 0.3 * place.thickness;
            if (off < 0) orbit.at = plane_->mirrored(orbit.at);
            if (!orbit.pair) orbit.at = plane_->onto(orbit.at);
            if (!is_inside(orbit.at) || (orbit.pair && !is_inside(plane_->mirrored(orbit.at)))) return;
        }
        for (const Orbit& other : orbits_)
            if (length(other.at - orbit.at) < 0.5 * std::max(other.thickness, orbit.thickness)) return;
        keep(orbit);
    }
    void keep(Orbit& orbit) {
        orbit.far = &far_from(orbit.at);
        if (orbit.pair) orbit.mirror_far = &far_from(plane_->mirrored(orbit.at));
        orbits_.push_back(std::move(orbit));
    }
    double size() const { return box_of(mesh_.positions).longest(); }

    /// The place itself, or else the centre of the deepest voxel near it that is inside.
    Vec3d inside_near(Vec3d p) const {
        if (is_inside(p) || tissue_.size() == 0) return p;
        const std::size_t start = tissue_.voxel(p);
        Vec3d best = tissue_.center(start);
        int deepest = -1;
        const double reach = length(best - p) + 3 * tissue_.spacing();
        for (std::size_t v = 0; v < tissue_.size(); ++v) {
            const Vec3d at = tissue_.center(v);
            if (length(at - p) > reach || tissue_.depth()[v] <= deepest || !is_inside(at)) continue;
            deepest = tissue_.depth()[v], best = at;
        }
        return best;
    }

    /// From a place to the middle of the limb around it, which goes along `along`; a few voxels at most.
    Vec3d deepest_across(Vec3d p, Vec3d along) const {
        constexpr int reach = 3;
        const double h = tissue_.spacing();
        for (int step = 0; step < reach; ++step) {
            Vec3d best = p;
            for (int k = 0; k < 27; ++k) {
                const Vec3d step_to{double(k % 3 - 1), double(k / 3 % 3 - 1), double(k / 9 - 1)};
                const Vec3d at = p + (step_to - along * dot(step_to, along)) * h;
                if (tissue_.depth_at(at) > tissue_.depth_at(best)) best = at;
            }
            if (best == p) break;
            p = best;
        }
        return p;
    }

    HandlePlace deepest() const {
        HandlePlace out{box_of(mesh_.positions).middle(), box_of(mesh_.positions).longest()};
        int most = 0;
        for (std::size_t v = 0; v < tissue_.size(); ++v)
            if (tissue_.depth()[v] > most && is_inside(tissue_.center(v)))
                most = tissue_.depth()[v], out = {tissue_.center(v), 2 * most * tissue_.spacing()};
        return out;
    }

    /// Distance through the tissue to the nearest other handle. [orbits]
    std::vector<double> gaps() const {
        std::vector<double> out;
        for (std::size_t k = 0; k < orbits_.size(); ++k) {
            const std::vector<double>& far = *orbits_[k].far;
            double least = 1e300;
            const auto take = [&](Vec3d p) {
                if (const double d = far[tissue_.voxel(p)]; d >= 0) least = std::min(least, d);
            };
            for (std::size_t other = 0; other < orbits_.size(); ++other) {
                if (other != k) take(orbits_[other].at);
                if (orbits_[other].pair) take(plane_->mirrored(orbits_[other].at));
            }
            out.push_back(least);
        }
        return out;
    }

    double least_gap() const {
        const std::vector<double> all = gaps();
        return *std::min_element(all.begin(), all.end());
    }

    /// Adds handles between the two of a pair that the body joins: shoulders and hips hang on a spine, not on one
    /// another.
    void add_middles() {
        std::vector<Orbit> middles;
        for (const Orbit& orbit : orbits_) {
            if (!orbit.pair) continue;
            const Vec3d at = plane_->onto(orbit.at);
            const double half = length(orbit.at - at), through = is_inside(at) ? (*orbit.far)[tissue_.voxel(at)] : -1;
            if (through < 0 || through > straight_enough * half + tissue_.spacing()) continue;
            Orbit middle{at, 2 * half, false, {}, {}};
            bool free = true;
            for (const std::vector<Orbit>* all : {&orbits_, &middles})
                for (const Orbit& other : *all)
                    free &= other.pair || length(other.at - at) > std::max(half, usual_gap * size());
            if (free) middles.push_back(std::move(middle));
        }
        for (Orbit& middle : middles) keep(middle);
    }

    /// Removes a handle that has another one nearby. A pair goes only if two are too many, unless there is nothing
    /// else.
    void remove_crowded(int excess) {
        const std::vector<double> gap = gaps();
        std::size_t worst = orbits_.size();
        for (const bool pairs_too : {excess >= 2, true}) {
            for (std::size_t k = orbits_.size(); k-- > 0;)
                if ((pairs_too || !orbits_[k].pair) && (worst == orbits_.size() || gap[k] < gap[worst])) worst = k;
            if (worst < orbits_.size()) break;
        }
        if (orbits_[worst].pair && excess == 1) {
            // One of two goes, so what remains is no longer a pair.
            orbits_.erase(orbits_.begin() + std::ptrdiff_t(worst));
            add_far(1, 0);
            return;
        }
        orbits_.erase(orbits_.begin() + std::ptrdiff_t(worst));
    }

    /// Whether no neighbouring voxel is deeper: the middle of a limb, or of the body there.
    bool is_ridge(std::size_t v) const {
        const double h = tissue_.spacing();
        for (int k = 0; k < 27; ++k) {
            const Vec3d step{double(k % 3 - 1), double(k / 3 % 3 - 1), double(k / 9 - 1)};
            if (tissue_.depth_at(tissue_.center(v) + step * h) > tissue_.depth()[v]) return false;
        }
        return true;
    }

    /// Adds a handle where the nearest one is farthest away; in the mirror plane if there is only room for one.
    bool add_far(int room, double reach) {
        std::vector<double> nearest(tissue_.size(), 1e300);
        for (const Orbit& orbit : orbits_)
            for (const std::vector<double>* far : {orbit.far, orbit.mirror_far})
                for (std::size_t v = 0; far != nullptr && v < far->size(); ++v)
                    if ((*far)[v] >= 0) nearest[v] = std::min(nearest[v], (*far)[v]);
        const double h = tissue_.spacing();
        std::size_t best = tissue_.size();
        double most = 0;
        for (std::size_t v = 0; v < tissue_.size(); ++v) {
            const Vec3d at = tissue_.center(v);
            if (plane_ && (plane_->side(at) < 0 || (room < 2 && plane_->side(at) > 1.5 * h))) continue;
            // Trades a little distance for a little depth, so that handles are in the middle of limbs.
            const double thick = 2 * h * tissue_.depth()[v];
            const double value = std::min(nearest[v], 1e6 * h) + 0.5 * thick;
            if (reach > 0 && (nearest[v] < std::max(reach, thick) || !is_ridge(v))) continue;
            if (nearest[v] > h && value > most && is_inside(at)) most = value, best = v;
        }
        if (best == tissue_.size()) return false;
        Orbit orbit{tissue_.center(best), 2 * h * tissue_.depth()[best], false, {}, {}};
        if (plane_) {
            orbit.pair = plane_->side(orbit.at) > 1.5 * h && is_inside(plane_->mirrored(orbit.at));
            if (!orbit.pair && plane_->side(orbit.at) <= 1.5 * h && is_inside(plane_->onto(orbit.at)))
                orbit.at = plane_->onto(orbit.at);
        }
        keep(orbit);
        return true;
    }

    const Mesh& mesh_;
    Weld weld_;
    Components components_;
    lattice::WindingField winding_;
    TissueDistance tissue_;
    std::optional<MirrorPlane> plane_;
    std::map<std::size_t, std::vector<double>> fields_;  ///< by the voxel that they start from
    std::vector<Orbit> orbits_;
};

// ---- links ---------------------------------------------------------------------------------------------------------
/// Distances between all handles; pieces not joined by tissue are far apart, nearer ones less so.
std::vector<std::vector<double>> distances(Placement& placement, const std::vector<Vec3d>& handles) {
    const TissueDistance& tissue = placement.tissue();
    std::vector<std::vector<double>> out;
    for (const Vec3d p : handles) {
        const std::vector<double>& far = placement.far_from(p);
        std::vector<double> row;
        for (const Vec3d q : handles) {
            const double through = far.empty() ? -1 : far[tissue.voxel(q)];
            row.push_back(through >= 0 ? through : 1e9 + length(q - p));
        }
        out.push_back(std::move(row));
    }
    return out;
}

/// Prim's tree from the handle that is nearest to all others. Handles in the plane of a symmetric body come first, and
/// are linked among themselves; one side of each pair is linked, and the other mirrors it.
struct ShortestTree {
    std::vector<int> parent;         ///< [handles]
    std::vector<std::size_t> order;  ///< parents first

    /// twin: [handles] the mirrored handle, or the handle itself
    ShortestTree(const std::vector<std::vector<double>>& far, std::span<const std::size_t> twin)
        : parent(far.size(), -1), best_(far.size(), 1e300), done_(far.size(), 0), far_(far) {
        const std::size_t n = far.size();
        std::size_t root = n;
        double least = 1e300;
        bool central = false;
        for (std::size_t k = 0; k < n; ++k) {
            double sum = 0;
            for (const double d : far[k]) sum += d;
            if ((twin[k] == k) < central || ((twin[k] == k) == central && !(sum < least))) continue;
            least = sum, root = k, central = twin[k] == k;
        }
        if (root == n) return;
        reach(root, twin);
        for (const bool pairs_too : {false, true}) {
            for (std::size_t next = root; next < n;) {
                next = n;
                for (std::size_t k = 0; k < n; ++k)
                    if (!done_[k] && (pairs_too || twin[k] == k) && (next == n || best_[k] < best_[next])) next = k;
                if (next < n) reach(next, twin);
            }
        }
    }

private:
    void reach(std::size_t next, std::span<const std::size_t> twin) {
        done_[next] = 1;
        order.push_back(next);
        for (std::size_t k = 0; k < best_.size(); ++k)
            if (!done_[k] && far_[next][k] < best_[k]) best_[k] = far_[next][k], parent[k] = int(next);
        const std::size_t other = twin[next];
        if (done_[other]) return;
        if (parent[next] >= 0 && twin[std::size_t(parent[next])] != other) {
            parent[other] = int(twin[std::size_t(parent[next])]);
            if (!done_[std::size_t(parent[other])]) parent[other] = parent[next];
        }
        reach(other, twin);
    }

    std::vector<double> best_;
    std::vector<std::uint8_t> done_;
    const std::vector<std::vector<double>>& far_;
};

/// [handles] the mirror image of each handle; itself, if there is none.
std::vector<std::size_t> twins(const std::vector<Vec3d>& handles, const std::optional<MirrorPlane>& plane,
                               double near) {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < handles.size(); ++k) {
        out.push_back(k);
        if (!plane || std::abs(plane->side(handles[k])) <= near) continue;
        for (std::size_t other = 0; other < handles.size(); ++other)
            if (length(plane->mirrored(handles[other]) - handles[k]) <= near) out[k] = other;
    }
    return out;
}

bool has_links(const Skeleton& points) {
    return std::any_of(points.begin(), points.end(), [](const SkeletonJoint& j) { return j.parent >= 0 || j.tail; });
}

/// Ends of bones are handles too.
Skeleton with_ends(const Skeleton& given) {
    Skeleton out;
    for (const SkeletonJoint& joint : given) out.push_back({joint.name, joint.parent, joint.position, std::nullopt});
    for (std::size_t j = 0; j < given.size(); ++j)
        if (given[j].tail && length(*given[j].tail - given[j].position) > 0)
            out.push_back({given[j].name + "_end", int(j), *given[j].tail, std::nullopt});
    return out;
}

std::string handle_name(std::size_t number) {
    return (number < 9 ? "handle_0" : "handle_") + std::to_string(number + 1);
}

Status check(const Mesh& mesh, const std::string& name, const HandleOptions& options) {
    if (mesh.positions.empty() || mesh.triangles.empty())
        return input_error(name + ": has no triangles to place handles in");
    if (mesh.vertex_count() > most_vertices)
        return input_error(name + ": has " + std::to_string(mesh.vertex_count()) +
                           " vertices, and handles are placed in at most " + std::to_string(most_vertices) +
                           "; simplify the mesh first");
    if (options.count < 0 || options.count > most_handles)
        return usage_error("a body has 1 to " + std::to_string(most_handles) + " handles, not " +
                           std::to_string(options.count));
    if (options.clusters < 2 || options.clusters > 12)
        return usage_error("2 to 12 thicknesses can be told apart, not " + std::to_string(options.clusters));
    if (!(box_of(mesh.positions).longest() > 0)) return input_error(name + ": all vertices lie at one place");
    return ok_status();
}

/// Handles at one place would fight for the same vertices.
void drop_doubles(std::vector<Vec3d>& handles, std::vector<std::string>& names, double near,
                  std::vector<std::string>& notes) {
    std::size_t kept = 0, dropped = 0;
    for (std::size_t k = 0; k < handles.size(); ++k) {
        bool twice = false;
        for (std::size_t other = 0; other < kept; ++other) twice |= length(handles[other] - handles[k]) <= near;
        if (twice) {
            ++dropped;
            continue;
        }
        handles[kept] = handles[k];
        names[kept++] = names[k];
    }
    handles.resize(kept);
    names.resize(kept);
    if (dropped > 0) notes.push_back(std::to_string(dropped) + " handles lie where another one is; they were left out");
}

void divide_long_links(Placement& placement, double same) {
    const std::vector<Vec3d> handles = placement.handles();
    const std::vector<std::vector<double>> far = distances(placement, handles);
    const ShortestTree tree(far, twins(handles, placement.plane(), same));
    for (const std::size_t k : tree.order)
        if (tree.parent[k] >= 0) placement.divide(handles[k], handles[std::size_t(tree.parent[k])]);
    placement.keep_usual();
}

}  // namespace

Result<PlacedHandles> place_handles(const Mesh& mesh, const std::string& name, const HandleOptions& options) {
    if (const Status checked = check(mesh, name, options); !checked) return checked.error();
    PlacedHandles out;
    const Skeleton given = with_ends(options.points);
    const bool whole = !given.empty() && !options.add_to_found && has_links(options.points);
    const std::size_t most = whole ? most_given : std::size_t(most_handles);
    if (given.size() > most)
        return usage_error("a body has at most " + std::to_string(most) + " handles, not " +
                           std::to_string(given.size()));
    if (whole) {
        out.handles = given;
        return out;
    }
    Placement placement(mesh, options);
    const double same = 1e-6 * box_of(mesh.positions).longest();
    if (options.count == 0 && (given.empty() || options.add_to_found)) divide_long_links(placement, same);
    std::vector<Vec3d> handles;
    std::vector<std::string> names;
    for (const SkeletonJoint& point : given) handles.push_back(point.position), names.push_back(point.name);
    if (given.empty() || options.add_to_found) {
        for (const Vec3d p : placement.handles()) handles.push_back(p), names.emplace_back();
        out.mirrored = placement.plane().has_value();
    }
    drop_doubles(handles, names, same, out.notes);
    if (handles.size() > std::size_t(most_handles))
        return usage_error("a body has at most " + std::to_string(most_handles) + " handles, not " +
                           std::to_string(handles.size()));
    const std::vector<std::vector<double>> far = distances(placement, handles);
    const ShortestTree tree(far, twins(handles, placement.plane(), same));
    std::vector<int> place(handles.size(), -1);
    std::size_t outside = 0;
    for (const std::size_t k : tree.order) {
        place[k] = int(out.handles.size());
        const int parent = tree.parent[k] >= 0 ? place[std::size_t(tree.parent[k])] : -1;
        out.handles.push_back(
            {names[k].empty() ? handle_name(out.handles.size()) : names[k], parent, handles[k], std::nullopt});
        outside += !placement.is_inside(handles[k]);
    }
    if (outside > 0)
        out.notes.push_back(std::to_string(outside) +
                            " handles lie outside the body; each moves the flesh nearest to it");
    if (options.count > 0 && given.empty() && int(handles.size()) != options.count)
        out.notes.push_back("there is room for " + std::to_string(handles.size()) + " handles, not for " +
                            std::to_string(options.count));
    return out;
}

Result<RiggedMesh> rig_with_handles(const Mesh& mesh, const std::string& name, const HandleOptions& options) {
    Result<PlacedHandles> placed = place_handles(mesh, name, options);
    if (!placed) return placed.error();
    RigOptions rigging;
    rigging.weights.method = "points";
    rigging.weights.influences = 8;
    rigging.weights.resolution = options.resolution;
    rigging.weights.threads = options.threads;
    rigging.fit = RigOptions::Fit::none;
    // A handle at the end of a chain is a point, not a bone that continues.
    std::vector<std::uint8_t> goes_on(placed->handles.size(), 0);
    for (const SkeletonJoint& handle : placed->handles)
        if (handle.parent >= 0) goes_on[std::size_t(handle.parent)] = 1;
    for (std::size_t k = 0; k < goes_on.size(); ++k)
        if (!goes_on[k]) placed->handles[k].tail = placed->handles[k].position;
    Result<RiggedMesh> rigged = rig_mesh(mesh, name, placed->handles, rigging);
    if (rigged) rigged->notes.insert(rigged->notes.begin(), placed->notes.begin(), placed->notes.end());
    return rigged;
}

namespace {

/// One word: what follows a space or ends a line would be something else.
std::string word_of(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= ' ' || c == 127) c = '_';
    return name;
}

}  // namespace

std::string handles_to_tgf(const Skeleton& handles) {
    std::string points, links;
    for (std::size_t k = 0; k < handles.size(); ++k) {
        const Vec3d p = handles[k].position;
        points += std::to_string(k + 1) + " " + number_text(p.x, 9) + " " + number_text(p.y, 9) + " " +
                  number_text(p.z, 9) + " " + word_of(handles[k].name) + "\n";
        if (handles[k].parent >= 0) links += std::to_string(handles[k].parent + 1) + " " + std::to_string(k + 1) + "\n";
    }
    return points + "#\n" + links;
}

}  // namespace fascia
