#include "body/mask_in_body.h"

#include "weights/from_surface.h"

namespace fascia {

/// Carried inwards like weights: the mask and its complement, as if they were the weights of two joints.
std::vector<float> mask_in_body(const Mesh& mesh, const std::vector<float>& mask, const lattice::Grid& grid,
                                const lattice::Tissue& tissue, std::span<const Vec3d> centers) {
    std::vector<std::uint16_t> joints;
    std::vector<float> shares;
    for (const float m : mask) {
        joints.insert(joints.end(), {0, 1});
        shares.insert(shares.end(), {m, 1 - m});
    }
    const weights::Influences nodes = weights::weights_from_surface(
        {.positions = mesh.positions, .triangles = mesh.triangles, .slots = 2, .joints = joints, .weights = shares},
        {.links = {tissue.link_first, tissue.links, 6},
         .centers = centers,
         .h = grid.h,
         .triangle_first = tissue.triangle_first,
         .triangles = tissue.triangles,
         .slots = 2});
    std::vector<float> out(tissue.size(), 0);
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t k = 2 * i; k < 2 * i + 2; ++k)
            if (nodes.joints[k] == 0) out[i] += nodes.weights[k];
    return out;
}

}  // namespace fascia
