// The figures of docs/papers/001.md: a coarse elbow twisted and bent, by linear blending, by bones blending, and by
// bones blending after a 1:4 subdivision.      example_twisting_elbow [FOLDER]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "fascia/fascia.h"

using namespace fascia;

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int rings = 8, sides = 12;

/// A tube along x with two bones that meet in the origin.
Character coarse_elbow() {
    Character c;
    c.name = "elbow";
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < sides; ++k) {
            const double a = 2 * pi * k / sides, x = -4 + 8.0 * i / rings;
            const double w = std::clamp((x + 2) / 4, 0.0, 1.0);
            c.mesh.positions.push_back({float(x), float(std::cos(a)), float(std::sin(a))});
            for (const int joint : {w > 0.5 ? 1 : 0, w > 0.5 ? 0 : 1, 0, 0})
                c.weights.joints.push_back(std::uint16_t(joint));
            for (const double weight : {std::max(w, 1 - w), std::min(w, 1 - w), 0.0, 0.0})
                c.weights.weights.push_back(float(weight));
        }
    const auto at = [](int i, int k) { return std::uint32_t(i * sides + k % sides); };
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < sides; ++k)
            for (const std::uint32_t v :
                 {at(i, k), at(i, k + 1), at(i + 1, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)})
                c.mesh.triangles.push_back(v);
    c.weights.influences = 4;
    c.nodes.resize(2);
    c.nodes[0].translation = {-4, 0, 0};
    c.nodes[1].parent = 0;
    c.nodes[1].translation = {4, 0, 0};
    c.joints = {{"upper_arm", 0, -1, 0, compose({-4, 0, 0}, {}, {1, 1, 1}), {0, 0, 0}},
                {"forearm", 1, 0, 0, Affine{}, {4, 0, 0}}};
    return c;
}

std::vector<Vec3> deform(const Character& c, const Settings& settings, Vec3d axis, double angle) {
    const auto rig = fascia::bind(c, settings);
    State state = make_state(**rig);
    Workspace work;
    const std::vector<Affine> pose{c.joints[0].rest, compose({}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
    reset(**rig, pose, state, work);
    std::vector<Vec3> out(c.mesh.vertex_count());
    embed(**rig, state, {.positions = out}, work);
    return out;
}

double curvature(const Character& c, const std::vector<Vec3>& positions) {
    std::vector<std::uint32_t> bending;  // triangles between the planes of the zone
    for (std::uint32_t t = 0; t < c.mesh.triangle_count(); ++t) {
        bool inside = true;
        for (int k = 0; k < 3; ++k) inside = inside && std::abs(c.mesh.positions[c.mesh.triangles[3 * t + k]].x) < 2.5f;
        if (inside) bending.push_back(t);
    }
    return joint_curvature(positions, c.mesh.triangles, weld_by_position(c.mesh.positions), bending) * 180 / pi;
}

void dot_at(Image& image, int x, int y, const std::uint8_t (&color)[3]) {
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && y + dy >= 0 && x + dx < image.width && y + dy < image.height)
                std::copy(color, color + 3, &image.rgb[3 * (std::size_t(y + dy) * image.width + x + dx)]);
}

/// Curves over 0..135 degrees, 0..180 upwards, with a grey line every 30.
Image plot(const std::vector<std::vector<double>>& curves) {
    Image image{540, 360, std::vector<std::uint8_t>(540 * 360 * 3, 255)};
    const std::uint8_t grey[3] = {215, 215, 215}, colors[2][3] = {{200, 80, 40}, {30, 100, 180}};
    for (int value = 0; value <= 180; value += 30)
        for (int x = 0; x < image.width; x += 3) dot_at(image, x, image.height - 1 - 2 * value, grey);
    for (std::size_t c = 0; c < curves.size(); ++c)
        for (std::size_t i = 0; i + 1 < curves[c].size(); ++i)
            for (int s = 0; s < 40; ++s) {
                const double value = curves[c][i] + (curves[c][i + 1] - curves[c][i]) * s / 40;
                dot_at(image, int((double(i) + s / 40.0) * (image.width - 1) / double(curves[c].size() - 1)),
                       image.height - 1 - int(2 * value), colors[c]);
            }
    return image;
}

}  // namespace

/// [Kavan 2003, fig. 4] [Kavan 2003, fig. 8] [Kavan 2003, fig. 9]
int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? std::string(argv[1]) + "/" : "";
    const Character coarse = coarse_elbow();
    const auto finer = subdivide(coarse, "forearm", Split::four);
    if (!finer) return std::puts(finer.error().message.c_str()), 1;
    BonesBlendingSettings blending;
    blending.joints.push_back({"forearm", -2.0, 2.0, 1.0});

    struct Row {
        const char* name;
        const Character& character;
        Settings settings;
    };
    const Row rows[] = {{"linear blending", coarse, LbsSettings{}},
                        {"bones blending", coarse, blending},
                        {"bones blending, 1:4", finer->character, blending}};
    ContactSheet sheet(3, 420, 300);
    for (const auto& [label, axis, angle] :
         {std::tuple{"twisted 180", Vec3d{1, 0, 0}, pi}, std::tuple{"bent 135", Vec3d{0, 0, 1}, 0.75 * pi}}) {
        sheet.begin_row(label);
        for (const Row& row : rows) {
            const std::vector<Vec3> positions = deform(row.character, row.settings, axis, angle);
            View view = view_of(positions);
            view.ground = false;
            sheet.cell(
                render({.positions = positions, .normals = {}, .triangles = row.character.mesh.triangles, .colors = {}},
                       view, 420, 300),
                row.name);
        }
    }

    std::vector<std::vector<double>> curves(2);
    std::puts("degrees  original  1:4");
    for (int degrees = 0; degrees <= 135; degrees += 5) {
        for (int k = 0; k < 2; ++k) {
            const Character& c = rows[1 + k].character;
            curves[std::size_t(k)].push_back(curvature(c, deform(c, blending, {0, 0, 1}, degrees * pi / 180)));
        }
        std::printf("%7d  %8.1f  %5.1f\n", degrees, curves[0].back(), curves[1].back());
    }
    if (folder.empty()) return 0;
    const Status drawn = write_png(folder + "twisting_elbow.png", sheet.finish());
    const Status plotted = write_png(folder + "elbow_curvature.png", plot(curves));
    if (!drawn || !plotted) return std::puts("could not write the pictures"), 1;
    return 0;
}
