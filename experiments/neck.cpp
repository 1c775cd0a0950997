// Experiments of Luo's thesis, chapter 3: what happens beneath the skin of a neck.
#include <array>
#include <cmath>
#include <cstdio>

#include "program.h"
#include "stage.h"

namespace fascia::experiments {

namespace {

constexpr Vec4 bone{0.72f, 0.66f, 0.52f, 1}, muscle{0.5f, 0.075f, 0.06f, 1}, skin{0.62f, 0.42f, 0.32f, 1};

/// Surfaces drawn together.
struct Drawing {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> colors;
    std::vector<std::uint32_t> triangles;

    void add(std::span<const Vec3> points, std::span<const std::uint32_t> corners, Vec4 color) {
        const auto first = std::uint32_t(positions.size());
        positions.insert(positions.end(), points.begin(), points.end());
        colors.insert(colors.end(), points.size(), color);
        for (const std::uint32_t corner : corners) triangles.push_back(first + corner);
    }
    Shot shot() const { return {.positions = positions, .normals = {}, .triangles = triangles, .colors = colors}; }
};

/// Muscles and bones; with `cut`, the skin of one half of the body as well.
Drawing inside(const Character& character, const Rig& rig, const Frame& frame, bool cut) {
    Drawing out;
    if (const Beneath* parts = beneath(rig)) {
        std::size_t count = 0;
        for (const Beneath::Piece& piece : parts->pieces()) count += piece.vertices;
        std::vector<Vec3> points(count);
        Workspace work;
        parts->positions(frame.state, points, work);
        for (const Beneath::Piece& piece : parts->pieces()) {
            std::vector<std::uint32_t> corners(
                parts->triangles().begin() + std::ptrdiff_t(3 * piece.first_triangle),
                parts->triangles().begin() + std::ptrdiff_t(3 * (piece.first_triangle + piece.triangles)));
            for (std::uint32_t& corner : corners) corner -= std::uint32_t(piece.first_vertex);
            out.add(std::span(points).subspan(piece.first_vertex, piece.vertices), corners,
                    piece.muscle ? muscle : bone);
        }
    }
    if (!cut) return out;
    std::vector<std::uint32_t> half;
    const std::vector<std::uint32_t>& t = character.mesh.triangles;
    for (std::size_t k = 0; k < t.size(); k += 3)
        if (character.mesh.positions[t[k]].x < 0 && character.mesh.positions[t[k + 1]].x < 0 &&
            character.mesh.positions[t[k + 2]].x < 0)
            half.insert(half.end(), {t[k], t[k + 1], t[k + 2]});
    out.add(frame.positions, half, skin);
    return out;
}

struct Moment {
    const char* clip;
    double time;
};

/// Rows: the surface, cut open, without skin. Columns: extreme postures.
void draw_inside(const Character& character, const std::vector<Moment>& moments, const std::string& file,
                 const std::string& around = "*") {
    const Result<std::vector<std::uint32_t>> seen = vertices_around(character, around);
    if (!seen) must(Status(seen.error()));
    const RigPtr rig = dressed(character, settings_of("neck", "default"));
    ContactSheet sheet(int(moments.size()), 300, 340);
    sheet.title(character.name);
    std::array<std::vector<Image>, 3> rows;
    for (const Moment& moment : moments) {
        const int wanted = int(std::lround(moment.time * 60));
        Playing playing;
        playing.seconds = moment.time + 0.02;
        play(character, *rig, moment.clip, playing, [&](const Frame& frame) {
            if (frame.index != wanted) return;
            std::vector<Vec3> framed;
            for (const std::uint32_t v : *seen) framed.push_back(frame.positions[v]);
            View view = view_of(framed);
            view.yaw = 0.75;
            rows[0].push_back(render(Appearance(character).shot(frame.positions, frame.normals), view, 300, 340));
            for (const bool cut : {true, false})
                rows[cut ? 1 : 2].push_back(render(inside(character, *rig, frame, cut).shot(), view, 300, 340));
        });
    }
    constexpr const char* labels[] = {"skin", "cut open", "inside"};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        sheet.begin_row(labels[r]);
        for (std::size_t k = 0; k < rows[r].size(); ++k) sheet.cell(std::move(rows[r][k]), moments[k].clip);
    }
    must(write_png(file, sheet.finish()));
}

const std::vector<Moment> postures{{"rest", 0.5},    {"flexion", 1.9}, {"extension", 1.9}, {"rotation", 1.0},
                                   {"lateral", 1.0}, {"jaw", 1.4},     {"swallow", 0.8}};

// Figure 3.9: extreme postures of the components beneath the skin.
void run_inside(const std::string& folder) {
    if (!folder.empty()) draw_inside(cast("neck"), postures, folder + "/neck_inside.png");
}

// Figure 3.10: the same postures with linear blending, with flesh in layers, and with muscles.
void run_methods(const std::string& folder) {
    if (folder.empty()) return;
    const Character bust = cast("neck");
    const std::array<const char*, 3> methods{"lbs", "layers", "neck"};
    ContactSheet sheet(int(postures.size()), 300, 340);
    for (const char* method : methods) {
        const RigPtr rig = dressed(bust, settings_of(method, "default"));
        sheet.begin_row(method);
        for (const Moment& moment : postures) {
            Playing playing;
            playing.seconds = moment.time;
            play(bust, *rig, moment.clip, playing, [&](const Frame& frame) {
                if (frame.index != int(std::lround(60 * moment.time))) return;
                View view = view_of(frame.skinned);
                view.yaw = 0.4;
                sheet.cell(render(Appearance(bust).shot(frame.positions, frame.normals), view, 300, 340), moment.clip);
            });
        }
    }
    must(write_png(folder + "/neck_methods.png", sheet.finish()));
}

// Figure 3.11: nothing but activations, in the rest pose. Prints how far the tip of the nose has gone.
void run_excited(const std::string& folder) {
    const Character bust = cast("neck");
    struct Excited {
        const char *label, *excite;
    };
    const std::array<Excited, 5> all{
        {{"none", ""},
         {"left sternomastoid", "left_sternomastoid=0.6"},
         {"right sternomastoid, left splenius", "right_sternomastoid=0.5,left_splenius=0.5"},
         {"both sternomastoids", "*sternomastoid=0.6"},
         {"both semispinales", "*semispinalis=0.6"}}};
    std::size_t nose = 0;
    for (std::size_t v = 0; v < bust.mesh.vertex_count(); ++v)
        if (bust.mesh.positions[v].y > 0.3f && bust.mesh.positions[v].z > bust.mesh.positions[nose].z) nose = v;
    ContactSheet sheet(int(all.size()), 300, 340);
    std::array<std::vector<Image>, 2> rows;
    std::printf("the tip of the nose goes, mm:  left     up  forward\n");
    for (const Excited& each : all) {
        Result<Flesh> flesh = preset("default");
        if (!flesh) must(Status(flesh.error()));
        must(set_field(*flesh, "bones", "actuators"));
        must(set_field(*flesh, "excite", each.excite));
        const Result<Settings> settings = settings_for("neck", *flesh);
        if (!settings) must(Status(settings.error()));
        const RigPtr rig = dressed(bust, *settings);
        Playing playing;
        playing.seconds = 1.5;
        play(bust, *rig, "rest", playing, [&](const Frame& frame) {
            if (frame.index != 90) return;
            const Vec3 gone = (frame.positions[nose] - bust.mesh.positions[nose]) * 1000;
            std::printf("%-28s %6.1f %6.1f %8.1f\n", each.label, double(gone.x), double(gone.y), double(gone.z));
            if (folder.empty()) return;
            View view = view_of(frame.positions);
            view.yaw = 0.4;
            rows[0].push_back(render(Appearance(bust).shot(frame.positions, frame.normals), view, 300, 340));
            rows[1].push_back(render(inside(bust, *rig, frame, false).shot(), view, 300, 340));
        });
    }
    if (folder.empty()) return;
    for (const std::size_t r : {0, 1}) {
        sheet.begin_row(r == 0 ? "skin" : "inside");
        for (std::size_t k = 0; k < all.size(); ++k) sheet.cell(std::move(rows[r][k]), all[k].label);
    }
    must(write_png(folder + "/neck_excited.png", sheet.finish()));
}

// The anatomy of the bust, fitted to other necks.
void run_fitted(const std::string& folder) {
    const Character bust = cast("neck");
    for (const char* name : {"mh_heavy_male", "mh_female_hires_quantized"}) {
        Result<Character> read =
            load_character(std::string(FASCIA_SOURCE_DIR "/../shared/data/characters/") + name + ".glb");
        if (!read) continue;
        Result<FittedNeck> fitted = fit_neck(bust, *read);
        if (!fitted) must(Status(fitted.error()));
        std::printf("%s: %zu bodies, %zu muscles\n", name, fitted->scene.bodies.size(), fitted->scene.muscles.size());
        for (const std::string& note : fitted->notes) std::printf("  %s\n", note.c_str());
        read->scene = std::make_shared<const AnatomyScene>(std::move(fitted->scene));
        const char* clip = read->clips.empty() ? "0" : read->clips[0].name.c_str();
        if (!folder.empty()) draw_inside(*read, {{clip, 0.0}, {clip, 0.6}}, folder + "/neck_" + name + ".png", "Neck*");
    }
}

constexpr std::array experiments{Experiment{"inside", run_inside}, Experiment{"methods", run_methods},
                                 Experiment{"excited", run_excited}, Experiment{"fitted", run_fitted}};

}  // namespace

}  // namespace fascia::experiments

int main(int argc, char** argv) {
    return fascia::experiments::run_one(argc, argv, fascia::experiments::experiments);
}
