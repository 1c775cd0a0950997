// The anatomy of the bundled bust on another character: places are mapped by what both necks have in common (shoulders,
// chin, top of the head, the skin around), then sunk as deep below the new skin as they were below the old one.
#include "fascia/fit_neck.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/box.h"
#include "character/body_frame.h"
#include "character/character_rest.h"
#include "fascia/measure.h"
#include "rigging/neck_measure.h"

namespace fascia {

namespace {

/// A collarbone ends above and inside the joint of the arm, by these shares of the distance between head and shoulders
/// and of the joint's own distance from the middle.
constexpr double collarbone_above = 0.12, collarbone_inside = 0.95;
/// Deeper places keep their depth by themselves, metres.
constexpr double shallow = 0.015;
/// A neck may be so much wider or narrower than its length suggests; what is wider is fat, which lies over the muscles.
constexpr double widest = 1.3, narrowest = 0.6;

/// A body with its joints, in its own axes: left, up, forward.
struct Standing {
    Quat turn;  ///< from its own axes to the scene
    std::vector<Vec3> positions, normals;
    std::vector<std::uint32_t> triangles;
    NeckMeasure neck;
    double shoulder = 0, shoulder_height = 0;  ///< where collarbones end; 0: not known
};

/// A joint that bones may follow, and how high it is.
struct Carrier {
    std::string name;
    double height = 0;
};

// ---- skin ------------------------------------------------------------------------------------------------------
/// Large pieces only: eyes, teeth and lashes are not skin.
std::vector<std::uint32_t> skin_triangles(const Mesh& mesh) {
    constexpr double least_share = 0.05;
    const Components pieces = find_components(mesh.triangles, weld_by_position(mesh.positions));
    std::vector<double> areas;
    double all = 0;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3d a = to_double(mesh.positions[mesh.triangles[3 * t]]);
        const double area = 0.5 * length(cross(to_double(mesh.positions[mesh.triangles[3 * t + 1]]) - a,
                                               to_double(mesh.positions[mesh.triangles[3 * t + 2]]) - a));
        if (areas.size() <= pieces.of_triangle[t]) areas.resize(pieces.of_triangle[t] + 1);
        areas[pieces.of_triangle[t]] += area;
        all += area;
    }
    std::vector<std::uint32_t> out;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
        if (areas[pieces.of_triangle[t]] >= least_share * all)
            for (std::size_t k = 0; k < 3; ++k) out.push_back(mesh.triangles[3 * t + k]);
    return out;
}

/// Leaves out what faces a cavity, as the inside of a mouth does: bones need not keep away from it.
void leave_out_linings(double lowest, Standing& body) {
    constexpr int most_escaping = 1;
    std::vector<Vec3d> exact;
    for (const Vec3& p : body.positions) exact.push_back(to_double(p));
    const RayTree rays(exact, body.triangles);
    std::vector<std::uint32_t> kept;
    for (std::size_t t = 0; t + 2 < body.triangles.size(); t += 3) {
        const Vec3d a = exact[body.triangles[t]], b = exact[body.triangles[t + 1]], c = exact[body.triangles[t + 2]];
        const Vec3d normal = normalized(cross(b - a, c - a), {0, 0, 1}), middle = (a + b + c) * (1.0 / 3);
        const Vec3d side = normalized(b - a, {1, 0, 0}), other = cross(normal, side);
        int escaping = middle.y > lowest ? 0 : most_escaping + 1;
        // From a cavity, rays meet the body again and leave it through its back.
        for (const Vec3d& way :
             {normal, normal + side, normal - side, normal + other, normal - other, normal * 0.4 + side + other,
              normal * 0.4 - side - other, normal * 0.4 + side - other, normal * 0.4 - side + other})
            if (escaping <= most_escaping && !rays.exit(middle + normal * (1e-4 * length(b - a)), way)) ++escaping;
        if (escaping > most_escaping)
            kept.insert(kept.end(), {body.triangles[t], body.triangles[t + 1], body.triangles[t + 2]});
    }
    body.triangles.swap(kept);
}

Standing standing(const Character& character, Quat turn) {
    Standing out;
    out.turn = turn;
    const Quat back = conjugate(turn);
    for (const Vec3& p : character.mesh.positions) out.positions.push_back(to_float(rotate(back, to_double(p))));
    for (const Vec3& n : character.mesh.normals) out.normals.push_back(to_float(rotate(back, to_double(n))));
    out.triangles = skin_triangles(character.mesh);
    return out;
}

// ---- heights ---------------------------------------------------------------------------------------------------
/// From heights of one neck to those of another, linear between what both have.
class Heights {
public:
    void add(double from, double to) {
        if (!from_.empty() && !(from > from_.back() && to > to_.back())) return;
        from_.push_back(from);
        to_.push_back(to);
    }
    double operator()(double height) const {
        std::size_t k = 1;
        while (k + 1 < from_.size() && height > from_[k]) ++k;
        double slope = (to_[k] - to_[k - 1]) / (from_[k] - from_[k - 1]);
        // Below the shoulders the trunk is as large as the whole.
        if (height < from_[0]) slope = whole();
        return to_[k - 1] + (height - from_[k - 1]) * slope;
    }
    double whole() const { return (to_.back() - to_.front()) / (from_.back() - from_.front()); }

private:
    std::vector<double> from_, to_;
};

Heights heights_between(const Standing& model, const Standing& target) {
    Heights out;
    const NeckMeasure &a = model.neck, &b = target.neck;
    if (target.shoulder > 0)
        out.add(model.shoulder_height, target.shoulder_height);
    else
        out.add(a.root.y, b.root.y);
    if (a.has_chin && b.has_chin)
        out.add(a.chin, b.chin);
    else
        out.add(a.head.y, b.head.y);
    out.add(a.top, b.top);
    return out;
}

// ---- the fit ---------------------------------------------------------------------------------------------------
class NeckFit {
public:
    NeckFit(const Standing& model, const Standing& target)
        : model_(model),
          target_(target),
          model_skin_(model.positions, model.normals, model.triangles),
          target_skin_(target.positions, target.normals, target.triangles) {}

    /// False if a head has no skin above it.
    bool measure() {
        if (!measure_neck(model_skin_, model_.neck) || !measure_neck(target_skin_, target_.neck)) return false;
        heights_ = heights_between(model_, target_);
        size_ = heights_.whole();
        if (!(size_ > 0)) return false;
        constexpr int slices = 80;
        std::vector<double> from, to;
        for (int i = 0; i <= slices; ++i) {
            const double low = model_.shoulder_height - 0.03, t = double(i) / slices;
            from.push_back(low + (model_.neck.top - 0.01 - low) * t);
            to.push_back(heights_(from.back()));
        }
        low_ = from.front();
        step_ = from[1] - from[0];
        model_slices_ = slice_neck(model_skin_, model_.neck, from);
        target_slices_ = slice_neck(target_skin_, target_.neck, to);
        return true;
    }

    /// How many units of the character are one of the model.
    double size() const { return size_; }
    double height(double of_model) const { return heights_(of_model); }

    /// A place of the model in the character's scene, as deep below its skin as it was in the model.
    Vec3d at(Vec3d p) const { return rotate(target_.turn, target_skin_.sunk(mapped(p), wanted_depth(p))); }
    /// The same for points that hang together: how far each one goes beyond the change of size is evened out among
    /// them, or creases of the skin would fold what lies below.
    std::vector<Vec3d> at(const std::vector<Vec3d>& points, const std::vector<std::vector<std::uint32_t>>& near) const {
        constexpr int rounds = 24;
        std::vector<Vec3d> from, moved(points.size());
        std::vector<double> depths;
        for (const Vec3d& p : points) from.push_back(p * size_), depths.push_back(wanted_depth(p));
        for (std::size_t i = 0; i < points.size(); ++i) moved[i] = mapped(points[i]) - from[i];
        const auto sink = [&] {
            for (std::size_t i = 0; i < points.size(); ++i)
                moved[i] = target_skin_.sunk(from[i] + moved[i], depths[i]) - from[i];
        };
        sink();
        for (int round = 0; round < rounds; ++round) {
            std::vector<Vec3d> even = moved;
            for (std::size_t i = 0; i < points.size(); ++i) {
                Vec3d sum;
                for (const std::uint32_t other : near[i]) sum += moved[other];
                if (!near[i].empty()) even[i] = (moved[i] + sum * (1.0 / double(near[i].size()))) * 0.5;
            }
            moved.swap(even);
            if (round % 6 == 5) sink();
        }
        std::vector<Vec3d> out;
        for (std::size_t i = 0; i < points.size(); ++i) out.push_back(rotate(target_.turn, from[i] + moved[i]));
        return out;
    }
    Vec3d along(Vec3d axis) const { return rotate(target_.turn, axis); }

private:
    double wanted_depth(Vec3d p) const { return std::min(model_skin_.depth(p), shallow) * size_; }
    NeckSlice slice(const std::vector<NeckSlice>& slices, double height) const {
        const double at = std::clamp((height - low_) / step_, 0.0, double(slices.size()) - 1.001);
        const std::size_t k = std::size_t(at);
        const double t = at - double(k);
        const NeckSlice &a = slices[k], &b = slices[k + 1];
        return {a.middle + (b.middle - a.middle) * t, a.half_depth + (b.half_depth - a.half_depth) * t,
                a.half_width + (b.half_width - a.half_width) * t};
    }
    double fitting(double from, double to) const {
        return from > 0 && to > 0 ? std::clamp(to / from, narrowest * size_, widest * size_) : size_;
    }
    Vec3d mapped(Vec3d p) const {
        const NeckSlice a = slice(model_slices_, p.y), b = slice(target_slices_, p.y);
        const double y = heights_(p.y);
        double wide = fitting(a.half_width, b.half_width);
        if (target_.shoulder > 0) {
            // Where the neck widens to the shoulders, rays would run along the arms.
            const double t = std::clamp(
                (p.y - model_.shoulder_height) / (0.5 * (model_.neck.head.y - model_.shoulder_height)), 0.0, 1.0);
            const double shoulders = target_.shoulder / model_.shoulder;
            // At the height of the neck only what is far from the middle belongs to the shoulders.
            const double far = std::clamp((std::abs(p.x) - 0.25 * model_.shoulder) / (0.5 * model_.shoulder), 0.0, 1.0);
            const double share = std::max(1 - t, far);
            wide += (shoulders - wide) * share * share * (3 - 2 * share);
        }
        return {target_.neck.line(y).x + (p.x - model_.neck.line(p.y).x) * wide, y,
                b.middle + (p.z - a.middle) * fitting(a.half_depth, b.half_depth)};
    }

    Standing model_, target_;
    NeckSkin model_skin_, target_skin_;
    Heights heights_;
    double size_ = 1, low_ = 0, step_ = 1;
    std::vector<NeckSlice> model_slices_, target_slices_;
};

// ---- joints ----------------------------------------------------------------------------------------------------
int joint_of(const Character& character, const CharacterRest& rest, int in_skeleton) {
    if (in_skeleton < 0) return -1;
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].node == rest.nodes[std::size_t(in_skeleton)]) return int(j);
    return -1;
}

/// The first joint below the head that is called a jaw.
std::string jaw_of(const Character& character, int head) {
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        int above = character.joints[j].parent;
        while (above >= 0 && above != head) above = character.joints[std::size_t(above)].parent;
        if (above < 0) continue;
        for (const std::string& word : words_of_name(character.joints[j].name))
            if (word == "jaw" || word == "mandible") return character.joints[j].name;
    }
    return character.joints[std::size_t(head)].name;
}

/// The joint of a collarbone; empty without one.
std::string shoulder_of(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                        std::size_t side) {
    const int joint = joint_of(character, rest, anatomy.arms[side][limb_root]);
    return joint < 0 ? "" : character.joints[std::size_t(joint)].name;
}

/// The joints that vertebrae may follow, from the trunk to the head.
Result<std::vector<Carrier>> find_carriers(const Character& character, const CharacterRest& rest,
                                           const Anatomy& anatomy, Quat back) {
    const int head = joint_of(character, rest, anatomy.head);
    if (head < 0)
        return input_error(character.name +
                           ": no joint of a head was found; name one 'head', or give the file a humanoid map");
    std::vector<Carrier> out;
    const auto add = [&](int joint) {
        const Joint& each = character.joints[std::size_t(joint)];
        out.push_back({each.name, rotate(back, translation_of(each.rest)).y});
    };
    std::vector<int> chain{head};
    // Without arms nothing says where the neck begins: its joints may go all the way down.
    constexpr std::size_t whole_spine = 12;
    const std::size_t most = anatomy.has_arms() ? anatomy.neck.size() + 2 : whole_spine;
    while (chain.size() < most && character.joints[std::size_t(chain.back())].parent >= 0)
        chain.push_back(character.joints[std::size_t(chain.back())].parent);
    if (chain.size() < 2)
        return input_error(character.name + ": the head '" + character.joints[std::size_t(head)].name +
                           "' has no joint below it that shoulders could follow");
    for (auto joint = chain.rbegin(); joint != chain.rend(); ++joint) add(*joint);
    return out;
}

// ---- shoulders -------------------------------------------------------------------------------------------------
/// Collarbones and shoulder blades, which are closed pieces of the base, as bodies that follow the character's own
/// shoulders. `reach`: pieces that go further sideways than this belong to them.
void part_shoulders(const std::array<std::string, 2>& joints, double reach, AnatomyScene& scene) {
    const AnatomyScene::Body base = scene.bodies.front();
    std::vector<Vec3> places;
    for (const Vec3d& p : base.solid.points) places.push_back(to_float(p));
    const Components pieces = find_components(base.solid.triangles, weld_by_position(places));
    std::vector<double> most;
    for (std::size_t t = 0; t < pieces.of_triangle.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const double x = base.solid.points[base.solid.triangles[3 * t + k]].x;
            double& here = most.size() > pieces.of_triangle[t] ? most[pieces.of_triangle[t]] : most.emplace_back(0);
            if (std::abs(x) > std::abs(here)) here = x;
        }
    std::array<AnatomyScene::Body, 3> parts{base, base, base};
    parts[1].name = "left_shoulder", parts[1].joint = joints[0];
    parts[2].name = "right_shoulder", parts[2].joint = joints[1];
    for (std::size_t p = 0; p < 3; ++p) {
        AnatomyScene::Solid& solid = parts[p].solid;
        solid = {};
        std::vector<std::uint32_t> number(base.solid.points.size(), 0xffffffffu);
        for (std::size_t t = 0; t < pieces.of_triangle.size(); ++t) {
            const double side = most[pieces.of_triangle[t]];
            if ((side > reach ? 1u : side < -reach ? 2u : 0u) != p) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t corner = base.solid.triangles[3 * t + k];
                if (number[corner] == 0xffffffffu) {
                    number[corner] = std::uint32_t(solid.points.size());
                    solid.points.push_back(base.solid.points[corner]);
                }
                solid.triangles.push_back(number[corner]);
            }
        }
        if (solid.points.empty()) return;
    }
    scene.bodies.front() = parts[0];
    scene.bodies.push_back(parts[1]);
    scene.bodies.push_back(parts[2]);
    for (AnatomyScene::Muscle& muscle : scene.muscles) {
        const std::string own = muscle.name.rfind("left", 0) == 0 ? "left_shoulder" : "right_shoulder";
        for (std::size_t k = 0; k < muscle.attachments.size(); ++k)
            if (muscle.attachments[k].body == base.name) {
                AnatomyScene::Attachment more = muscle.attachments[k];
                more.body = own;
                muscle.attachments.push_back(more);
                break;
            }
    }
}

/// The mean area around a vertex of the skin, where the neck is.
double vertex_area(const Standing& body) {
    double area = 0;
    std::vector<bool> used(body.positions.size());
    std::size_t count = 0;
    const double low = body.neck.root.y, high = body.neck.head.y, wide = 2 * (high - low);
    for (std::size_t t = 0; t + 2 < body.triangles.size(); t += 3) {
        const Vec3d a = to_double(body.positions[body.triangles[t]]);
        if (a.y < low || a.y > high || std::abs(a.x - body.neck.head.x) > wide) continue;
        area += 0.5 * length(cross(to_double(body.positions[body.triangles[t + 1]]) - a,
                                   to_double(body.positions[body.triangles[t + 2]]) - a));
        for (std::size_t k = 0; k < 3; ++k)
            if (!used[body.triangles[t + k]]) used[body.triangles[t + k]] = true, ++count;
    }
    return count > 0 ? area / double(count) : 0;
}

double volume_of_corners(const std::vector<Vec3d>& points, const std::uint32_t* corner, const int (&four)[4]) {
    const Vec3d o = points[corner[four[0]]];
    return dot(points[corner[four[1]]] - o, cross(points[corner[four[2]]] - o, points[corner[four[3]]] - o));
}

/// Elements of a muscle that the fit has turned inside out; they will be left out.
std::size_t flat_elements(const AnatomyScene::Muscle& muscle) {
    std::size_t count = 0;
    for (std::size_t t = 0; t + 4 <= muscle.tetrahedra.size(); t += 4)
        count += !(volume_of_corners(muscle.points, &muscle.tetrahedra[t], {0, 1, 2, 3}) > 0);
    for (std::size_t h = 0; h + 8 <= muscle.hexahedra.size(); h += 8)
        count += !(volume_of_corners(muscle.points, &muscle.hexahedra[h], {0, 1, 2, 4}) > 0);
    return count;
}

/// The other nodes of each node's elements.
std::vector<std::vector<std::uint32_t>> neighbours_in(const AnatomyScene::Muscle& muscle) {
    std::vector<std::vector<std::uint32_t>> out(muscle.points.size());
    const auto join = [&](const std::vector<std::uint32_t>& corners, std::size_t size) {
        for (std::size_t e = 0; e + size <= corners.size(); e += size)
            for (std::size_t a = 0; a < size; ++a)
                for (std::size_t b = 0; b < size; ++b)
                    if (a != b) out[corners[e + a]].push_back(corners[e + b]);
    };
    join(muscle.tetrahedra, 4);
    join(muscle.hexahedra, 8);
    for (auto& each : out) {
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
    }
    return out;
}

AnatomyScene fitted(AnatomyScene out, const NeckFit& fit) {
    const double size = fit.size();
    out.unit /= size;
    for (AnatomyScene::Body& body : out.bodies)
        for (Vec3d& p : body.solid.points) p = fit.at(p);
    for (AnatomyScene::Joint& joint : out.joints) {
        joint.at = fit.at(joint.at);
        joint.axis = fit.along(joint.axis);
    }
    for (AnatomyScene::Muscle& muscle : out.muscles) {
        muscle.points = fit.at(muscle.points, neighbours_in(muscle));
        for (AnatomyScene::Attachment& attachment : muscle.attachments) attachment.within *= size;
    }
    for (AnatomyScene::Spring& spring : out.springs) spring.from = fit.at(spring.from), spring.to = fit.at(spring.to);
    for (AnatomyScene::Actuator& actuator : out.actuators) {
        actuator.from = fit.at(actuator.from), actuator.to = fit.at(actuator.to);
        const double longer = length(actuator.to - actuator.from) / actuator.lo;
        actuator.lo *= longer;
        actuator.lmax *= longer;
    }
    out.skin.reach *= size;
    return out;
}

}  // namespace

Result<FittedNeck> fit_neck(const Character& model, const Character& character) {
    if (!model.scene || character.mesh.triangles.empty() || character.joints.empty())
        return input_error(character.name + ": an anatomy is fitted to a character with a skin and joints");
    const CharacterRest rest = rest_of(character);
    const Anatomy anatomy = anatomy_of(character, rest);
    const Quat turn = body_frame(rest.skeleton, anatomy, 0.35, 0.35).rotation;
    Result<std::vector<Carrier>> carriers = find_carriers(character, rest, anatomy, conjugate(turn));
    if (!carriers) return carriers.error();

    Standing from = standing(model, {}), to = standing(character, turn);
    const auto place = [](const Character& of, const std::string& name, Quat back) {
        for (const Joint& joint : of.joints)
            if (joint.name == name) return rotate(back, translation_of(joint.rest));
        return Vec3d{};
    };
    from.neck.root = place(model, "C7", {});
    from.neck.head = place(model, "skull", {});
    for (const Vec3d& p : model.scene->bodies.front().solid.points)
        if (p.x > from.shoulder) from.shoulder = p.x, from.shoulder_height = p.y;
    to.neck.head = place(character, carriers->back().name, conjugate(turn));
    to.neck.root = place(character, (*carriers)[1].name, conjugate(turn));
    // Where the head is the only joint, it turns about the foot of the neck.
    if (carriers->size() == 2)
        to.neck.head.y += 1e-3 * length(to.neck.head - place(character, carriers->front().name, conjugate(turn)));
    if (!(to.neck.head.y > to.neck.root.y))
        return input_error(character.name + ": the head '" + carriers->back().name + "' is not above the neck '" +
                           (*carriers)[1].name + "' in the rest pose");
    leave_out_linings(to.neck.root.y, to);
    if (anatomy.has_arms()) {
        const auto arm = [&](std::size_t side) {
            return rotate(conjugate(turn), rest.skeleton.positions[std::size_t(anatomy.arms[side][limb_upper])]);
        };
        to.shoulder = collarbone_inside * 0.5 * std::abs(arm(0).x - arm(1).x);
        to.shoulder_height = 0.5 * (arm(0).y + arm(1).y);
        to.shoulder_height += collarbone_above * (to.neck.head.y - to.shoulder_height);
    }
    NeckFit fit(from, to);
    if (!fit.measure())
        return input_error(character.name + ": above '" + carriers->back().name + "' there is no skin of a head");

    FittedNeck out;
    out.scene = *model.scene;
    const std::array<std::string, 2> shoulders{shoulder_of(character, rest, anatomy, 0),
                                               shoulder_of(character, rest, anatomy, 1)};
    if (!shoulders[0].empty() && !shoulders[1].empty()) part_shoulders(shoulders, 0.61 * from.shoulder, out.scene);
    out.scene = fitted(std::move(out.scene), fit);
    // Springs to what lies below hold an area, those along the skin do not: a finer skin needs weaker ones.
    const double finer = vertex_area(to) / (vertex_area(from) * fit.size() * fit.size());
    if (finer > 0) out.scene.skin.connecting *= std::clamp(finer, 0.02, 4.0);
    for (const Carrier& each : *carriers) out.joints.push_back(each.name);
    const int head = joint_of(character, rest, anatomy.head);
    for (AnatomyScene::Body& body : out.scene.bodies) {
        const std::string was = body.joint;
        if (was == shoulders[0] || was == shoulders[1]) continue;
        Vec3d middle;
        for (const Vec3d& p : body.solid.points) middle += rotate(conjugate(turn), p);
        const double height = middle.y * (1.0 / double(body.solid.points.size()));
        if (was == "base") {
            body.joint = carriers->front().name;
        } else if (was == "skull") {
            body.joint = carriers->back().name;
        } else if (was == "jaw") {
            body.joint = jaw_of(character, head);
        } else {
            // A vertebra follows the bone that it lies along; the skull is none of them if there is another.
            body.joint = carriers->front().name;
            for (std::size_t k = 1; k + (carriers->size() > 2 ? 1 : 0) < carriers->size(); ++k)
                if (height > (*carriers)[k].height) body.joint = (*carriers)[k].name;
        }
    }
    for (AnatomyScene::Actuator& actuator : out.scene.actuators) {
        const bool known = std::any_of(character.joints.begin(), character.joints.end(),
                                       [&](const Joint& joint) { return joint.name == actuator.joint; });
        if (!known) actuator.joint.clear();
    }
    for (const AnatomyScene::Muscle& muscle : out.scene.muscles)
        if (const std::size_t flat = flat_elements(muscle); flat > 0)
            out.notes.push_back("muscle '" + muscle.name + "' does not fit well: " + std::to_string(flat) +
                                " of its elements have no volume");
    return out;
}

}  // namespace fascia
