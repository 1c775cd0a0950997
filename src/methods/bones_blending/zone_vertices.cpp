#include "methods/bones_blending/zone_vertices.h"

#include <algorithm>

#include "body/shells.h"
#include "character/blend_seams.h"
#include "methods/bones_blending/painted_pair.h"

namespace fascia {

namespace {

/// Below this strength, turning a pair and blending it look the same.
constexpr double least_strength = 0.02;
/// A pair that loses this much of its strength from one vertex to the next is not turned there.
constexpr double most_lost = 0.12;

PaintedPair pair_at(const Character& character, std::size_t vertex, int joint) {
    return painted_pair(character.weights, vertex, joint, character.joints[std::size_t(joint)].parent);
}

/// Among the joints whose zones the settings do not ask for, the one whose weights bend the vertex most; -1: none.
int painted_joint(const Character& character, std::span<const BlendZone> zones, std::size_t vertex) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    int best = -1;
    double most = least_strength;
    for (std::size_t s = vertex * slots; s < (vertex + 1) * slots; ++s) {
        const int j = character.weights.joints[s];
        if (!zones[std::size_t(j)].chosen || zones[std::size_t(j)].asked) continue;
        const double strength = pair_at(character, vertex, j).strength();
        if (strength > most || (strength == most && j < best)) most = strength, best = j;
    }
    return best;
}

/// Zones claim vertices by position; a vertex whose weights bend it about another joint is left to that joint.
std::vector<ZoneVertex> choose_joints(const Character& character, std::span<const BlendZone> zones,
                                      std::span<const Attachment> attached, const Shells& shells) {
    std::vector<ZoneVertex> out;
    for (std::size_t v = 0; v < attached.size(); ++v) {
        const Attachment& a = attached[v];
        ZoneVertex at{.joint = a.joint, .zone_t = a.t, .alone = a.fade, .fade = 1};
        at.owner = a.fade > 0 ? a.joint : -1;
        at.asked = a.joint >= 0 && zones[std::size_t(a.joint)].asked;
        if (at.asked) {
            at.alone = 1, at.fade = a.fade;
        } else if (const int painted = painted_joint(character, zones, v); painted >= 0 && painted != a.joint) {
            at.joint = painted;
            at.zone_t = zones[std::size_t(painted)].t(to_double(character.mesh.positions[v]));
            at.alone = 0;
        } else if (shells.is_stiff(v)) {
            at.alone = 0;  // a zone that reaches over plates and props must not bend them
        }
        if (at.joint >= 0) {
            const PaintedPair pair = pair_at(character, v, at.joint);
            at.painted_t = pair.t, at.painted_share = pair.share;
        }
        out.push_back(at);
    }
    return out;
}

/// Where neighbours turn with different joints, both fade: a pair that is strong at both but turned at only one would
/// leave a crease.
void fade_between_pairs(const Character& character, std::span<const BlendZone> zones, std::span<ZoneVertex> vertices) {
    const Weld weld = weld_by_position(character.mesh.positions);
    const std::vector<SurfaceEdge> edges = surface_edges(character.mesh, weld);
    std::vector<double> most(weld.count, 1);
    std::vector<Attachment> turning;
    for (const ZoneVertex& v : vertices) turning.push_back({v.joint, 0, 1, 0});
    for (const auto& [a, b, length] : edges) {
        const int of_a = vertices[a].joint, of_b = vertices[b].joint;
        if (of_a < 0 || of_b < 0 || of_a == of_b) continue;
        const double lost =
            std::max(pair_at(character, b, of_a).strength(), pair_at(character, a, of_b).strength()) - least_strength;
        const double cap = std::clamp(1 - lost / (most_lost - least_strength), 0.0, 1.0);
        for (const std::uint32_t v : {a, b}) most[weld.id[v]] = std::min(most[weld.id[v]], cap);
    }
    spread_fades(edges, weld, zones, turning, most);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (!vertices[v].asked) vertices[v].fade = rounded_fade(most[weld.id[v]]);
}

}  // namespace

Attachment ZoneVertex::attachment() const {
    const double painted = (1 - alone) * painted_share, both = painted + alone;
    return {joint, both > 0 ? std::clamp((painted * painted_t + alone * zone_t) / both, 0.0, 1.0) : zone_t, fade,
            alone};
}

bool ZoneVertex::turns() const {
    return joint >= 0 && fade > 0 && (alone > 0 || PaintedPair{painted_share, painted_t}.strength() > least_strength);
}

std::vector<ZoneVertex> zone_vertices(const Character& character, std::span<const BlendZone> zones) {
    const std::vector<Attachment> attached = attach_vertices(character, zones);
    const Shells shells = find_shells({character.mesh.positions, character.mesh.triangles, character.weights});
    std::vector<ZoneVertex> out = choose_joints(character, zones, attached, shells);
    std::vector<Attachment> by_place;
    for (const ZoneVertex& v : out) by_place.push_back({v.joint, v.zone_t, v.asked ? v.fade : v.alone});
    fade_towards_seams(character, zones, by_place);
    for (std::size_t v = 0; v < out.size(); ++v)
        if (!out[v].asked) out[v].alone = by_place[v].fade;
    fade_between_pairs(character, zones, out);
    return out;
}

}  // namespace fascia
