// Experiments of Luo's thesis, chapter 6: bodies posed by points, against blending and against their skeletons.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>

#include "fascia/penetration.h"
#include "human.h"
#include "implicit_mesh.h"
#include "plot.h"
#include "program.h"
#include "rows.h"

namespace fascia::experiments {

namespace {

constexpr double degree = std::numbers::pi / 180;

HandlesSettings handles_at(double proximal, int iterations) {
    HandlesSettings out;
    out.proximal = proximal;
    out.iterations = iterations;
    out.turns = "given";  // the skeleton's own, as in the publication
    out.influence = "file";
    return out;
}
HandlesSettings as_published(HandlesSettings settings) {
    settings.links = "free";
    return settings;
}

// ---- errors against a skeleton -------------------------------------------------------------------------------------
struct Motion {
    std::string name;
    Character character;  ///< with weights of its bones
    std::vector<std::vector<Affine>> poses;
    std::vector<std::size_t> vertices;  ///< those that are compared
};

Result<Character> shared_character(const std::string& file) {
    return load_character(FASCIA_SOURCE_DIR "/../shared/data/" + file);
}

std::string lower(std::string text) {
    for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// A fist: all fingers but the thumb, frame by frame. Fingers bend about the axis across the palm.
std::optional<Motion> hand() {
    Result<Character> read = shared_character("weights/hand_l.glb");
    if (!read) return std::nullopt;
    Motion out{"hand", std::move(*read), {}, {}};
    Character& c = out.character;
    // The file's joints all belong to its root; fingers are chains in the order of their names.
    const auto parent_named = [&](const std::string& name) {
        for (std::size_t j = 0; j < c.joints.size(); ++j)
            if (c.joints[j].name == name) return int(j);
        return -1;
    };
    for (Joint& joint : c.joints) {
        static const std::pair<const char*, const char*> order[] = {{"_tip", "_distPhalanx"},
                                                                    {"_distPhalanx", "_intPhalanx"},
                                                                    {"_intPhalanx", "_proxPhalanx"},
                                                                    {"_proxPhalanx", "_metacarpal"}};
        for (const auto& [own, before] : order)
            if (const std::size_t at = joint.name.find(own); at != std::string::npos) {
                const std::string finger = joint.name.substr(0, at);
                joint.parent = parent_named(finger + before + "_L");
                break;
            }
    }
    Vec3d index{}, little{};
    for (const Joint& joint : c.joints) {
        if (joint.name.find("index_prox") == 0) index = translation_of(joint.rest);
        if (joint.name.find("little_prox") == 0) little = translation_of(joint.rest);
    }
    const Vec3d across = normalized(index - little);
    constexpr int frames = 33;
    for (int f = 0; f < frames; ++f) {
        std::vector<Turn> turns;
        for (const Joint& joint : c.joints) {
            const std::string name = lower(joint.name);
            const bool bends = name.find("phalanx") != std::string::npos && name.find("thumb") == std::string::npos;
            if (bends) turns.push_back({joint.name, across, 75.0 * f / (frames - 1)});
        }
        out.poses.push_back(turned(c, turns));
    }
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) out.vertices.push_back(v);
    return out;
}

/// The arms of a man who boxes.
std::optional<Motion> arm() {
    Result<Character> read = shared_character("characters/mh_heavy_male.glb");
    if (!read) return std::nullopt;
    Motion out{"arm", std::move(*read), {}, {}};
    Character& c = out.character;
    constexpr int frames = 54;
    for (int f = 0; f < frames; ++f) {
        const double share = double(f) / (frames - 1);
        out.poses.push_back(turned(c, {{"LeftForeArm", {0, 1, 0}, -110 * share},
                                       {"LeftHand", {0, 0, 1}, 40 * share},
                                       {"RightForeArm", {0, 1, 0}, 110 * share},
                                       {"RightHand", {0, 0, 1}, -40 * share}}));
    }
    for (const char* joint : {"LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand"})
        for (const std::size_t v : vertices_of(c, joint)) out.vertices.push_back(v);
    return out;
}

std::vector<std::vector<Vec3>> played(const Rig& rig, const Motion& motion) {
    State state = make_state(rig);
    Workspace work(1);
    std::vector<std::vector<Vec3>> out;
    for (const std::vector<Affine>& pose : motion.poses) {
        out.emplace_back(rig.vertex_count());
        if (out.size() == 1)
            reset(rig, pose, state, work);
        else
            advance(rig, pose, 1 / 30.0, state, work);
        embed(rig, state, {out.back(), {}, {}}, work);
    }
    return out;
}

struct Error {
    double printed = 0, rms = 0;
};
/// [Luo 2016, eq. 8] As printed, a sum of squares over a root, and as a root of a mean. Of a body in a unit cube.
Error error_of(const Motion& motion, const std::vector<std::vector<Vec3>>& of,
               const std::vector<std::vector<Vec3>>& to) {
    double sum = 0;
    const double size = motion.character.size();
    for (std::size_t f = 0; f < of.size(); ++f)
        for (const std::size_t v : motion.vertices) {
            const Vec3d off = (to_double(of[f][v]) - to_double(to[f][v])) * (1 / size);
            sum += dot(off, off);
        }
    const double count = 3.0 * double(motion.vertices.size()) * double(of.size());
    return {sum / std::sqrt(count), std::sqrt(sum / count)};
}

/// Per frame; a drag with weights that are known, and normals.
double milliseconds(const Rig& rig, const Motion& motion) {
    State state = make_state(rig);
    Workspace work(1);
    std::vector<Vec3> positions(rig.vertex_count()), normals(positions);
    reset(rig, motion.poses[0], state, work);
    double least = 1e300;
    for (int round = 0; round < 2; ++round) {
        const std::clock_t start = std::clock();
        for (const std::vector<Affine>& pose : motion.poses) {
            advance(rig, pose, 1 / 30.0, state, work);
            embed(rig, state, {positions, normals, {}}, work);
        }
        least = std::min(least, 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC / double(motion.poses.size()));
    }
    return least;
}

/// The same body with weights computed anew: of points at its joints, or of bones between them.
Character with_weights(Character character, const char* method) {
    WeightOptions wanted;
    wanted.method = method;
    wanted.influences = 8;
    Result<ComputedWeights> computed = compute_weights(character, wanted);
    if (!computed) must(computed.error());
    character.weights = std::move(computed->weights);
    return character;
}

std::vector<Motion> motions() {
    std::vector<Motion> out;
    for (auto make : {hand, arm})
        if (std::optional<Motion> motion = make()) out.push_back(std::move(*motion));
    if (out.empty()) std::puts("the shared data is not there: nothing to compare with");
    return out;
}

void print_error(const char* label, const Error& error) {
    std::printf("    %-34s %8.4f  %8.5f\n", label, error.printed, error.rms);
}

Image pictured(const Motion& motion, const std::vector<Vec3>& positions) {
    View view = view_of(positions);
    view.yaw = motion.name == "hand" ? 2.6 : 0.4;
    view.ground = false;
    return render(Appearance(motion.character).shot(positions, {}), view, 260, 260);
}

/// [Luo 2016, fig. 19] A hand and two arms against their skeletons.
void errors(const std::string& folder) {
    ContactSheet sheet(4, 260, 260);
    std::puts("error against the skeleton, as printed and as a root of a mean; three iterations");
    for (const Motion& motion : motions()) {
        const double proximal = motion.name == "hand" ? 0.98 : 0.95;
        const Character points = with_weights(motion.character, "points");
        const auto skeleton = played(*dressed(motion.character, LbsSettings{}), motion);
        std::printf("%s, %zu vertices, %zu frames, l = %.2f\n", motion.name.c_str(), motion.vertices.size(),
                    motion.poses.size(), proximal);
        sheet.begin_row(motion.name);
        if (!folder.empty()) sheet.cell(pictured(motion, skeleton.back()), "skeleton");
        const HandlesSettings usual = handles_at(proximal, 3);
        const std::pair<const char*, Settings> rows[] = {
            {"blending by points", LbsSettings{}}, {"links free", as_published(usual)}, {"links rigid", usual}};
        for (const auto& [label, settings] : rows) {
            const auto surface = played(*dressed(points, settings), motion);
            print_error(label, error_of(motion, surface, skeleton));
            if (!folder.empty()) sheet.cell(pictured(motion, surface.back()), label);
        }
    }
    if (!folder.empty()) must(write_png(in(folder, "handles_errors.png"), sheet.finish()));
}

/// [Luo 2016, fig. 20] Time and error over iterations and the threshold.
void iterations(const std::string& folder) {
    constexpr double thresholds[] = {0.9, 0.95, 0.98, 1};
    for (const Motion& motion : motions()) {
        const Character points = with_weights(motion.character, "points");
        const auto skeleton = played(*dressed(motion.character, LbsSettings{}), motion);
        const double blended = error_of(motion, played(*dressed(points, LbsSettings{}), motion), skeleton).rms;
        Plot plot{motion.name + ", links free and rigid", "iterations", "error (rms)", {}};
        for (const bool published : {true, false}) {
            const char* how = published ? "free" : "rigid";
            std::printf("%s, links %s: rms by iterations 1 to 10; blending by points %.5f\n", motion.name.c_str(), how,
                        blended);
            for (const double l : thresholds) {
                char name[24];
                std::snprintf(name, sizeof name, "%s, l = %.2f", how, l);
                Curve curve{name, {}, {}};
                std::printf("    %s ", name);
                double printed = 0;
                for (int k = 1; k <= 10; ++k) {
                    HandlesSettings settings = handles_at(l, k);
                    if (published) settings = as_published(settings);
                    const Error error = error_of(motion, played(*dressed(points, settings), motion), skeleton);
                    curve.x.push_back(k), curve.y.push_back(error.rms);
                    std::printf(" %.5f", error.rms);
                    if (k == 3) printed = error.printed;
                }
                std::printf("   as printed, 3 iterations: %.4f\n", printed);
                if (l < 0.98) plot.curves.push_back(std::move(curve));
            }
        }
        plot.curves.push_back({"blending", {1, 10}, {blended, blended}});
        if (!folder.empty()) must(write_svg(in(folder, "handles_" + motion.name + ".svg"), plot));
        std::printf("%s: milliseconds of a frame with normals, iterations 1 to 10:", motion.name.c_str());
        for (int k = 1; k <= 10; ++k) std::printf(" %.3f", milliseconds(*dressed(points, handles_at(0.95, k)), motion));
        std::puts("");
    }
}

// ---- bodies made by formulas ---------------------------------------------------------------------------------------
double to_box(Vec3d p, Vec3d half) {
    const Vec3d out{std::max(std::abs(p.x) - half.x, 0.0), std::max(std::abs(p.y) - half.y, 0.0),
                    std::max(std::abs(p.z) - half.z, 0.0)};
    const double in = std::max({std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z});
    return length(out) + std::min(in, 0.0);
}
double to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d arm = b - a;
    const double t = std::clamp(dot(p - a, arm) / dot(arm, arm), 0.0, 1.0);
    return length(p - a - arm * t);
}
double joined(double a, double b, double round) {
    const double share = std::clamp(0.5 + 0.5 * (b - a) / round, 0.0, 1.0);
    return b + (a - b) * share - round * share * (1 - share);
}

struct Posed {
    Character character;
    std::vector<Affine> pose;

    void drag(std::size_t handle, Vec3d to) {
        pose[handle].m[0][3] = to.x, pose[handle].m[1][3] = to.y, pose[handle].m[2][3] = to.z;
    }
    void turn(std::size_t handle, Vec3d axis, double degrees) {
        const Vec3d at = translation_of(pose[handle]);
        const Quat q = quat_from_axis_angle(axis, degrees * degree);
        pose[handle] = compose(at - rotate(q, at), q, {1, 1, 1}) * pose[handle];
    }
};

Posed posed(const Mesh& mesh, const std::string& name, const std::vector<Vec3d>& points,
            const std::vector<int>& parents) {
    HandleOptions options;
    for (std::size_t k = 0; k < points.size(); ++k)
        options.points.push_back({"h" + std::to_string(k), parents[k], points[k], std::nullopt});
    Result<RiggedMesh> rigged = rig_with_handles(mesh, name, options);
    if (!rigged) must(rigged.error());
    Posed out{std::move(rigged->character), {}};
    for (const Joint& joint : out.character.joints) out.pose.push_back(joint.rest);
    return out;
}

/// Largest and usual change of the lengths of edges, in per cent.
std::pair<double, double> strain(const Character& body, const std::vector<Vec3>& positions) {
    double most = 0, sum = 0;
    const auto& triangles = body.mesh.triangles;
    for (std::size_t s = 0; s < triangles.size(); ++s) {
        const std::uint32_t a = triangles[s], b = triangles[s % 3 == 2 ? s - 2 : s + 1];
        const double ratio = double(length(positions[a] - positions[b])) /
                             std::max(1e-12, double(length(body.mesh.positions[a] - body.mesh.positions[b])));
        most = std::max(most, std::abs(ratio - 1)), sum += (ratio - 1) * (ratio - 1);
    }
    return {100 * most, 100 * std::sqrt(sum / double(triangles.size()))};
}

class Figure {
public:
    Figure(const std::string& folder, const char* file, int columns, double yaw = 0, double pitch = 0.25)
        : folder_(folder), file_(file), sheet_(columns, 260, 230), yaw_(yaw), pitch_(pitch) {}
    ~Figure() {
        if (!folder_.empty()) must(write_png(in(folder_, file_), sheet_.finish()));
    }
    Figure(const Figure&) = delete;
    Figure& operator=(const Figure&) = delete;
    void row(const std::string& label) {
        std::printf("%s\n", label.c_str());
        sheet_.begin_row(label);
    }
    void show(const Character& body, const Settings& settings, const std::vector<Affine>& pose,
              const std::string& label) {
        const Held held = hold(*dressed(body, settings), pose);
        const auto [most, usual] = strain(body, held.positions);
        const SurfaceMeter meter(body.mesh.positions, body.mesh.triangles, 8);
        const double volume = 100 * meter.volume_ratio(held.positions).value_or(0);
        const std::size_t crossing =
            CrossingMeter(body.mesh.positions, body.mesh.triangles, 1).measure(held.positions).pairs;
        std::printf("    %-28s edges change by up to %6.1f %%, rms %5.1f %%; volume %6.1f %%; crossings %zu\n",
                    label.c_str(), most, usual, volume, crossing);
        if (folder_.empty()) return;
        View view = view_of(held.positions);
        view.yaw = yaw_, view.pitch = pitch_, view.ground = false;
        sheet_.cell(render(Appearance(body).shot(held.positions, {}), view, 260, 230), label);
    }

private:
    std::string folder_;
    const char* file_;
    ContactSheet sheet_;
    double yaw_, pitch_;
};

HandlesSettings with_links(const char* turns, const char* links = "rigid", int rounds = 3) {
    HandlesSettings out;
    out.turns = turns, out.links = links, out.iterations = rounds, out.influence = "file";
    return out;
}

Mesh bar() {
    return surface_of(
        [](Vec3d p) {
            return to_box(p, {3.6, 0.6, 0.6}) - 0.3;
        },
        {-4.3, -1.2, -1.2}, {4.3, 1.2, 1.2}, 72);
}

/// [Luo 2016, fig. 14] [Luo 2016, fig. 15] A bar, twisted and bent by weights of bones and of points.
void bends(const std::string& folder) {
    const Posed rest = posed(bar(), "bar", {{-3.6, 0, 0}, {0, 0, 0}, {3.6, 0, 0}}, {-1, 0, 1});
    Posed twisted = rest, bent = rest, boned = rest;
    twisted.turn(2, {1, 0, 0}, 150);
    bent.drag(2, {0, 3.6, 0});
    bent.turn(1, {0, 0, 1}, 45), bent.turn(2, {0, 0, 1}, 90);
    boned.turn(1, {0, 0, 1}, 90), boned.turn(2, {0, 0, 1}, 90);
    boned.drag(2, {0, 3.6, 0});
    const Character bones = with_weights(rest.character, "biharmonic");
    Figure figure(folder, "handles_bends.png", 5);
    figure.row("twist by 150");
    figure.show(bones, LbsSettings{}, twisted.pose, "lbs, bones");
    figure.show(rest.character, LbsSettings{}, twisted.pose, "lbs, points");
    figure.show(rest.character, DqsSettings{}, twisted.pose, "dqs, points");
    figure.show(rest.character, with_links("given", "free"), twisted.pose, "links free");
    figure.show(rest.character, with_links("given"), twisted.pose, "links rigid");
    figure.row("bend by 90");
    figure.show(bones, LbsSettings{}, boned.pose, "lbs, bones");
    figure.show(rest.character, LbsSettings{}, bent.pose, "lbs, points");
    figure.show(rest.character, DqsSettings{}, bent.pose, "dqs, points");
    figure.show(rest.character, with_links("eigenvector", "free"), bent.pose, "links free");
    figure.show(rest.character, with_links("eigenvector"), bent.pose, "links rigid");
}

/// [Luo 2016, fig. 16] The border of what handles hold, on a torus.
void border(const std::string& folder) {
    const auto torus = [](Vec3d p) { return std::hypot(std::hypot(p.x, p.y) - 2, p.z) - 0.8; };
    const Mesh mesh = surface_of(torus, {-3, -3, -1}, {3, 3, 1}, 64);
    Posed body = posed(mesh, "torus", {{-2, 0, 0}, {0, -2, 0}, {2, 0, 0}, {0, 2, 0}}, {-1, 0, 1, 0});
    body.drag(2, {2.6, 0, 1.6});
    body.turn(2, {0, 1, 0}, -60);
    Figure figure(folder, "handles_border.png", 3, 0.3, 0.5);
    figure.row("torus, l = 0.9");
    for (const char* smoothing : {"none", "printed", "rigid"}) {
        HandlesSettings settings = with_links("given", "free");
        settings.smoothing = smoothing, settings.proximal = 0.9;
        figure.show(body.character, settings, body.pose, smoothing);
    }
}

/// [Luo 2016, fig. 17] A box that is only dragged, and a star whose middle has five links.
void links(const std::string& folder) {
    Figure figure(folder, "handles_links.png", 3, 0, 0.6);
    const Mesh box_mesh = surface_of([](Vec3d p) { return to_box(p, {1.8, 0.8, 0.8}); }, {-2, -1, -1}, {2, 1, 1}, 48);
    Posed box = posed(box_mesh, "box", {{-1.4, 0, 0}, {1.4, 0, 0}}, {-1, 0});
    box.drag(1, {-1.4, 2.8, 0});
    figure.row("box");
    figure.show(box.character, LbsSettings{}, box.pose, "blending, dragged");
    figure.show(box.character, with_links("given", "free"), box.pose, "not turned");
    figure.show(box.character, with_links("eigenvector"), box.pose, "turned by its link");
    std::vector<Vec3d> points{{0, 0, 0}};
    std::vector<int> parents{-1};
    for (int k = 0; k < 5; ++k) {
        const double a = 2 * std::numbers::pi * k / 5 + 0.3;
        points.push_back(Vec3d{std::cos(a), std::sin(a), 0} * 3.0), parents.push_back(0);
    }
    const auto star = [&](Vec3d p) {
        double out = 1e9;
        for (int k = 1; k <= 5; ++k) {
            const double along = std::clamp(dot(p, points[std::size_t(k)]) / 9, 0.0, 1.0);
            out = joined(out, to_segment(p, {}, points[std::size_t(k)]) - 0.75 + 0.4 * along, 0.4);
        }
        return out;
    };
    Posed starfish = posed(surface_of(star, {-3.6, -3.6, -1}, {3.6, 3.6, 1}, 72), "star", points, parents);
    for (std::size_t k = 1; k < 5; ++k) starfish.drag(k, rotate(quat_from_axis_angle({0, 0, 1}, 0.35), points[k]));
    starfish.drag(5, rotate(quat_from_axis_angle(normalized(cross(points[5], Vec3d{0, 0, 1})), 2.0), points[5]));
    figure.row("star");
    for (const char* turns : {"printed", "fast", "eigenvector"})
        figure.show(starfish.character, with_links(turns), starfish.pose, turns);
}

/// [Luo 2016, fig. 21] A cactus: three handles hold it, then a fourth in one of its branches.
void enabled(const std::string& folder) {
    const Vec3d low{0, 0, 0}, fork{0, 2, 0}, top{0, 5, 0}, elbow{1.7, 2.4, 0}, tip{1.7, 4.2, 0};
    const auto cactus = [&](Vec3d p) {
        return joined(to_segment(p, low, top) - 0.7,
                      joined(to_segment(p, fork, elbow) - 0.45, to_segment(p, elbow, tip) - 0.45, 0.2), 0.3);
    };
    Posed body = posed(surface_of(cactus, {-0.9, -0.9, -0.9}, {2.4, 5.9, 0.9}, 80), "cactus", {low, top, elbow, tip},
                       {-1, 0, 0, 2});
    body.drag(1, {-1.6, 4.4, 0});
    body.drag(3, {3.6, 3.2, 0});
    Figure figure(folder, "handles_enabled.png", 4);
    figure.row("cactus");
    HandlesSettings three = with_links("eigenvector", "free", 20), four = three;
    three.disabled = "h2";
    figure.show(body.character, three, posed(body.character.mesh, "cactus", {low, top, elbow, tip}, {-1, 0, 0, 2}).pose,
                "rest");
    figure.show(body.character, three, body.pose, "three handles");
    figure.show(body.character, four, body.pose, "and the middle one");
    figure.show(body.character, LbsSettings{}, body.pose, "blending");
}

/// [Luo 2016, fig. 22] What becomes of details: a cylinder with knobs, twisted and bent.
void details(const std::string& folder) {
    const auto knobs = [](Vec3d p) {
        const double around = std::atan2(p.z, p.y);
        const double bump = 0.12 * std::max(0.0, std::sin(5 * p.x)) * std::max(0.0, std::sin(6 * around));
        return std::max(0.8 * (std::hypot(p.y, p.z) - 1 - bump), std::abs(p.x) - 4);
    };
    const Posed rest = posed(surface_of(knobs, {-4.3, -1.3, -1.3}, {4.3, 1.3, 1.3}, 110), "cylinder",
                             {{-3.5, 0, 0}, {3.5, 0, 0}}, {-1, 0});
    Posed twisted = rest, bent = rest;
    twisted.turn(1, {1, 0, 0}, 135);
    bent.drag(1, {1, 3, 0});
    bent.turn(1, {0, 0, 1}, 100);
    Figure figure(folder, "handles_details.png", 4);
    for (const auto& [label, body] : {std::pair{"twist by 135", &twisted}, {"bend by 100", &bent}}) {
        figure.row(label);
        figure.show(rest.character, LbsSettings{}, body->pose, "lbs");
        figure.show(rest.character, DqsSettings{}, body->pose, "dqs");
        figure.show(rest.character, with_links("given", "free"), body->pose, "3 iterations");
        figure.show(rest.character, with_links("given", "free", 30), body->pose, "30 iterations");
    }
}

/// Balls at handles, bars along their links, and only those parts of the body that face away.
Image opened(const Mesh& mesh, const Skeleton& handles, double yaw, int size) {
    Character drawn;
    View view = view_of(mesh.positions);
    view.yaw = yaw, view.pitch = 0.1, view.ground = false;
    const Vec3d eye{std::sin(yaw), 0.1, std::cos(yaw)};
    std::vector<Vec3> positions = mesh.positions;
    std::vector<std::uint32_t> triangles;
    std::vector<Vec4> colors(positions.size(), {0.75f, 0.7f, 0.62f, 1});
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const auto place = [&](std::size_t k) { return to_double(mesh.positions[mesh.triangles[t + k]]); };
        if (dot(cross(place(1) - place(0), place(2) - place(0)), eye) > 0) continue;
        for (const std::size_t k : {0, 2, 1}) triangles.push_back(mesh.triangles[t + k]);
    }
    const auto add = [&](const Mesh& part, Vec4 color) {
        const auto first = std::uint32_t(positions.size());
        for (const Vec3 p : part.positions) positions.push_back(p), colors.push_back(color);
        for (const std::uint32_t v : part.triangles) triangles.push_back(first + v);
    };
    const double thick = 0.012 * length(view.box_max - view.box_min);
    for (const SkeletonJoint& handle : handles) {
        const Vec3d at = handle.position, r = Vec3d{1, 1, 1} * (1.4 * thick);
        add(surface_of([&](Vec3d p) { return length(p - at) - thick; }, at - r, at + r, 8), {0.8f, 0.1f, 0.05f, 1});
        if (handle.parent < 0) continue;
        const Vec3d to = handles[std::size_t(handle.parent)].position;
        const Vec3d low{std::min(at.x, to.x), std::min(at.y, to.y), std::min(at.z, to.z)};
        const Vec3d high{std::max(at.x, to.x), std::max(at.y, to.y), std::max(at.z, to.z)};
        const int cells = std::clamp(int(length(high - low) / (0.25 * thick)), 12, 90);
        add(surface_of([&](Vec3d p) { return to_segment(p, at, to) - 0.35 * thick; }, low - r, high + r, cells),
            {0.1f, 0.3f, 0.7f, 1});
    }
    return render(Shot{positions, {}, triangles, colors, nullptr}, view, size, size);
}

/// [Luo 2016, fig. 18] Where handles are found.
void placement(const std::string& folder) {
    ContactSheet sheet(5, 300, 300);
    std::vector<std::pair<std::string, Mesh>> bodies;
    for (const char* file : {"armadillo.obj", "spot.obj", "bunny.off", "suzanne.obj"})
        if (Result<Mesh> mesh = load_mesh(FASCIA_SOURCE_DIR "/../shared/data/static/" + std::string(file)))
            bodies.emplace_back(file, std::move(*mesh));
    for (const char* file : {"mh_heavy_male.glb", "Fox.glb", "CesiumMan.glb"})
        if (Result<Character> read = shared_character("characters/" + std::string(file)))
            bodies.emplace_back(file, std::move(read->mesh));
    for (const char* name : {"bunny", "gnome", "bloat"}) bodies.emplace_back(name, cast(name).mesh);
    std::size_t column = 0;
    for (const auto& [name, mesh] : bodies) {
        const Result<PlacedHandles> placed = place_handles(mesh, name, {});
        if (!placed) must(placed.error());
        std::printf("%-20s %3zu handles%s\n", name.c_str(), placed->handles.size(),
                    placed->mirrored ? ", mirrored" : "");
        if (folder.empty()) continue;
        if (column++ % 5 == 0) sheet.begin_row("");
        const bool long_body = name == "Fox.glb" || name == "spot.obj";
        sheet.cell(opened(mesh, placed->handles, long_body ? 1.2 : name == "armadillo.obj" ? 3.5 : 0.4, 300), name);
    }
    if (!folder.empty()) must(write_png(in(folder, "handles_placement.png"), sheet.finish()));
}

}  // namespace

}  // namespace fascia::experiments

int main(int argc, char** argv) {
    using namespace fascia::experiments;
    const Experiment all[] = {{"bends", bends},         {"border", border},  {"links", links},
                              {"placement", placement}, {"errors", errors},  {"iterations", iterations},
                              {"enabled", enabled},     {"details", details}};
    return run_one(argc, argv, all);
}
