// Weights as the file's author painted them, and how much flesh with such weights may move.
#include <algorithm>

#include "methods/lattice/lattice_weights.h"
#include "methods/shared/corner_weights.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/thin_flesh.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

/// Bones that are not handles of soft flesh; all bones in the published modes, or if no other bones remain.
std::vector<JointBone> hard_bones(const WeightInput& in) {
    if (in.settings.mode != Mode::physical) return in.bones;
    const std::vector<std::uint8_t> handle = handle_joints(in.character, in.settings);
    std::vector<JointBone> out = in.bones;
    std::erase_if(out, [&](const JointBone& bone) { return handle[bone.joint] != 0; });
    return out.empty() ? in.bones : out;
}

struct LayeredCells {
    lattice::LayerPlan plan;
    lattice::Layers layers;
};

LayeredCells layered_cells(const WeightInput& in, const std::vector<JointBone>& hard) {
    LayeredCells out;
    out.plan.flesh_layers = 1;
    out.plan.shares = {1};
    for (std::size_t j = 0; j < in.character.joints.size(); ++j)
        out.plan.parts.push_back({bone_width(in, std::uint16_t(j)), 1});
    std::vector<lattice::Bone> bones;
    for (const JointBone& bone : hard) bones.push_back({bone.a, bone.b, bone.joint});
    out.layers = lattice::find_layers(in.filled.grid, in.filled.tissue, bones, out.plan);
    return out;
}

/// 1 near a bone, and in pieces of the body that have no bone.
std::vector<std::uint8_t> bone_particles(const WeightInput& in) {
    const std::vector<JointBone> hard = hard_bones(in);
    const lattice::Layers layers = layered_cells(in, hard).layers;
    std::vector<std::uint8_t> out(in.corners.size(), 0);
    for (std::size_t k = 0; k < in.corners.octants.size(); ++k) {
        const std::uint32_t cell = in.corners.octants[k];
        if (cell == lattice::no_cell || out[k / 8]) continue;
        const std::uint16_t joint = layers.part[cell];
        const double width = std::max(bone_width(in, joint), in.h());
        double least = 0;
        nearest_of_joint(hard, joint, in.places[k / 8], least);
        out[k / 8] = layers.to_core[cell] < 0 || least <= width * width;
    }
    return out;
}

}  // namespace

double bone_width(const WeightInput& in, std::uint16_t joint) {
    // Shares of the size, or cells in the modes that follow the publication.
    const double unit = in.settings.mode == Mode::physical ? in.size : in.h();
    return unit * at_joint(in.settings.parts, in.character.joints[joint].name, &PartSettings::bone_width,
                           in.settings.bone_width);
}

const JointBone* nearest_of_joint(const std::vector<JointBone>& bones, std::uint16_t joint, Vec3d p,
                                  double& distance2) {
    const JointBone* out = nullptr;
    distance2 = 1e300;
    const auto before = [](const JointBone& bone, std::uint16_t wanted) { return bone.joint < wanted; };
    for (auto bone = std::lower_bound(bones.begin(), bones.end(), joint, before);
         bone != bones.end() && bone->joint == joint; ++bone) {
        const double d = weights::squared_distance(p, {bone->a, bone->b, bone->joint});
        if (d < distance2) distance2 = d, out = &*bone;
    }
    return out;
}

ParticleWeights painted_weights(const WeightInput& in) {
    std::vector<weights::Segment> bones;
    for (const JointBone& bone : in.bones) bones.push_back({bone.a, bone.b, bone.joint});
    ParticleWeights out;
    out.influences = painted_corner_weights(in.character, {in.filled.tissue, in.corners, in.places, in.h(), bones});
    out.bone = bone_particles(in);
    return out;
}

std::vector<float> particle_thinness(const WeightInput& in) {
    const LayeredCells cells = layered_cells(in, hard_bones(in));
    const std::vector<float> of_cells =
        find_thinness(in.character.mesh, {in.filled.grid, in.filled.tissue, cells.layers, cells.plan}, in.size);
    std::vector<float> out(in.corners.size(), 0);
    for (std::size_t p = 0; p < out.size(); ++p) {
        float sum = 0, count = 0;
        for (std::size_t k = 8 * p; k < 8 * p + 8; ++k)
            if (in.corners.octants[k] != lattice::no_cell) sum += of_cells[in.corners.octants[k]], ++count;
        out[p] = sum / count;
    }
    return out;
}

}  // namespace fascia
