// The experiments of the multi-layer lattice (docs/papers/000.md):      multilayer EXPERIMENT [FOLDER]
// Prints its table; draws its pictures when a folder is given.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "plot.h"
#include "program.h"
#include "rows.h"

using namespace fascia;
using namespace fascia::experiments;

namespace {

/// A row of the publication's Tables 1 and 2, and who plays it here.
struct Model {
    const char *published_name, *character, *preset;
    int resolution, width;
    int published_voxels;
    double published_ms;
};
constexpr Model models[] = {{"Bunny", "bunny", "paper-bunny", 32, 3, 3671, 19.47},
                            {"Smurf", "gnome", "paper-smurf", 64, 3, 4312, 36.36},
                            {"Bloat", "bloat", "paper-bloat", 32, 3, 4798, 32.45},
                            {"Bloat (low res.)", "bloat", "paper-bloat", 16, 2, 922, 5.47}};

LayersSettings published_flesh(const Model& model) {
    LayersSettings flesh = flesh_of(model.preset);
    flesh.resolution = model.resolution;
    flesh.region_width = model.width;
    if (model.resolution != 16) return flesh;
    // Table 2 has a row of its own for the coarse one.
    const double k_s[] = {1.9, 0.9, 1.3}, k_d[] = {.6, .4, .3};
    for (std::size_t k = 0; k < 3; ++k) {
        flesh.layers[k].k_s = k_s[k];
        flesh.layers[k].k_d = k_d[k];
    }
    return flesh;
}

double total(const StageTimes& t) {
    double sum = 0;
    for (const StageTimes::Stage& stage : t.all())
        if (stage.name != std::string("embed")) sum += stage.seconds;
    return sum;
}

void tables(const std::string&) {
    std::puts("Table 1              res.  voxels (published)  d_r   ms (published)   physical, 4 steps: ms");
    for (const Model& model : models) {
        const Character character = cast(model.character);
        LayersSettings physical = flesh_of("default");
        physical.resolution = model.resolution;
        physical.region_width = model.width;
        const RigPtr rig = dressed(character, published_flesh(model));
        std::printf("%-20s %4d  %6zu (%9d)  %3d  %5.2f (%9.2f)   %.2f\n", model.published_name, model.resolution,
                    rig->point_count(), model.published_voxels, model.width, frame_ms(character, *rig),
                    model.published_ms, frame_ms(character, *dressed(character, physical)));
    }
    std::puts("Table 2              k_s muscle fat skin   k_d muscle fat skin   flesh adds, % of the size");
    for (const Model& model : models) {
        const Character character = cast(model.character);
        const LayersSettings flesh = published_flesh(model);
        std::printf("%-20s ", model.published_name);
        for (const LayerSettings& layer : flesh.layers) std::printf(" %5.1f", layer.k_s);
        std::printf("   ");
        for (const LayerSettings& layer : flesh.layers) std::printf(" %5.1f", layer.k_d);
        std::printf("    %.2f\n", secondary(character, *dressed(character, flesh), "dance", 2));
    }
}

/// Voxels of the rest pose as cubes; layer -1 means all, cut open in the middle.
Image voxels(const Character& character, const LayersSettings& flesh, int layer) {
    const RigPtr rig = dressed(character, flesh);
    State state = make_state(*rig);
    Workspace work;
    reset(*rig, rest_pose(character).joints, state, work);
    std::vector<Vec3> points(rig->point_count());
    rig->inside()->point_positions(state, points, work);
    const std::vector<std::uint8_t> layers = rig->inside()->point_layers();
    // A little beside the middle, where a plane of the voxels may lie.
    const double middle = (view_of(points).box_min.z + view_of(points).box_max.z) / 2 + 0.3 * rig->point_spacing();
    Cubes cubes;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (layer < 0 ? points[i].z > middle : layers[i] != layer) continue;
        cubes.add(points[i], float(0.48 * rig->point_spacing()),
                  layer_color(layers[i] == 0 ? "bone" : flesh.layers[std::size_t(layers[i] - 1)].name));
    }
    return render(cubes.shot(), view_of(points), 300, 340);
}

void layers(const std::string& folder) {
    ContactSheet cut(3, 300, 340), alone(4, 300, 340);
    cut.begin_row("cut open");
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Character character = cast(name);
        LayersSettings flesh = flesh_of("default");
        if (name == std::string("gnome")) flesh.resolution = 64;
        const RigPtr rig = dressed(character, flesh);
        std::printf("%-6s %5zu voxels:", name, rig->point_count());
        for (const LayerCount& layer : layer_counts(*rig))
            std::printf("%s %4.1f %% %s", layer.name == "bone" ? "" : ",",
                        100.0 * double(layer.points) / double(rig->point_count()), layer.name.c_str());
        std::puts("");
        if (!folder.empty()) cut.cell(voxels(character, flesh, -1), name);
    }
    if (folder.empty()) return;
    alone.begin_row("bunny");
    for (int layer = 0; layer < 4; ++layer) {
        static const char* const names[] = {"bone", "muscle", "fat", "skin"};
        alone.cell(voxels(cast("bunny"), flesh_of("default"), layer), names[layer]);
    }
    must(write_png(in(folder, "layers_cut_open.png"), cut.finish()));
    must(write_png(in(folder, "layers_alone.png"), alone.finish()));
}

void secondary_motion(const std::string& folder) {
    const Character bunny = cast("bunny");
    compare(
        bunny, "shake", {1.5, 1.75, 2.0, 2.05, 2.1, 2.2},
        {{"skinning alone", dressed(bunny, Settings{DqsSettings{}})}, {"layers", dressed(bunny, flesh_of("default"))}},
        in(folder, "secondary_motion.png"));
}

/// Everything between bone and surface of one kind.
LayersSettings one_layer(Mode mode, double k_s) {
    LayersSettings flesh = flesh_of("paper-bunny");
    flesh.mode = mode;
    flesh.layers.resize(1);
    flesh.layers[0].share = 1;
    flesh.layers[0].k_s = k_s;
    return flesh;
}

/// How far the belly is behind the skeleton while it goes up at its fastest, and how far it shoots beyond when it
/// stops, in per cent of the size.
void lag_and_overshoot(const Character& character, const Row& row) {
    const PartOffset belly(character, "belly");
    double lag = 0, beyond = 0;
    play(character, *row.rig, "shake", {3, 60, {}}, [&](const Frame& frame) {
        const double y = belly(frame);
        if (frame.time < 2) lag = std::max(lag, -y);
        if (frame.time > 2) beyond = std::max(beyond, std::abs(y));
    });
    std::printf("%-34s behind by %4.1f %%, beyond by %4.1f %% after the stop\n", row.label.c_str(), lag, beyond);
}

void single_layer(const std::string& folder) {
    const Character bunny = cast("bunny");
    const std::vector<Row> rows{{"one layer, k_s 0.5", dressed(bunny, one_layer(Mode::literal, 0.5))},
                                {"one layer, k_s 1", dressed(bunny, one_layer(Mode::literal, 1))},
                                {"one layer, k_s 1.8 (muscle)", dressed(bunny, one_layer(Mode::literal, 1.8))},
                                {"one layer, paper", dressed(bunny, one_layer(Mode::paper, 1.8))},
                                {"layers of the publication", dressed(bunny, flesh_of("paper-bunny"))},
                                {"layers", dressed(bunny, flesh_of("default"))}};
    for (const Row& row : rows) lag_and_overshoot(bunny, row);
    compare(bunny, "dance", {0.4, 0.8, 1.2, 1.6, 2.0}, {rows[0], rows[2], rows.back()}, in(folder, "single_layer.png"));
}

/// 99th percentile of the strain of the edges among some vertices, worst frame.
double strain_of(const Character& character, const Rig& rig, const std::vector<std::size_t>& vertices) {
    std::vector<std::int64_t> place(character.mesh.vertex_count(), -1);
    std::vector<Vec3> rest;
    std::vector<std::uint32_t> triangles;
    for (const std::size_t v : vertices) {
        place[v] = std::int64_t(rest.size());
        rest.push_back(character.mesh.positions[v]);
    }
    const auto& all = character.mesh.triangles;
    for (std::size_t t = 0; t < all.size(); t += 3)
        if (place[all[t]] >= 0 && place[all[t + 1]] >= 0 && place[all[t + 2]] >= 0)
            for (std::size_t k = 0; k < 3; ++k) triangles.push_back(std::uint32_t(place[all[t + k]]));
    const SurfaceMeter meter(rest, triangles, character.size());
    double worst = 0;
    std::vector<Vec3> now(rest.size());
    play(character, rig, "dance", {2, 60, {}}, [&](const Frame& frame) {
        for (std::size_t k = 0; k < vertices.size(); ++k) now[k] = frame.positions[vertices[k]];
        worst = std::max(worst, meter.edge_strain(now).p99);
    });
    return 100 * worst;
}

void skin(const std::string& folder) {
    const Character bunny = cast("bunny");
    // As published: heads are not spared, and only the skin's stiffness holds the surface together.
    LayersSettings with = flesh_of("paper-bunny"), without = with;
    without.layers.pop_back();
    const std::vector<Row> rows{{"without a skin layer", dressed(bunny, without)}, {"with", dressed(bunny, with)}};
    for (const Row& row : rows)
        std::printf("%-34s edge strain (99 %%): face %.1f %%, ears %.1f %%\n", row.label.c_str(),
                    strain_of(bunny, *row.rig, vertices_of(bunny, "head")),
                    strain_of(bunny, *row.rig, vertices_of(bunny, "left_ear")));
    compare(bunny, "dance", {0.4, 0.8, 1.2, 1.6, 2.0}, rows, in(folder, "skin_layer.png"));
}

void resolution(const std::string& folder) {
    const Character bloat = cast("bloat");
    std::vector<Row> rows;
    for (const int voxels : {16, 32}) {
        LayersSettings flesh = flesh_of("default");
        flesh.resolution = voxels;
        if (voxels == 16) flesh.region_width = 2;
        rows.push_back({"resolution " + std::to_string(voxels), dressed(bloat, flesh)});
        std::printf("resolution %d: %zu voxels, %.2f ms per frame\n", voxels, rows.back().rig->point_count(),
                    frame_ms(bloat, *rows.back().rig));
    }
    compare(bloat, "dance", {0.4, 0.8, 1.2, 1.6, 2.0}, rows, in(folder, "low_resolution.png"));
}

void stages(const std::string&) {
    std::puts("% of a step    primary + prediction  stretch  volume  matching  update");
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Character character = cast(name);
        const StageTimes t = play(character, *dressed(character, flesh_of("default")), "dance", {2, 60, {}}, {});
        const double part = 100 / total(t);
        std::printf("%-14s %20.1f  %7.1f  %6.1f  %8.1f  %6.1f\n", name, part * (t.of("pose") + t.of("predict")), part * t.of("stretch"),
                    part * t.of("volume"), part * t.of("match"), part * t.of("update"));
    }
}

/// A sensor's idea of a pose: every joint turned by 3 degrees RMS, the root off by 1 % of the size, every tenth frame
/// lost.
class Sensor {
public:
    explicit Sensor(const Character& character) : character_(&character), size_(character.size()) {}
    void operator()(int frame, std::vector<Affine>& joints) {
        if (frame > 0 && random_() % 10 == 0) {
            joints = last_;
            return;
        }
        std::vector<Affine> moved(joints.size());
        for (std::size_t j = 0; j < joints.size(); ++j) {
            const Vec3d axis = normalized(Vec3d{noise_(random_), noise_(random_), noise_(random_)});
            const Quat turn = quat_from_axis_angle(axis, 3 * 3.14159265358979 / 180 * noise_(random_));
            const Vec3d at = translation_of(joints[j]);
            const int parent = character_->joints[j].parent;
            const Vec3d slip =
                parent < 0 ? Vec3d{noise_(random_), noise_(random_), noise_(random_)} * (0.01 * size_) : Vec3d{};
            moved[j] = compose(at + slip, turn, {1, 1, 1}) * compose(at * -1.0, {}, {1, 1, 1});
            if (parent >= 0) moved[j] = moved[std::size_t(parent)] * moved[j];
        }
        for (std::size_t j = 0; j < joints.size(); ++j) joints[j] = moved[j] * joints[j];
        last_ = joints;
    }

private:
    const Character* character_;
    double size_;
    std::vector<Affine> last_;
    std::mt19937 random_{7};
    std::normal_distribution<double> noise_;
};

void noise(const std::string& folder) {
    const Character bunny = cast("bunny");
    const RigPtr rig = dressed(bunny, flesh_of("default"));
    const double size = bunny.size();
    const Sensor sensor(bunny);
    for (const bool noisy : {false, true}) {
        Playing playing{10, 60, {}};
        if (noisy) playing.disturb = sensor;
        double most = 0;
        std::uint64_t before = 0, resets = 0, limited = 0;
        play(bunny, *rig, "dance", playing, [&](const Frame& frame) {
            most = std::max(most, surface_offset(frame.positions, frame.skinned, size).max);
            if (frame.index == 0) before = frame.state.counters.resets;  // the one that began it
            resets = frame.state.counters.resets - before;
            limited = frame.state.counters.limited_points;
        });
        std::printf(
            "%-6s capture: at most %.1f %% of the size from skinning, %llu resets, %llu points at their limit\n",
            noisy ? "noisy" : "clean", 100 * most, (unsigned long long)resets, (unsigned long long)limited);
    }
    if (folder.empty()) return;
    ContactSheet sheet(5, 300, 340);
    const std::vector<double> times{0.4, 0.8, 1.2, 1.6, 2.0};
    const Framing view{view_of_clip(bunny, "dance", 2)};
    Playing noisy;
    noisy.disturb = sensor;
    add_row(sheet, "clean capture", bunny, *rig, "dance", times, view);
    add_row(sheet, "noisy, skinning alone", bunny, *dressed(bunny, Settings{DqsSettings{}}), "dance", times, view,
            noisy);
    add_row(sheet, "noisy, layers", bunny, *rig, "dance", times, view, noisy);
    must(write_png(in(folder, "noisy_capture.png"), sheet.finish()));
}

/// The belly's offset along y after the dead stop of `shake`, in per cent of the size.
Curve swing_of(const Character& character, const LayersSettings& flesh, double fps, const std::string& name) {
    const PartOffset belly(character, "belly");
    Curve curve{name, {}, {}};
    play(character, *dressed(character, flesh), "shake", {3.5, fps, {}}, [&](const Frame& frame) {
        if (frame.time < 2) return;
        curve.x.push_back(frame.time - 2);
        curve.y.push_back(belly(frame));
    });
    return curve;
}

void swing(const std::string& folder) {
    const Character bunny = cast("bunny");
    Plot rates{"Belly of the bunny after a dead stop, by frame rate", "seconds", "offset, % of the size", {}};
    Plot resolutions{"Belly of the bunny after a dead stop, by resolution", "seconds", "offset, % of the size", {}};
    for (const int fps : {24, 30, 60, 120, 144, 240})
        rates.curves.push_back(swing_of(bunny, flesh_of("default"), fps, std::to_string(fps) + " fps"));
    for (const int voxels : {24, 32, 48, 64}) {
        LayersSettings flesh = flesh_of("default");
        flesh.resolution = voxels;
        resolutions.curves.push_back(swing_of(bunny, flesh, 60, std::to_string(voxels) + " voxels"));
    }
    for (const Plot* plot : {&rates, &resolutions})
        for (const Curve& curve : plot->curves)
            std::printf("%-12s first swing %.2f %% of the size\n", curve.name.c_str(),
                        *std::max_element(curve.y.begin(), curve.y.end()));
    if (folder.empty()) return;
    must(write_svg(in(folder, "swing_by_frame_rate.svg"), rates));
    must(write_svg(in(folder, "swing_by_resolution.svg"), resolutions));
}

constexpr Experiment experiments_list[] = {{"tables", tables},
                                           {"layers", layers},
                                           {"secondary", secondary_motion},
                                           {"single-layer", single_layer},
                                           {"skin", skin},
                                           {"resolution", resolution},
                                           {"stages", stages},
                                           {"noise", noise},
                                           {"swing", swing}};

}  // namespace

int main(int argc, char** argv) {
    return run_one(argc, argv, experiments_list);
}
