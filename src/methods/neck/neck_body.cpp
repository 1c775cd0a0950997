#include "methods/neck/neck_body.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/portable_math.h"
#include "fascia/measure.h"
#include "measure/closest_triangle.h"
#include "methods/neck/neck_file.h"
#include "methods/shared/attached_mesh.h"
#include "methods/shared/fingerprint.h"
#include "sim/mass_properties.h"

namespace fascia {

namespace {

/// Beyond this share of the reach, the hold on skin shifts from the bodies beneath it to the skeleton.
constexpr double fade_from = 0.6;
/// Bodies and muscles this much farther from the skin than the nearest one (share of the reach) no longer hold it.
constexpr double shared_grounds = 0.5;
/// Bodies up to this far away (share of the size) share in carrying a muscle's node with those that it touches.
constexpr double shared_within = 0.01;

std::uint16_t joint_named(const std::vector<Joint>& joints, const std::string& name) {
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == name) return std::uint16_t(j);
    return 0xffff;
}

std::vector<Vec3> to_floats(const std::vector<Vec3d>& points) {
    std::vector<Vec3> out;
    for (const Vec3d& p : points) out.push_back(to_float(p));
    return out;
}

/// A face of an element of a muscle, as a triangle.
struct Face {
    std::array<std::uint32_t, 3> node{};  ///< of the system
    std::uint32_t turn = 0;
    bool inwards = false;  ///< as its corners are ordered
};

class NeckBuilder {
public:
    NeckBuilder(std::shared_ptr<const NeckBlueprint> blueprint, const NeckSettings& settings)
        : settings_(settings), surface_(blueprint->surface), scene_(blueprint->scene) {
        out_.blueprint = std::move(blueprint);
    }

    std::shared_ptr<const NeckBody> run() {
        out_.size = size_of(surface_);
        out_.gate = PoseGate(surface_.joints);
        for (const Joint& joint : surface_.joints) {
            out_.inverse_rest.push_back(inverse(joint.rest));
            out_.parents.push_back(joint.parent);
            out_.pivots.push_back(translation_of(joint.rest));
        }
        add_joints();
        add_bodies();
        add_lines();
        add_muscles();
        add_pieces();
        add_skin();
        finish();
        return std::make_shared<const NeckBody>(std::move(out_));
    }

private:
    struct Carried {
        std::array<std::uint16_t, 4> joints{};
        std::array<float, 4> weights{1, 0, 0, 0};
    };
    void add_point(Vec3d at, const Carried& by) {
        places_.push_back(at);
        carried_.push_back(by);
    }
    static Carried by_one(std::uint16_t joint) { return {{joint, 0, 0, 0}, {1, 0, 0, 0}}; }
    int body_named(const std::string& name) const {
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            if (scene_.bodies[b].name == name) return int(b);
        return 0;
    }
    double cubic_unit() const { return scene_.unit * scene_.unit * scene_.unit; }

    void add_joints() {
        out_.points.joints = surface_.joints.size();
        for (std::size_t j = 0; j < surface_.joints.size(); ++j) add_point(out_.pivots[j], by_one(std::uint16_t(j)));
    }

    // ---- bodies ------------------------------------------------------------------------------------------------
    void add_bodies() {
        out_.radius = 0.1 * out_.size;
        for (const AnatomyScene::Body& body : scene_.bodies) {
            sim::MassProperties found = sim::mass_properties(body.solid.points, body.solid.triangles);
            const double inside_out = found.volume < 0 ? -1 : 1;
            const double mass = body.mass > 0 ? body.mass : std::abs(found.volume) * body.density * cubic_unit();
            const double density = std::abs(found.volume) > 0 ? mass / std::abs(found.volume) : 0;
            const std::uint16_t joint = joint_named(surface_.joints, body.joint);
            out_.body_joint.push_back(joint);
            out_.body_centre.push_back(found.centre);
            sim::RigidBody rigid;
            if (body.free) {
                rigid.mass = mass;
                // However thin a body is, it resists rotation about each axis.
                double reach = 0;
                for (const Vec3d& p : body.solid.points) reach = std::max(reach, length(p - found.centre));
                rigid.inertia =
                    found.inertia * (density * inside_out) + sim::scaled_identity(0.01 * mass * reach * reach);
                out_.free_bodies.push_back(std::uint32_t(out_.body_joint.size() - 1));
                add_point(found.centre, by_one(joint));
                for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
                    add_point(found.centre + axis * out_.radius, by_one(joint));
            }
            parts_.bodies.bodies.push_back(rigid);
        }
        out_.points.bodies = out_.free_bodies.size();
    }

    sim::BodyPoints between(const std::string& a, const std::string& b, Vec3d at_a, Vec3d at_b) const {
        const int ka = body_named(a), kb = body_named(b);
        return {ka, kb, at_a - out_.body_centre[std::size_t(ka)], at_b - out_.body_centre[std::size_t(kb)]};
    }
    bool moves(const sim::BodyPoints& points) const {
        const auto free = [&](int body) { return parts_.bodies.bodies[std::size_t(body)].mass > 0; };
        return free(points.a) || free(points.b);
    }

    /// Joints, springs and actuators. Forces are in scene units: newtons divided by the metres in a unit.
    void add_lines() {
        for (const AnatomyScene::Joint& joint : scene_.joints) {
            const sim::BodyPoints points = between(joint.a, joint.b, joint.at, joint.at);
            if (!moves(points)) continue;
            const Vec3d axis = normalized(joint.axis, {1, 0, 0});
            if (joint.revolute)
                parts_.bodies.hinges.push_back({points, axis, axis});
            else
                parts_.bodies.balls.push_back(
                    {points, axis, axis, joint.limit < 180 ? joint.limit * portable::pi / 180 : 4.0});
        }
        for (const AnatomyScene::Spring& spring : scene_.springs)
            parts_.bodies.springs.push_back({between(spring.a, spring.b, spring.from, spring.to), spring.stiffness,
                                             spring.damping / scene_.unit, length(spring.to - spring.from)});
        for (const AnatomyScene::Actuator& each : scene_.actuators) {
            sim::HillMuscle muscle;
            muscle.strongest = each.f0 / scene_.unit;
            muscle.best_length = each.lo > 0 ? each.lo : length(each.to - each.from);
            muscle.most_length = each.lmax > muscle.best_length ? each.lmax : 1.5 * muscle.best_length;
            muscle.passive = each.gamma;
            muscle.damping = each.damping / scene_.unit;
            parts_.bodies.muscles.push_back({between(each.a, each.b, each.from, each.to), muscle});
            out_.exciting_joint.push_back(each.joint.empty() ? 0xffff : joint_named(surface_.joints, each.joint));
        }
    }

    // ---- muscles -----------------------------------------------------------------------------------------------
    void add_muscles() {
        std::vector<ClosestTriangle> near_bodies;
        for (const AnatomyScene::Body& body : scene_.bodies) body_points_.push_back(to_floats(body.solid.points));
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            near_bodies.emplace_back(body_points_[b], scene_.bodies[b].solid.triangles);
        for (const AnatomyScene::Muscle& muscle : scene_.muscles) {
            const std::uint32_t first = std::uint32_t(parts_.masses.size());
            for (const Vec3d& at : muscle.points) add_point(at, carried_by_bodies(at, near_bodies));
            parts_.masses.resize(first + muscle.points.size());
            add_elements(muscle, first);
            for (const AnatomyScene::Attachment& attachment : muscle.attachments) {
                const int body = body_named(attachment.body);
                std::size_t attached = 0;
                for (std::size_t k = 0; k < muscle.points.size(); ++k) {
                    if (near_bodies[std::size_t(body)].find(muscle.points[k]).distance > attachment.within) continue;
                    parts_.body_bonds.push_back({first + std::uint32_t(k), body,
                                                 muscle.points[k] - out_.body_centre[std::size_t(body)],
                                                 attachment.stiffness});
                    ++attached;
                }
                if (attached == 0)
                    out_.warnings.push_back("muscle '" + muscle.name + "' has no node within reach of '" +
                                            attachment.body + "': it is not attached there");
            }
        }
        out_.points.nodes = parts_.masses.size();
    }

    /// How the skeleton alone carries a node: as the bodies around it, nearer ones counting more.
    Carried carried_by_bodies(Vec3d at, const std::vector<ClosestTriangle>& near_bodies) const {
        std::map<std::uint16_t, double> shares;
        const double least = shared_within * out_.size;
        for (std::size_t b = 0; b < near_bodies.size(); ++b) {
            const double d = near_bodies[b].find(at).distance, s = 1 / (d * d + least * least);
            shares[out_.body_joint[b]] += s * s;
        }
        return strongest(shares);
    }
    static Carried strongest(const std::map<std::uint16_t, double>& shares) {
        std::vector<std::pair<double, std::uint16_t>> order;
        for (const auto& [joint, share] : shares) order.push_back({-share, joint});
        std::sort(order.begin(), order.end());
        if (order.size() > 4) order.resize(4);
        double sum = 0;
        for (const auto& each : order) sum -= each.first;
        Carried out;
        for (std::size_t k = 0; k < order.size() && sum > 0; ++k) {
            out.joints[k] = order[k].second;
            out.weights[k] = float(-order[k].first / sum);
        }
        return out;
    }

    void add_elements(const AnatomyScene::Muscle& muscle, std::uint32_t first) {
        const sim::Stiffness stiffness =
            sim::stiffness_of(muscle.young * settings_.firmness * scene_.unit, muscle.poisson);
        // The elements' nodes are the flesh points in order, without those before them in the channels.
        const std::span<const Vec3d> rest = std::span(places_).subspan(out_.points.first_flesh());
        std::map<std::array<std::uint32_t, 3>, int> sides;  // by its three lowest nodes
        std::vector<std::pair<std::array<std::uint32_t, 3>, Face>> faces;
        std::size_t left_out = 0;
        Vec3d centre;  // of the element
        const auto centre_of = [&](std::span<const std::uint32_t> nodes) {
            Vec3d sum;
            for (const std::uint32_t node : nodes) sum += rest[node];
            return sum * (1.0 / double(nodes.size()));
        };
        const auto add_face = [&](std::initializer_list<std::uint32_t> nodes) {
            std::vector<std::uint32_t> sorted(nodes);
            std::sort(sorted.begin(), sorted.end());
            const std::array<std::uint32_t, 3> key{sorted[0], sorted[1], sorted[2]};
            ++sides[key];
            const auto* n = nodes.begin();
            for (std::size_t k = 2; k < nodes.size(); ++k) {
                const Vec3d o = rest[n[0]], normal = cross(rest[n[k - 1]] - o, rest[n[k]] - o);
                faces.push_back(
                    {key, {{n[0], n[k - 1], n[k]}, parts_.elements.last_point(), dot(normal, o - centre) < 0}});
            }
        };
        for (std::size_t e = 0; e + 4 <= muscle.tetrahedra.size(); e += 4) {
            std::array<std::uint32_t, 4> n{};
            for (std::size_t k = 0; k < 4; ++k) n[k] = first + muscle.tetrahedra[e + k];
            if (!parts_.elements.add_tetrahedron(n, rest, stiffness)) {
                std::swap(n[2], n[3]);
                if (!parts_.elements.add_tetrahedron(n, rest, stiffness)) {
                    ++left_out;
                    continue;
                }
            }
            centre = centre_of(n);
            add_face({n[0], n[1], n[2]}), add_face({n[0], n[1], n[3]}), add_face({n[0], n[2], n[3]}),
                add_face({n[1], n[2], n[3]});
        }
        for (std::size_t e = 0; e + 8 <= muscle.hexahedra.size(); e += 8) {
            std::array<std::uint32_t, 8> n{};
            for (std::size_t k = 0; k < 8; ++k) n[k] = first + muscle.hexahedra[e + k];
            if (!parts_.elements.add_hexahedron(n, rest, stiffness)) {
                for (std::size_t k = 0; k < 4; ++k) std::swap(n[k], n[k + 4]);
                if (!parts_.elements.add_hexahedron(n, rest, stiffness)) {
                    ++left_out;
                    continue;
                }
            }
            centre = centre_of(n);
            add_face({n[0], n[2], n[6], n[4]}), add_face({n[1], n[5], n[7], n[3]}), add_face({n[0], n[1], n[5], n[4]}),
                add_face({n[2], n[6], n[7], n[3]}), add_face({n[0], n[1], n[3], n[2]}),
                add_face({n[4], n[6], n[7], n[5]});
        }
        for (const auto& [key, face] : faces)
            if (sides[key] == 1) faces_.push_back(face);
        first_faces_.push_back(faces_.size());
        if (left_out > 0)
            out_.warnings.push_back("muscle '" + muscle.name + "' has " + std::to_string(left_out) +
                                    " elements without a volume, which are left out");
        std::vector<double> volumes(rest.size());
        parts_.elements.add_volumes(volumes);
        for (std::size_t k = first; k < volumes.size(); ++k)
            parts_.masses[k] = volumes[k] * muscle.density * cubic_unit();
    }

    /// Surfaces of bodies and muscles, for looking at them.
    void add_pieces() {
        std::size_t vertices = 0;
        const auto add = [&](const std::string& name, bool muscle, std::size_t points) {
            out_.pieces.push_back({name, muscle, vertices, points, out_.piece_triangles.size() / 3, 0});
            vertices += points;
        };
        const auto close = [&] {
            out_.pieces.back().triangles = out_.piece_triangles.size() / 3 - out_.pieces.back().first_triangle;
        };
        for (const AnatomyScene::Body& body : scene_.bodies) {
            add(body.name, false, body.solid.points.size());
            for (const std::uint32_t corner : body.solid.triangles)
                out_.piece_triangles.push_back(std::uint32_t(out_.pieces.back().first_vertex) + corner);
            close();
        }
        const std::size_t before = vertices;  // nodes of the system follow one another as here
        for (std::size_t m = 0; m < scene_.muscles.size(); ++m) {
            add(scene_.muscles[m].name, true, scene_.muscles[m].points.size());
            for (std::size_t f = first_faces_[m]; f < first_faces_[m + 1]; ++f) {
                const Face& face = faces_[f];
                for (const std::size_t k : {0, face.inwards ? 2 : 1, face.inwards ? 1 : 2})
                    out_.piece_triangles.push_back(std::uint32_t(before + face.node[k]));
            }
            close();
        }
    }

    // ---- skin --------------------------------------------------------------------------------------------------
    /// Something that skin may lie on: a body or the outside of a muscle.
    struct Ground {
        int body = -1;  ///< -1: a muscle, whose faces begin at `first_face`
        std::size_t first_face = 0;
        std::vector<Vec3> points;
        std::vector<std::uint32_t> triangles;
    };
    std::vector<Ground> find_grounds() const {
        std::vector<Ground> out;
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            out.push_back({int(b), 0, body_points_[b], scene_.bodies[b].solid.triangles});
        for (std::size_t m = 0; m + 1 < first_faces_.size(); ++m) {
            Ground ground{-1, first_faces_[m], {}, {}};
            for (std::size_t f = first_faces_[m]; f < first_faces_[m + 1]; ++f)
                for (const std::uint32_t node : faces_[f].node) {
                    ground.triangles.push_back(std::uint32_t(ground.points.size()));
                    ground.points.push_back(to_float(places_[out_.points.first_flesh() + node]));
                }
            if (!ground.triangles.empty()) out.push_back(std::move(ground));
        }
        return out;
    }

    /// One of the things that a place of the skin lies on, and its share.
    struct Under {
        std::size_t ground = 0;
        SurfacePoint at;
        double share = 1;
    };

    /// The nearest grounds; those hardly farther away get a share, too, so that what the skin follows changes smoothly
    /// along it. The publication's springs to the one nearest body would fold it between two bodies.
    std::vector<Under> under(Vec3d place) const {
        std::vector<Under> out;
        double nearest = scene_.skin.reach;
        for (std::size_t g = 0; g < trees_.size(); ++g) {
            out.push_back({g, trees_[g].find(place), 0});
            nearest = std::min(nearest, out.back().at.distance);
        }
        double sum = 0;
        for (Under& each : out) {
            const double farther = (each.at.distance - nearest) / (shared_grounds * scene_.skin.reach);
            each.share = each.at.distance < scene_.skin.reach && farther < 1 ? (1 - farther) * (1 - farther) : 0;
            sum += each.share;
        }
        std::erase_if(out, [](const Under& each) { return each.share == 0; });
        for (Under& each : out) each.share /= sum;
        return out;
    }

    void add_skin() {
        out_.skin_of.assign(surface_.positions.size(), NeckBody::none);
        if (!(scene_.skin.reach > 0)) return;
        grounds_ = find_grounds();
        for (const Ground& ground : grounds_) trees_.emplace_back(ground.points, ground.triangles);
        weld();
        std::vector<std::vector<Under>> unders(welded_.size());
        std::vector<std::uint8_t> moves(welded_.size());
        for (std::size_t w = 0; w < welded_.size(); ++w) {
            if (!(weight_of(welded_[w]) > 0)) continue;
            unders[w] = under(to_double(surface_.positions[welded_[w]]));
            moves[w] = !unders[w].empty();
        }
        add_skin_points(unders, moves);
    }

    float weight_of(std::uint32_t vertex) const {
        float sum = 0;
        const std::size_t n = std::size_t(surface_.weights.influences);
        for (std::size_t k = 0; k < n; ++k) sum += surface_.weights.weights[vertex * n + k];
        return sum;
    }

    /// Vertices at one place, separated only by a texture seam, are one point.
    void weld() {
        weld_of_ = weld_by_position(surface_.positions).id;
        for (std::uint32_t v = 0; v < weld_of_.size(); ++v)
            if (weld_of_[v] == welded_.size()) welded_.push_back(v);
    }

    void add_skin_points(const std::vector<std::vector<Under>>& unders, const std::vector<std::uint8_t>& moves) {
        // Skin that only borders on moving skin is included too, moved by the skeleton.
        std::vector<std::uint8_t> there = moves;
        const std::vector<std::uint32_t>& t = surface_.triangles;
        for (std::size_t k = 0; k < t.size(); k += 3) {
            bool any = false;
            for (std::size_t c = 0; c < 3; ++c) any |= moves[weld_of_[t[k + c]]] != 0;
            for (std::size_t c = 0; c < 3 && any; ++c) there[weld_of_[t[k + c]]] = 1;
        }
        std::vector<std::uint32_t> point_of(welded_.size(), NeckBody::none);
        const std::uint32_t first = std::uint32_t(parts_.masses.size());
        for (std::size_t w = 0; w < welded_.size(); ++w) {
            if (!there[w]) continue;
            point_of[w] = std::uint32_t(parts_.masses.size());
            parts_.masses.push_back(0);
            add_point(to_double(surface_.positions[welded_[w]]), carried_by_skin(welded_[w]));
            if (moves[w]) bind_skin(point_of[w], unders[w]);
        }
        out_.points.skin = parts_.masses.size() - first;
        for (std::size_t v = 0; v < surface_.positions.size(); ++v)
            if (moves[weld_of_[v]]) out_.skin_of[v] = point_of[weld_of_[v]] - first;
        add_skin_triangles(point_of, moves);
    }

    Carried carried_by_skin(std::uint32_t vertex) const {
        std::map<std::uint16_t, double> shares;
        const std::size_t n = std::size_t(surface_.weights.influences);
        for (std::size_t k = 0; k < n; ++k)
            if (surface_.weights.weights[vertex * n + k] > 0)
                shares[surface_.weights.joints[vertex * n + k]] += surface_.weights.weights[vertex * n + k];
        return strongest(shares);
    }

    /// Connecting springs; near the end of their reach they pull more and more to where the skeleton alone carries the
    /// skin.
    void bind_skin(std::uint32_t point, const std::vector<Under>& unders) {
        double nearest = scene_.skin.reach;
        for (const Under& under : unders) nearest = std::min(nearest, under.at.distance);
        const double far = std::clamp((nearest / scene_.skin.reach - fade_from) / (1 - fade_from), 0.0, 1.0);
        const double by_bones = far * far * (3 - 2 * far), stiffness = scene_.skin.connecting;
        // Skin that also follows joints without bones, as that of a shoulder follows the arm, is theirs as much.
        const double faded = 1 - (1 - by_bones) * followed(point);
        const Vec3d at = places_.back();
        if (faded > 0) parts_.holds.push_back({point, stiffness * faded});
        if (faded == 1) return;
        for (const Under& under : unders) {
            const double share = stiffness * (1 - faded) * under.share;
            const Ground& ground = grounds_[under.ground];
            if (ground.body < 0) {
                const Face& face = faces_[ground.first_face + under.at.triangle];
                parts_.mesh_bonds.push_back({point, face.node, under.at.share, face.turn, at - under.at.point, share});
            } else {
                parts_.body_bonds.push_back(
                    {point, ground.body, at - out_.body_centre[std::size_t(ground.body)], share});
            }
        }
    }

    /// The share of a point's weight that belongs to joints with bones.
    double followed(std::uint32_t point) const {
        const Carried& by = carried_[out_.points.first_flesh() + point];
        double share = 0;
        for (std::size_t k = 0; k < 4; ++k)
            if (std::find(out_.body_joint.begin(), out_.body_joint.end(), by.joints[k]) != out_.body_joint.end())
                share += double(by.weights[k]);
        return share > 0.999 ? 1 : share;
    }

    void add_skin_triangles(const std::vector<std::uint32_t>& point_of, const std::vector<std::uint8_t>& moves) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, bool> edges;
        const std::vector<std::uint32_t>& t = surface_.triangles;
        const auto place = [&](std::uint32_t p) { return places_[out_.points.first_flesh() + p]; };
        for (std::size_t k = 0; k < t.size(); k += 3) {
            const std::uint32_t w[3] = {weld_of_[t[k]], weld_of_[t[k + 1]], weld_of_[t[k + 2]]};
            if (!moves[w[0]] && !moves[w[1]] && !moves[w[2]]) continue;
            out_.skin_triangles.insert(out_.skin_triangles.end(), {t[k], t[k + 1], t[k + 2]});
            const std::uint32_t p[3] = {point_of[w[0]], point_of[w[1]], point_of[w[2]]};
            const double area = 0.5 * length(cross(place(p[1]) - place(p[0]), place(p[2]) - place(p[0])));
            for (std::size_t c = 0; c < 3; ++c) {
                if (moves[w[c]]) parts_.masses[p[c]] += area / 3 * scene_.skin.density * scene_.unit * scene_.unit;
                const std::size_t next = (c + 1) % 3;
                if (p[c] == p[next] || !(moves[w[c]] || moves[w[next]])) continue;
                const auto edge = std::minmax(p[c], p[next]);
                if (!edges.insert({{edge.first, edge.second}, true}).second) continue;
                parts_.springs.push_back(
                    {edge.first, edge.second, scene_.skin.epidermal, length(place(edge.second) - place(edge.first))});
            }
        }
    }

    // ---- all of it ---------------------------------------------------------------------------------------------
    void finish() {
        const std::size_t n = places_.size();
        out_.rest.resize(3 * n);
        out_.by_joints.resize(4 * n);
        out_.by_weights.resize(4 * n);
        for (std::size_t i = 0; i < n; ++i) {
            out_.slots.push_back(std::uint32_t(i));
            out_.rest[i] = float(places_[i].x), out_.rest[n + i] = float(places_[i].y),
            out_.rest[2 * n + i] = float(places_[i].z);
            for (std::size_t k = 0; k < 4; ++k) {
                out_.by_joints[k * n + i] = carried_[i].joints[k];
                out_.by_weights[k * n + i] = carried_[i].weights[k];
            }
        }
        parts_.rest.assign(places_.begin() + std::ptrdiff_t(out_.points.first_flesh()), places_.end());
        parts_.centres = out_.body_centre;
        out_.system = sim::CoupledSystem(std::move(parts_), settings_.anatomy_step, out_.size);
        ByteWriter bytes;
        write_neck(*out_.blueprint, bytes);
        bytes.value(settings_.firmness);
        bytes.value(settings_.anatomy_step);
        if (settings_.bones == "actuators") bytes.value(settings_.posture);
        out_.fingerprint = fingerprint_of(NeckSettings::method, bytes.bytes());
    }

    const NeckSettings& settings_;
    const RestSurface& surface_;
    const AnatomyScene& scene_;
    NeckBody out_;
    sim::CoupledParts parts_;
    std::vector<Vec3d> places_;
    std::vector<Carried> carried_;
    std::vector<std::vector<Vec3>> body_points_;
    std::vector<Face> faces_;
    std::vector<std::size_t> first_faces_{0};  ///< [muscles + 1]
    std::vector<Ground> grounds_;
    std::vector<ClosestTriangle> trees_;
    std::vector<std::uint32_t> welded_, weld_of_;
};

}  // namespace

std::shared_ptr<const NeckBody> build_neck_body(std::shared_ptr<const NeckBlueprint> blueprint,
                                                const NeckSettings& settings) {
    return NeckBuilder(std::move(blueprint), settings).run();
}

}  // namespace fascia
