// Experiments of Luo's thesis, chapter 5: smooth surfaces, part by part.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "embed/radial_basis.h"
#include "embed/surface_samples.h"
#include "fascia/carrying.h"
#include "fascia/live.h"
#include "rows.h"
#include "volumetric.h"

namespace fascia::experiments {

namespace {

/// One system for all samples, as published: factored once, solved and summed up in every frame.
struct SingleSystem {
    double setting_up = 0, frame = 0;
};
SingleSystem single_system(const Character& character, std::size_t count) {
    const embedding::SurfaceSamples found =
        embedding::sample_surface(character.mesh.positions, character.mesh.triangles, count);
    std::vector<Vec3d> places;
    for (const embedding::SurfaceSample& s : found.samples) {
        Vec3d at;
        for (std::size_t k = 0; k < 3; ++k) at += to_double(character.mesh.positions[s.vertices[k]]) * s.shares[k];
        places.push_back(at);
    }
    embedding::RadialBasis system;
    SingleSystem out;
    out.setting_up = least_seconds(3, [&] { system = embedding::RadialBasis(places, embedding::Kernel::gauss); });
    std::vector<double> values, scratch, row(system.size());
    double sum = 0;
    out.frame = least_seconds(3, [&] {
        values.assign(3 * system.size(), 0.01);
        system.solve(values, 3, scratch);
        for (const Vec3 p : character.mesh.positions) {
            system.row(to_double(p), row);
            for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * values[3 * k];
        }
    });
    if (!std::isfinite(sum)) std::puts("a system has no solution");
    return out;
}

/// Colours that are far apart, one for each number.
Vec4 color_of(std::size_t k) {
    const auto part = [&](double step) { return float(0.15 + 0.75 * (k * step - std::floor(k * step))); };
    return {part(0.8191725), part(0.6710436), part(0.5497004), 1};
}

/// Of all neighbours within a domain, and across a border: the largest turn of one normal against the other beyond
/// rest, in degrees.
struct Turns {
    double inside = 0, across = 0;
};
Turns normal_turns(const Character& c, const std::vector<std::uint32_t>& domains, const std::vector<Vec3>& normals) {
    Turns out;
    const auto angle = [](Vec3 a, Vec3 b) {
        return std::acos(std::clamp(double(dot(a, b)), -1.0, 1.0)) * 180 / std::numbers::pi;
    };
    for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t) {
        const std::uint32_t a = c.mesh.triangles[t], b = c.mesh.triangles[t % 3 == 2 ? t - 2 : t + 1];
        const double more = angle(normals[a], normals[b]) - angle(c.mesh.normals[a], c.mesh.normals[b]);
        double& most = domains[a] == domains[b] ? out.inside : out.across;
        most = std::max(most, more);
    }
    return out;
}

}  // namespace

/// Printed as 5.1: initialising and a frame against the number of samples, of one system and of domains.
void samples(const std::string& folder) {
    constexpr double published_frames[] = {28.17, 42.52, 58.77, 74.11, 89.81, 105.73, 119.82};
    const ModelBody body = model_named("Arm", 5103.0 / 49874);
    const std::vector<Affine> pose = pose_of(body);
    const double bare = least_seconds(3, [&] { dressed(body.character, dqs_at(24)); });
    ContactSheet sheet(4, 260, 260);
    constexpr double published_single[] = {19.54, 30.51, 44.94, 57.81, 72.56, 86.56, 103.09};
    std::printf("%zu vertices; milliseconds to initialise, and of a frame (published)\n",
                body.character.mesh.vertex_count());
    for (int k = 0; k < 7; ++k) {
        const int count = 50 * (k + 1);
        RigPtr rig;
        const double whole = least_seconds(3, [&] { rig = carried(body, dqs_at(24), "domains", count); });
        const SingleSystem single = single_system(body.character, std::size_t(count));
        std::printf("%4d samples: one system %7.2f  %7.3f (%.2f)   domains %7.2f  %7.3f (%.2f)\n", count,
                    1e3 * single.setting_up, 1e3 * single.frame, published_single[k], 1e3 * std::max(0.0, whole - bare),
                    1e3 * frame_seconds(*rig, pose), published_frames[k]);
        if (folder.empty() || k % 2 != 0) continue;
        if (k == 0) sheet.begin_row("domains");
        sheet.cell(picture(body, hold(*rig, pose)), std::to_string(count) + " samples");
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_samples.png"), sheet.finish()));
}

/// Printed as 5.1 and 5.2: domains and samples; one leg moves, and the other stays where it is, or not.
void domains(const std::string& folder) {
    ModelBody body = model_named("Warrior", 0.2);  // whose legs share no voxel
    body.turns = {{"left leg", {1, 0, 0}, -60}};
    const std::vector<Affine> pose = pose_of(body), rest = pose_of(body, 0);
    ContactSheet sheet(3, 260, 320);
    sheet.begin_row("one leg moves");
    std::puts("the furthest that the other leg goes, against the one that moves");
    for (const char* how : {"domains", "rbf"}) {
        const RigPtr rig = carried(body, dqs_at(24), how);
        const Held held = hold(*rig, pose), still = hold(*rig, rest);
        const SurfaceCarriers by = surface_carriers(*rig);
        if (!by.domains.empty() && !folder.empty()) {
            std::vector<Vec4> colors;
            for (const std::uint32_t d : by.domains) colors.push_back(color_of(d));
            for (const std::uint32_t v : by.samples) colors[v] = {0, 0, 0, 1};
            sheet.cell(painted(body, still, colors), "domains and samples");
        }
        double moved = 0, leaked = 0;
        for (std::size_t v = 0; v < held.positions.size(); ++v) {
            const Vec3 p = body.character.mesh.positions[v];
            const double far = length(held.positions[v] - still.positions[v]);
            if (p.y < 2) (p.x > 0 ? moved : leaked) = std::max(p.x > 0 ? moved : leaked, far);
        }
        std::printf("%-8s %.2g\n", how, leaked / moved);
        if (!folder.empty()) sheet.cell(picture(body, held), std::string(how) == "rbf" ? "one system" : how);
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_domains.png"), sheet.finish()));
}

/// Printed as 5.4 to 5.6: arms, the twist of an elbow, the bend of a leg.
void seams(const std::string& folder) {
    struct Case {
        const char *name, *model;
        std::vector<Turn> turns;
    };
    const Case cases[] = {{"arms", "Fat man", {{"left arm", {0, 0, 1}, 50}, {"right arm", {0, 0, 1}, -50}}},
                          {"elbow twist", "Arm", {{"forearm", {1, 0, 0}, 100}}},
                          {"leg bend", "Fat man", {{"left leg", {1, 0, 0}, -70}, {"left shin", {1, 0, 0}, 80}}}};
    ContactSheet sheet(3, 260, 260);
    std::puts("largest turn between neighbouring normals beyond rest, in degrees: inside domains, across borders");
    for (const Case& one : cases) {
        ModelBody body = model_named(one.model, 0.2);
        body.turns = one.turns;
        const RigPtr rig = carried(body, arap_at(24), "domains"), plain = carried(body, arap_at(24), "trilinear");
        const std::vector<std::uint32_t> parts = surface_carriers(*rig).domains;
        const Held held = hold(*rig, pose_of(body)), rough = hold(*plain, pose_of(body));
        const Turns smooth = normal_turns(body.character, parts, held.normals),
                    other = normal_turns(body.character, parts, rough.normals);
        std::printf("%-12s domains %5.1f %5.1f   trilinear %5.1f %5.1f\n", one.name, smooth.inside, smooth.across,
                    other.inside, other.across);
        if (folder.empty()) continue;
        std::vector<Vec4> colors;
        for (const std::uint32_t d : parts) colors.push_back(color_of(d));
        sheet.begin_row(one.name);
        sheet.cell(painted(body, held, colors), "domains");
        sheet.cell(picture(body, held), "domains");
        sheet.cell(picture(body, rough), "trilinear");
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_seams.png"), sheet.finish()));
}

/// Printed as 5.7: what carries a surface on finite elements.
void elements(const std::string& folder) {
    const ModelBody body = model_named("Arm", 0.2);
    ContactSheet sheet(4, 300, 300);
    sheet.begin_row("finite elements");
    std::puts("largest jump of the second differences along the arm, in millionths of the size");
    for (const char* how : {"trilinear", "blend", "dq", "domains"}) {
        VoxelRig rig(body, 12, how);
        const Held held = rig.carried(saint_venant_kirchhoff(rig, 4, 60));
        std::printf("%-10s %8.1f\n", how, 1e6 * largest_kink(body.character, held.positions));
        if (!folder.empty()) sheet.cell(picture(body, held, 300), how);
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_elements.png"), sheet.finish()));
}

/// [Luo 2016, fig. 4] and printed as 5.9 and 5.10: rigid cells with elastic faces, their surface carried by domains.
void rigid(const std::string& folder, double detail) {
    ContactSheet sheet(3, 260, 260);
    std::puts("volume in % of rest, seconds of solving");
    for (const char* name : {"Warrior", "Fat man", "Mushroom"}) {
        const ModelBody body = model_named(name, 0.3 * detail);
        const int resolution = resolution_of(body, detail < 1 ? 0.05 : 0.3);
        VoxelRig rig(body, resolution, "domains");
        Voxels solved;
        const double seconds = seconds_of([&] { solved = rigid_cells(rig, detail < 1 ? 20 : 100); });
        const Held cells = rig.carried(solved);
        const RigPtr arap = carried(body, arap_at(resolution), "domains");
        const Held edges = hold(*arap, pose_of(body));
        std::printf("%-10s %6zu voxels: rigid cells %7.2f  %6.2f s   volumetric-arap %7.2f  %6.4f s\n", name,
                    rig.cell_count(), volume_of(body.character, cells.positions), seconds,
                    volume_of(body.character, edges.positions), frame_seconds(*arap, pose_of(body)));
        if (folder.empty()) continue;
        sheet.begin_row(name);
        sheet.cell(picture(body, rig.carried(rig.skinned(1))), "skinning");
        sheet.cell(picture(body, edges), "volumetric-arap");
        sheet.cell(picture(body, cells), "rigid cells");
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_rigid.png"), sheet.finish()));
}

/// Printed as 5.11: shape matching, pulled by a hand.
void soft(const std::string& folder) {
    const ModelBody body = model_named("Mushroom", 0.1);
    LatticeSettings flesh = flesh_of<LatticeSettings>("default");
    flesh.resolution = 20;
    ContactSheet sheet(2, 260, 260);
    sheet.begin_row("pulled");
    std::puts("the furthest that a hand pulls the cap, in % of the size");
    for (const char* how : {"trilinear", "domains"}) {
        const RigPtr rig = carried(body, flesh, how);
        Held held{std::vector<Vec3>(rig->vertex_count()), std::vector<Vec3>(rig->vertex_count()), make_state(*rig)};
        Workspace work(1);
        const std::vector<Affine> pose = pose_of(body, 0);
        reset(*rig, pose, held.state, work);
        embed(*rig, held.state, {held.positions, held.normals, {}}, work);
        const std::vector<Vec3> before = held.positions;
        const Vec3 grip = *std::max_element(before.begin(), before.end(), [](Vec3 a, Vec3 b) { return a.x < b.x; });
        if (!pull(*rig, to_double(grip), to_double(grip) + Vec3d{2, 1, 0}, 4, held.state))
            std::puts("there is nothing to hold");
        for (int frame = 0; frame < 60; ++frame) advance(*rig, pose, 1 / 60.0, held.state, work);
        embed(*rig, held.state, {held.positions, held.normals, {}}, work);
        double furthest = 0;
        for (std::size_t v = 0; v < before.size(); ++v)
            furthest = std::max(furthest, double(length(held.positions[v] - before[v])));
        std::printf("%-10s %6.2f\n", how, 100 * furthest / body.character.size());
        if (!folder.empty()) sheet.cell(picture(body, held), how);
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_soft.png"), sheet.finish()));
}

/// Printed as 5.12: particles without cells carry a surface by the nearest ones.
void meshless(const std::string& folder) {
    const ModelBody body = model_named("Fat man", 0.1);
    const Settings flesh = settings_of("particles", "default");
    ContactSheet sheet(2, 260, 260);
    sheet.begin_row("particles");
    const std::vector<Affine> pose = pose_of(body);
    const Held own = hold(*dressed(body.character, flesh), pose), by = hold(*carried(body, flesh, "domains"), pose);
    double furthest = 0, sum = 0;
    for (std::size_t v = 0; v < own.positions.size(); ++v) {
        const double far = length(own.positions[v] - by.positions[v]);
        furthest = std::max(furthest, far), sum += far / double(own.positions.size());
    }
    std::printf("domains of particles against the method's own surface: %.2f %% of the size on average, %.2f at most\n",
                100 * sum / body.character.size(), 100 * furthest / body.character.size());
    if (folder.empty()) return;
    sheet.cell(picture(body, own), "its own");
    sheet.cell(picture(body, by), "domains");
    must(write_png(in(folder, "volumetric_meshless.png"), sheet.finish()));
}

}  // namespace fascia::experiments
