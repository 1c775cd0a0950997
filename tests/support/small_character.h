// A character small enough to check by hand: a square column on two bones, with a hat that is carried rigidly.
//
//     node 0 "column"  the skinned mesh        node 2 "upper"  child of lower, at (0, 1, 0)
//     node 1 "lower"   joint at the origin     node 3 "hat"    child of upper, at (0, 1, 0), a rigid pyramid
//
// The column stands on the ground from y = 0 to 2 in rings of 4 vertices at y = 0, 0.5, 1, 1.5, 2. Clip "bend" turns
// "upper" by 90 degrees about z in one second.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "fascia/character.h"
#include "fascia/pose.h"

namespace fascia::test {

inline void add_column(Character& character) {
    Mesh& mesh = character.mesh;
    const float corners[4][2] = {{-0.2f, -0.2f}, {-0.2f, 0.2f}, {0.2f, 0.2f}, {0.2f, -0.2f}};
    for (int ring = 0; ring < 5; ++ring) {
        const float y = 0.5f * static_cast<float>(ring);
        const float upper = std::min(1.0f, std::max(0.0f, y - 0.5f));  // 0 below, 1 above, half at the joint
        for (int c = 0; c < 4; ++c) {
            mesh.positions.push_back({corners[c][0], y, corners[c][1]});
            mesh.normals.push_back(normalized(Vec3{corners[c][0], 0, corners[c][1]}));
            mesh.uvs.push_back({static_cast<float>(c) / 4, y / 2});
            mesh.colors.push_back({y / 2, 0.25f, 1 - y / 2, 1});
            for (int s = 0; s < 4; ++s) {
                const bool lower_first = upper < 0.5f;
                const float weight = s == 0 ? std::max(upper, 1 - upper) : s == 1 ? std::min(upper, 1 - upper) : 0.0f;
                const int joint = weight == 0 ? 0 : (s == 0) == lower_first ? 0 : 1;
                character.weights.joints.push_back(static_cast<std::uint16_t>(joint));
                character.weights.weights.push_back(weight);
            }
        }
    }
    character.weights.influences = 4;
    const auto quad = [&](unsigned a, unsigned b, unsigned c, unsigned d) {
        for (const unsigned v : {a, b, c, a, c, d}) mesh.triangles.push_back(v);
    };
    for (unsigned ring = 0; ring < 4; ++ring)
        for (unsigned c = 0; c < 4; ++c)
            quad(4 * ring + c, 4 * ring + (c + 1) % 4, 4 * ring + 4 + (c + 1) % 4, 4 * ring + 4 + c);
    quad(3, 2, 1, 0);
    quad(16, 17, 18, 19);
    Part part;
    part.name = "column";
    part.node = 0;
    part.material = 0;
    part.skin = 0;
    part.vertex_count = static_cast<int>(mesh.vertex_count());
    part.triangle_count = static_cast<int>(mesh.triangle_count());
    mesh.parts.push_back(part);
}

inline void add_hat(Character& character) {
    Mesh& hat = character.rigid;
    hat.positions = {{-0.3f, 0, -0.3f}, {-0.3f, 0, 0.3f}, {0.3f, 0, 0.3f}, {0, 0.4f, 0}};
    hat.triangles = {0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1};
    hat.normals.resize(4);
    for (std::size_t c = 0; c < hat.triangles.size(); c += 3) {
        const Vec3 a = hat.positions[hat.triangles[c]], b = hat.positions[hat.triangles[c + 1]];
        for (std::size_t k = c; k < c + 3; ++k)
            hat.normals[hat.triangles[k]] += cross(b - a, hat.positions[hat.triangles[c + 2]] - a);
    }
    for (Vec3& normal : hat.normals) normal = normalized(normal);
    Part part;
    part.name = "hat";
    part.node = 3;
    part.material = 1;
    part.vertex_count = 4;
    part.triangle_count = 4;
    hat.parts.push_back(part);
}

inline Character small_character() {
    Character character;
    character.name = "small";
    const Vec3d up{0, 1, 0};
    character.nodes = {{"column", -1, -1, {}, {}, {1, 1, 1}, {}},
                       {"lower", -1, -1, {}, {}, {1, 1, 1}, {}},
                       {"upper", 1, -1, up, {}, {1, 1, 1}, {}},
                       {"hat", 2, -1, up, {}, {1, 1, 1}, {}}};
    character.joints = {{"lower", 1, -1, 0, Affine{}, up}, {"upper", 2, 0, 0, compose(up, {}, {1, 1, 1}), {0, 2, 0}}};
    character.materials.resize(2);
    character.materials[0].name = "skin";
    character.materials[0].base_color = {0.5f, 0.25f, 0.125f, 1};
    character.materials[1].name = "felt";
    character.materials[1].double_sided = true;
    add_column(character);
    add_hat(character);
    Channel bend;
    bend.node = 2;
    bend.path = Channel::Path::rotation;
    bend.times = {0, 1};
    const auto half = static_cast<float>(std::sqrt(0.5));
    bend.values = {0, 0, 0, 1, 0, 0, half, half};
    character.clips.push_back({"bend", 1.0, {bend}});
    return character;
}

/// A frame as the writers take it: plain skinning of the surface, rigid parts on their nodes.
struct Frame {
    std::vector<Vec3> positions, normals;
    Pose pose;
};

inline Frame skinned_frame(const Character& character, const Clip* clip, double seconds) {
    Frame frame;
    evaluate(character, clip, seconds, frame.pose);
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        Vec3d point, normal;
        for (std::size_t s = v * slots; s < (v + 1) * slots; ++s) {
            const std::size_t j = character.weights.joints[s];
            const Affine map = frame.pose.joints[j] * inverse(character.joints[j].rest);
            const double weight = character.weights.weights[s];
            point += transform_point(map, to_double(character.mesh.positions[v])) * weight;
            normal += transform_vector(map, to_double(character.mesh.normals[v])) * weight;
        }
        frame.positions.push_back(to_float(point));
        frame.normals.push_back(to_float(normalized(normal, {0, 1, 0})));
    }
    for (const Part& part : character.rigid.parts) {
        const Affine& world = frame.pose.nodes[static_cast<std::size_t>(part.node)];
        for (int i = part.first_vertex; i < part.first_vertex + part.vertex_count; ++i) {
            const auto v = static_cast<std::size_t>(i);
            frame.positions.push_back(to_float(transform_point(world, to_double(character.rigid.positions[v]))));
            frame.normals.push_back(
                to_float(normalized(transform_vector(world, to_double(character.rigid.normals[v])), Vec3d{0, 1, 0})));
        }
    }
    return frame;
}

}  // namespace fascia::test
