#include "methods/shared/vertex_amounts.h"

#include <algorithm>
#include <optional>

#include "base/glob.h"
#include "body/mask_in_body.h"
#include "methods/shared/flesh_settings.h"

namespace fascia {

namespace {

/// The amount from the last part of the settings that names the mesh or material of `part`.
std::optional<double> amount_of(const Part& part, const Character& character, const FleshSettings& settings) {
    std::optional<double> out;
    const bool has_material = part.material >= 0 && std::size_t(part.material) < character.materials.size();
    for (const PartSettings& each : settings.parts) {
        const PartName name(each.joint);
        const bool mesh = name.of == PartName::Of::mesh && glob_match(name.pattern, part.name);
        const bool material = name.of == PartName::Of::material && has_material &&
                              glob_match(name.pattern, character.materials[std::size_t(part.material)].name);
        if (each.amount && (mesh || material)) out = each.amount;
    }
    return out;
}

/// The vertices of `part`, clamped to what exists: a caller may have filled in the parts by hand.
template <class Visit>
void each_vertex(const Part& part, std::size_t vertices, Visit&& visit) {
    const auto first = std::size_t(std::max(part.first_vertex, 0));
    const auto last = std::min(vertices, first + std::size_t(std::max(part.vertex_count, 0)));
    for (std::size_t v = first; v < last; ++v) visit(v);
}

constexpr float most_own = 2;  ///< of the field `amount`

}  // namespace

bool NodeAmounts::is_still(std::size_t node) const {
    return !mask.empty() && mask[node] < blackest_mask && (own.empty() || own[node] < blackest_mask);
}

bool NodeAmounts::swings(std::size_t node) const {
    return !own.empty() && own[node] > 0 && mask[node] < 0.5f;
}

NodeAmounts amounts_in_body(const Mesh& mesh, const VertexAmounts& amounts, const lattice::Grid& grid,
                            const lattice::Tissue& tissue, std::span<const Vec3d> centers) {
    NodeAmounts out;
    if (!amounts.mask.empty()) out.mask = mask_in_body(mesh, amounts.mask, grid, tissue, centers);
    if (amounts.own.empty()) return out;
    std::vector<float> shares = amounts.own;
    for (float& share : shares) share /= most_own;
    out.own = mask_in_body(mesh, shares, grid, tissue, centers);
    for (float& own : out.own) own *= most_own;
    return out;
}

Shells shells_for(const Character& character, const FleshSettings& settings, const BindInputs& inputs) {
    const bool from_file = inputs.weights == "auto" || inputs.weights == "file";
    if (settings.anatomy != Anatomies::shape || settings.mode != Mode::physical || !from_file) return {};
    return find_shells({character.mesh.positions, character.mesh.triangles, character.weights});
}

Result<VertexAmounts> vertex_amounts(const Character& character, const FleshSettings& settings,
                                     const BindInputs& inputs, Shells& shells) {
    const std::size_t vertices = character.mesh.vertex_count();
    Result<std::vector<float>> painted = mask_of_vertices(character, settings.mask, inputs);
    if (!painted) return painted.error();
    VertexAmounts out;
    out.mask = std::move(*painted);
    for (const Part& part : character.mesh.parts) {
        const std::optional<double> amount = amount_of(part, character, settings);
        if (!amount) continue;
        out.mask.resize(vertices, 1);
        out.own.resize(vertices, 0);
        each_vertex(part, vertices, [&](std::size_t v) {
            out.own[v] = float(*amount) * out.mask[v];
            out.mask[v] = 0;
            if (*amount > 0 && !shells.of_vertex.empty() && shells.of_vertex[v] != Shells::none)
                shells.all[shells.of_vertex[v]].stiff = false;
        });
    }
    const std::vector<float> softness = softness_of_shells(shells);
    if (softness.empty()) return out;
    out.mask.resize(vertices, 1);
    for (std::size_t v = 0; v < vertices; ++v) out.mask[v] *= softness[v];
    return out;
}

}  // namespace fascia
