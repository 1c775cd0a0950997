// Experiments of Luo's thesis, chapters 4 and 5: what voxels keep of the volume, what carrying a surface costs, and
// where it shows. Names that end in -quick run on a tenth of the vertices.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "program.h"
#include "rows.h"
#include "volumetric_models.h"

namespace fascia::experiments {

namespace {

constexpr double quick = 0.1;

/// Of this program alone: others may be busy.
double seconds_of(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}
/// The least of several runs.
double least_seconds(int runs, const std::function<void()>& work) {
    double out = 1e300;
    for (int k = 0; k < runs; ++k) out = std::min(out, seconds_of(work));
    return out;
}

VolumetricDqsSettings dqs_at(int resolution) {
    VolumetricDqsSettings out;
    out.resolution = resolution;
    return out;
}
VolumetricArapSettings arap_at(int resolution) {
    VolumetricArapSettings out;
    out.resolution = resolution;
    return out;
}

double volume_of(const Character& character, const std::vector<Vec3>& positions) {
    const SurfaceMeter meter(character.mesh.positions, character.mesh.triangles, 8);
    return 100 * meter.volume_ratio(positions).value_or(0);
}

/// From a pose to the surface.
double frame_seconds(const Rig& rig, const std::vector<Affine>& pose) {
    State state = make_state(rig);
    Workspace work(1);
    std::vector<Vec3> positions(rig.vertex_count()), normals(rig.vertex_count());
    reset(rig, pose, state, work);
    return least_seconds(5, [&] {
        advance(rig, pose, 1 / 60.0, state, work);
        embed(rig, state, {positions, normals, {}}, work);
    });
}

Image picture(const ModelBody& body, const Held& held, int size = 260) {
    View view = view_of(held.positions);
    view.yaw = body.yaw;
    view.ground = false;
    return render(Appearance(body.character).shot(held.positions, held.normals), view, size, size);
}

struct PublishedVolumes {
    double dqs, dqs_seconds, voxels_dqs, voxels_dqs_seconds, arap, arap_seconds;
};
constexpr PublishedVolumes published_volumes[] = {
    {99.419, .0068, 99.4188, .038, 95.3269, .423796},       {97.315, 1.232, 97.308, .364397, 98.3852, 2.74804},
    {86.327, .2692, 86.3242, .01398, 93.0, .0631},          {99.434, 6.69669, 99.422, .453636, 94.1977, 23.9236},
    {98.5681, 8.21843, 98.5649, .227855, 99.3745, 7.32747}, {110.461, .89, 110.425, .418142, 99.8083, 6.39093},
    {99.981, .938, 99.9798, .2152, 98.5793, 26.13},         {107.258, .0828, 107.26, .0457, 105.032, 1.99311}};

/// [Luo 2016, table 1] [Luo 2016, fig. 7] [Luo 2016, fig. 8] [Luo 2016, fig. 9] [Luo 2016, fig. 10] [Luo 2016, fig. 11]
void volumes(const std::string& folder, double detail) {
    std::puts("volume in % of rest, and milliseconds of a frame; published in brackets: volumes, seconds to the pose");
    ContactSheet sheet(5, 260, 260);
    std::size_t row = 0;
    for (const ModelBody& body : model_bodies(detail)) {
        const int resolution = resolution_of(body, detail < 1 ? 0.2 : 1);
        const std::vector<Affine> pose = pose_of(body);
        const PublishedVolumes& was = published_volumes[row++];
        const double volumes_then[] = {0, was.dqs, was.voxels_dqs, was.arap},
                     seconds_then[] = {0, was.dqs_seconds, was.voxels_dqs_seconds, was.arap_seconds};
        const Settings methods[] = {LbsSettings{}, DqsSettings{}, dqs_at(resolution), arap_at(resolution)};
        std::printf("%-10s %6zu vertices (%zu), resolution %d:\n", body.name.c_str(),
                    body.character.mesh.vertex_count(), body.vertices, resolution);
        sheet.begin_row(body.name);
        if (!folder.empty())
            sheet.cell(picture(body, hold(*dressed(body.character, LbsSettings{}), pose_of(body, 0))), "rest");
        for (std::size_t k = 0; k < 4; ++k) {
            const RigPtr rig = dressed(body.character, methods[k]);
            const Held held = hold(*rig, pose);
            const double volume = volume_of(body.character, held.positions);
            std::printf("    %-16s %8.3f  %8.3f ms", methods[k].method(), volume, 1e3 * frame_seconds(*rig, pose));
            if (k > 0) std::printf("   (%.3f, %.3f s)", volumes_then[k], seconds_then[k]);
            if (k == 3) std::printf("   %zu voxels (%zu)", rig->inside()->point_cells().size() / 8, body.voxels);
            std::puts("");
            if (!folder.empty())
                sheet.cell(picture(body, held),
                           methods[k].method() + (" " + std::to_string(int(std::lround(volume))) + " %"));
        }
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_volumes.png"), sheet.finish()));
}

struct PublishedCarrying {
    double trilinear, blend, dq, rbf;
};
constexpr PublishedCarrying published_carrying[] = {{.0008, .0016, .0203, .1154},   {.0581, .0882, 4.1103, 9.2057},
                                                    {.0305, .0526, .5602, 1.3028},  {.0291, .0547, 1.4462, 9.5289},
                                                    {.0305, .0567, 1.7665, 8.4675}, {.0686, .1326, 9.5289, 23.0921},
                                                    {.0740, .1359, 71.059, 82.674}, {.0040, .0094, 1.3284, 1.1441}};

RigPtr carried(const ModelBody& body, const Settings& settings, const char* how, int samples = 300) {
    BindInputs inputs;
    inputs.embed.how = how;
    inputs.embed.samples = samples;
    return dressed(body.character, settings, inputs);
}

/// [Luo 2016, table 2]
void embeddings(const std::string&, double detail) {
    std::puts("milliseconds to carry the surface once (published: seconds)");
    std::puts("              trilinear        blend            dq               rbf              domains");
    std::size_t row = 0;
    for (const ModelBody& body : model_bodies(detail)) {
        const std::vector<Affine> pose = pose_of(body);
        const PublishedCarrying& was = published_carrying[row++];
        const double then[] = {was.trilinear, was.blend, was.dq, was.rbf, 0};
        std::printf("%-12s", body.name.c_str());
        std::size_t column = 0;
        for (const char* how : {"trilinear", "blend", "dq", "rbf", "domains"}) {
            // One system takes at most 600 centres, as many as a coarse body has voxels at its surface.
            const RigPtr rig = carried(body, arap_at(std::string(how) == "rbf" ? 10 : detail < 1 ? 16 : 32), how);
            State state = make_state(*rig);
            Workspace work(1);
            reset(*rig, pose, state, work);
            std::vector<Vec3> positions(rig->vertex_count());
            const double ms = 1e3 * least_seconds(3, [&] { embed(*rig, state, {positions, {}, {}}, work); });
            if (column < 4)
                std::printf(" %7.3f (%.4f)", ms, then[column]);
            else
                std::printf(" %7.3f", ms);
            ++column;
        }
        std::puts("");
    }
}

/// [Luo 2016, table 3] Shape matching stands for its FastLSM; the finite elements are not built.
void simulations(const std::string&, double detail) {
    constexpr int half_widths[] = {2, 3, 2, 3, 3, 3, 4, 2};
    constexpr double published[] = {96.8872, 98.1003, 96.33, 97.5433, 99.102, 99.103, 99.012, 103.549};
    std::puts("volume in % of rest after the flesh has come to rest in the pose; published: FastLSM");
    std::size_t row = 0;
    for (const ModelBody& body : model_bodies(detail)) {
        LatticeSettings flesh = flesh_of<LatticeSettings>("default");
        flesh.resolution = resolution_of(body, detail < 1 ? 0.2 : 1);
        flesh.region_radius = half_widths[row];
        flesh.preserve_volume = false;
        const RigPtr rig = dressed(body.character, flesh);
        State state = make_state(*rig);
        Workspace work(1);
        const double seconds = seconds_of([&] { reset_settled(*rig, pose_of(body), state, work); });
        std::vector<Vec3> positions(rig->vertex_count());
        embed(*rig, state, {positions, {}, {}}, work);
        std::printf("%-12s half-width %d: %8.3f  %8.3f s   (%.3f)\n", body.name.c_str(), half_widths[row],
                    volume_of(body.character, positions), seconds, published[row]);
        ++row;
    }
}

/// Printed as 5.1: initialising and a frame against the number of samples.
void samples(const std::string& folder) {
    constexpr double published_frames[] = {28.17, 42.52, 58.77, 74.11, 89.81, 105.73, 119.82};
    const ModelBody body = model_named("Arm", 5103.0 / 49874);
    const std::vector<Affine> pose = pose_of(body);
    const double bare = least_seconds(3, [&] { dressed(body.character, dqs_at(24)); });
    ContactSheet sheet(4, 260, 260);
    std::printf("%zu vertices; milliseconds to initialise, and of a frame (published)\n",
                body.character.mesh.vertex_count());
    for (int k = 0; k < 7; ++k) {
        const int count = 50 * (k + 1);
        RigPtr rig;
        const double whole = least_seconds(3, [&] { rig = carried(body, dqs_at(24), "domains", count); });
        std::printf("%4d samples: %7.2f  %7.3f (%.2f)\n", count, 1e3 * std::max(0.0, whole - bare),
                    1e3 * frame_seconds(*rig, pose), published_frames[k]);
        if (folder.empty() || k % 2 != 0) continue;
        if (k == 0) sheet.begin_row("domains");
        sheet.cell(picture(body, hold(*rig, pose)), std::to_string(count) + " samples");
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_samples.png"), sheet.finish()));
}

/// Where a tube's displacement stops being smooth from ring to ring: voxels end there. Without its rounded ends.
double largest_kink(const Character& tube, const std::vector<Vec3>& positions) {
    const std::vector<Vec3>& rest = tube.mesh.positions;
    std::size_t sides = 0;
    while (rest[2 + sides].x == rest[2].x) ++sides;
    const std::size_t rings = (rest.size() - 2) / sides;
    const auto moved = [&](std::size_t v) { return to_double(positions[v]) - to_double(rest[v]); };
    double out = 0;
    for (std::size_t r = rings / 6; r + 3 < rings - rings / 6; ++r)
        for (std::size_t v = 2 + sides * r; v < 2 + sides * (r + 1); ++v) {
            const Vec3d jump = moved(v + 3 * sides) - moved(v + 2 * sides) * 3.0 + moved(v + sides) * 3.0 - moved(v);
            out = std::max(out, length(jump));
        }
    return out / tube.size();
}

/// [Luo 2016, fig. 5] [Luo 2016, fig. 6] A coarse lattice shows its voxels, or not.
void stripes(const std::string& folder) {
    const ModelBody body = model_named("Arm", 0.2);
    const std::vector<Affine> pose = pose_of(body, 0.4);
    ContactSheet sheet(5, 300, 300);
    sheet.begin_row("resolution 12, 60 samples");
    std::puts("largest jump of the second differences along the arm, in millionths of the size");
    for (const char* how : {"trilinear", "blend", "dq", "rbf", "domains"}) {
        const RigPtr rig = carried(body, arap_at(12), how, 60);
        const Held held = hold(*rig, pose);
        std::printf("%-10s %8.1f\n", how, 1e6 * largest_kink(body.character, held.positions));
        if (!folder.empty()) sheet.cell(picture(body, held, 300), how);
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_stripes.png"), sheet.finish()));
}

/// A body along x that is held at single points: joints without bones between them, weights that fall from each to the
/// next.
ModelBody with_handles(ModelBody body) {
    SkinWeights& weights = body.character.weights;
    std::fill(weights.weights.begin(), weights.weights.end(), 0.0f);
    const auto at = [&](std::size_t j) { return translation_of(body.character.joints[j].rest).x; };
    for (std::size_t v = 0; v < body.character.mesh.vertex_count(); ++v) {
        const double x = double(body.character.mesh.positions[v].x);
        std::size_t j = 0;
        while (j + 2 < body.character.joints.size() && x > at(j + 1)) ++j;
        const double share = std::clamp((x - at(j)) / (at(j + 1) - at(j)), 0.0, 1.0);
        for (std::size_t k = 0; k < 2; ++k) {
            weights.joints[4 * v + k] = std::uint16_t(j + k);
            weights.weights[4 * v + k] = float(k == 0 ? 1 - share : share);
        }
    }
    for (Joint& joint : body.character.joints) {
        joint.parent = -1;
        joint.tail = translation_of(joint.rest) + Vec3d{0.3, 0, 0};
        Node& node = body.character.nodes[std::size_t(joint.node)];
        node.parent = -1;
        node.translation = translation_of(joint.rest);
    }
    return body;
}

/// [Luo 2016, fig. 12] [Luo 2016, fig. 13] Handles are only moved, and the voxels find the turns themselves; below, a
/// hand is pulled away from its arm.
void dragged(const std::string& folder) {
    const ModelBody body = model_named("Arm", 0.1), handles = with_handles(body);
    const std::vector<Affine> rest = pose_of(body, 0), bent = pose_of(body);
    std::vector<Affine> moved = rest, pulled = bent;
    for (std::size_t j = 0; j < moved.size(); ++j)
        for (int axis = 0; axis < 3; ++axis) moved[j].m[axis][3] = bent[j].m[axis][3];
    for (int axis = 0; axis < 3; ++axis) pulled.back().m[axis][3] *= 1.5;
    ContactSheet sheet(3, 260, 260);
    std::puts("volume in % of rest");
    VolumetricArapSettings settings = arap_at(24);
    settings.hold = "bones";
    settings.start = "lbs";
    const auto show = [&](const ModelBody& which, const std::vector<Affine>& pose, const std::string& label) {
        const Held held = hold(*dressed(which.character, settings), pose);
        std::printf("%-40s %8.2f\n", label.c_str(), volume_of(which.character, held.positions));
        if (!folder.empty()) sheet.cell(picture(which, held), label);
    };
    sheet.begin_row("handles that only move");
    for (const int rounds : {2, 20, 100}) {
        settings.rounds = rounds;
        show(handles, moved, std::to_string(rounds) + " iterations");
    }
    sheet.begin_row("bones");
    settings.rounds = 20;
    show(body, bent, "turned");
    show(body, pulled, "pulled");
    settings.keep_lengths = true;
    show(body, pulled, "pulled, bones keep their lengths");
    if (!folder.empty()) must(write_png(in(folder, "volumetric_dragged.png"), sheet.finish()));
}

}  // namespace

}  // namespace fascia::experiments

int main(int argc, char** argv) {
    using namespace fascia::experiments;
    const Experiment all[] = {{"volumes", [](const std::string& folder) { volumes(folder, 1); }},
                              {"volumes-quick", [](const std::string& folder) { volumes(folder, quick); }},
                              {"embeddings", [](const std::string& folder) { embeddings(folder, 1); }},
                              {"embeddings-quick", [](const std::string& folder) { embeddings(folder, quick); }},
                              {"simulations", [](const std::string& folder) { simulations(folder, 1); }},
                              {"simulations-quick", [](const std::string& folder) { simulations(folder, quick); }},
                              {"samples", samples},
                              {"stripes", stripes},
                              {"dragged", dragged}};
    return run_one(argc, argv, all);
}
