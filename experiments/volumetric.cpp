// Experiments of Luo's thesis, chapter 4: what voxels keep of the volume, what carrying a surface costs, and where it
// shows. Names that end in -quick run on a tenth of the vertices.
#include "volumetric.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "program.h"
#include "rows.h"

namespace fascia::experiments {

namespace {

constexpr double quick = 0.1;

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
    ContactSheet sheet(6, 260, 260);
    std::size_t row = 0;
    for (const ModelBody& body : model_bodies(detail)) {
        const int resolution = resolution_of(body, detail < 1 ? 0.2 : 1);
        const std::vector<Affine> pose = pose_of(body);
        const PublishedVolumes& was = published_volumes[row++];
        const double volumes_then[] = {0, was.dqs, was.voxels_dqs, was.arap},
                     seconds_then[] = {0, was.dqs_seconds, was.voxels_dqs_seconds, was.arap_seconds};
        VolumetricArapSettings ours = arap_at(resolution);
        ours.volume_rounds = VolumetricArapSettings{}.volume_rounds;
        const Settings methods[] = {LbsSettings{}, DqsSettings{}, dqs_at(resolution), arap_at(resolution), ours};
        std::printf("%-10s %6zu vertices (%zu), resolution %d:\n", body.name.c_str(),
                    body.character.mesh.vertex_count(), body.vertices, resolution);
        sheet.begin_row(body.name);
        if (!folder.empty())
            sheet.cell(picture(body, hold(*dressed(body.character, LbsSettings{}), pose_of(body, 0))), "rest");
        for (std::size_t k = 0; k < 5; ++k) {
            const RigPtr rig = dressed(body.character, methods[k]);
            const Held held = hold(*rig, pose);
            const double volume = volume_of(body.character, held.positions);
            std::printf("    %-16s %8.3f  %8.3f ms", methods[k].method(), volume, 1e3 * frame_seconds(*rig, pose));
            if (k > 0 && k < 4) std::printf("   (%.3f, %.3f s)", volumes_then[k], seconds_then[k]);
            if (k == 4) std::printf("   gives volume back");
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

struct PublishedSolids {
    double matching, elements, seconds;  ///< 0: it took more than a minute
};
constexpr PublishedSolids published_solids[] = {{96.8872, 98.1246, 35.66},
                                                {98.1003, 99.1088, 47.24},
                                                {96.33, 97.43, 11.35},
                                                {97.5433, 0, 0},
                                                {99.102, 0, 0},
                                                {99.103, 0, 0},
                                                {99.012, 0, 0},
                                                {103.549, 102.03, 34.37}};

/// [Luo 2016, table 3] Shape matching stands for its FastLSM; finite elements are solved at rest in the pose, by a full
/// solver instead of one with few modes.
void simulations(const std::string& folder, double detail) {
    constexpr int half_widths[] = {2, 3, 2, 3, 3, 3, 4, 2};
    std::puts("volume in % of rest at rest in the pose, and seconds; published in brackets");
    ContactSheet sheet(2, 260, 260);
    std::size_t row = 0;
    for (const ModelBody& body : model_bodies(detail)) {
        const int resolution = resolution_of(body, detail < 1 ? 0.05 : 1);
        LatticeSettings flesh = flesh_of<LatticeSettings>("default");
        flesh.resolution = resolution;
        flesh.region_radius = half_widths[row];
        flesh.preserve_volume = false;
        const RigPtr rig = dressed(body.character, flesh);
        Held matched{std::vector<Vec3>(rig->vertex_count()), std::vector<Vec3>(rig->vertex_count()), make_state(*rig)};
        Workspace work(1);
        const double seconds = seconds_of([&] { reset_settled(*rig, pose_of(body), matched.state, work); });
        embed(*rig, matched.state, {matched.positions, matched.normals, {}}, work);
        const PublishedSolids& was = published_solids[row];
        std::printf("%-12s shape matching, half-width %d: %8.3f  %7.2f s   (%.3f)\n", body.name.c_str(),
                    half_widths[row], volume_of(body.character, matched.positions), seconds, was.matching);
        VoxelRig voxels(body, resolution);
        Voxels solved;
        const double solving = seconds_of([&] { solved = saint_venant_kirchhoff(voxels, 4, detail < 1 ? 20 : 60); });
        const Held elastic = voxels.carried(solved);
        std::printf("%-12s elements, %6zu voxels:      %8.3f  %7.2f s", "", voxels.cell_count(),
                    volume_of(body.character, elastic.positions), solving);
        if (was.elements > 0)
            std::printf("   (%.3f, %.2f s)\n", was.elements, was.seconds);
        else
            std::puts("   (more than a minute)");
        if (!folder.empty()) {
            sheet.begin_row(body.name);
            sheet.cell(picture(body, matched), "shape matching");
            sheet.cell(picture(body, elastic), "finite elements");
        }
        ++row;
    }
    if (!folder.empty()) must(write_png(in(folder, "volumetric_simulations.png"), sheet.finish()));
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
                              {"domains", domains},
                              {"seams", seams},
                              {"elements", elements},
                              {"rigid", [](const std::string& folder) { rigid(folder, 1); }},
                              {"rigid-quick", [](const std::string& folder) { rigid(folder, quick); }},
                              {"soft", soft},
                              {"meshless", meshless},
                              {"stripes", stripes},
                              {"dragged", dragged}};
    return run_one(argc, argv, all);
}
