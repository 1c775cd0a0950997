// glTF skinning straight from the file's own matrices and accessors: a twin that shares only the parsed JSON with the
// reader.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "fascia/character.h"
#include "io/source_document.h"

namespace fascia::test {

struct Matrix4 {
    double m[16];  ///< column-major
};

inline Matrix4 times(const Matrix4& a, const Matrix4& b) {
    Matrix4 out{};
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            for (int k = 0; k < 4; ++k) out.m[c * 4 + r] += a.m[k * 4 + r] * b.m[c * 4 + k];
    return out;
}

inline Matrix4 local_matrix(const gltf::Node& node) {
    Matrix4 out{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    if (node.matrix.size() == 16) {
        for (int i = 0; i < 16; ++i) out.m[i] = node.matrix[static_cast<std::size_t>(i)];
        return out;
    }
    double q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    for (std::size_t i = 0; i < node.rotation.size(); ++i) q[i] = node.rotation[i];
    for (std::size_t i = 0; i < node.scale.size(); ++i) s[i] = node.scale[i];
    const double l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& v : q) v /= l;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                         2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                         2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) out.m[c * 4 + k] = r[c * 3 + k] * s[c];
    for (std::size_t i = 0; i < node.translation.size(); ++i) out.m[12 + i] = node.translation[i];
    return out;
}

inline double number_at(const gltf::Model& model, int index, std::size_t element, std::size_t component) {
    const auto& accessor = model.accessors[static_cast<std::size_t>(index)];
    const auto& view = model.buffer_views[static_cast<std::size_t>(accessor.buffer_view)];
    const auto& data = model.buffers[static_cast<std::size_t>(view.buffer)].data;
    const std::size_t size = accessor.component_type < 5122 ? 1 : accessor.component_type < 5124 ? 2 : 4;
    const std::size_t packed = size * static_cast<std::size_t>(accessor.components);
    const std::size_t stride = view.byte_stride > 0 ? view.byte_stride : packed;
    const unsigned char* at =
        data.data() + view.byte_offset + accessor.byte_offset + element * stride + component * size;
    const auto scaled = [&](double v, double largest) { return accessor.normalized ? std::max(v / largest, -1.0) : v; };
    switch (accessor.component_type) {
        case 5120: return scaled(*reinterpret_cast<const signed char*>(at), 127);
        case 5121: return scaled(*at, 255);
        case 5122: {
            std::int16_t v;
            std::memcpy(&v, at, 2);
            return scaled(v, 32767);
        }
        case 5123: {
            std::uint16_t v;
            std::memcpy(&v, at, 2);
            return scaled(v, 65535);
        }
        default: {
            float v;
            std::memcpy(&v, at, 4);
            return v;
        }
    }
}

/// Skinned positions of all skinned nodes with every node's local matrix turned by `turn` (identity: default pose).
/// Weights are taken relative to their sum. Morph targets must be at rest.
inline std::vector<Vec3d> skinned_by_file(const gltf::Model& model, const std::vector<Matrix4>& local) {
    std::vector<int> parent(model.nodes.size(), -1);
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        for (int child : model.nodes[n].children) parent[static_cast<std::size_t>(child)] = static_cast<int>(n);
    const auto world = [&](int node) {
        Matrix4 out = local[static_cast<std::size_t>(node)];
        for (int p = parent[static_cast<std::size_t>(node)]; p >= 0; p = parent[static_cast<std::size_t>(p)]) {
            out = times(local[static_cast<std::size_t>(p)], out);
        }
        return out;
    };
    std::vector<Vec3d> out;
    for (const gltf::Node& node : model.nodes) {
        if (node.mesh < 0 || node.skin < 0) continue;
        const gltf::Skin& skin = model.skins[static_cast<std::size_t>(node.skin)];
        std::vector<Matrix4> palette;
        for (std::size_t j = 0; j < skin.joints.size(); ++j) {
            Matrix4 bind;
            for (std::size_t i = 0; i < 16; ++i) bind.m[i] = number_at(model, skin.inverse_binds, j, i);
            palette.push_back(times(world(skin.joints[j]), bind));
        }
        for (const gltf::Primitive& primitive : model.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
            const int positions = primitive.attributes.at("POSITION");
            for (std::size_t v = 0; v < model.accessors[static_cast<std::size_t>(positions)].count; ++v) {
                const double p[4] = {number_at(model, positions, v, 0), number_at(model, positions, v, 1),
                                     number_at(model, positions, v, 2), 1};
                double sum = 0, q[3] = {};
                for (int set = 0; set < 2; ++set) {
                    const std::string n = std::to_string(set);
                    if (primitive.attributes.count("JOINTS_" + n) == 0) continue;
                    for (std::size_t i = 0; i < 4; ++i) {
                        const double w = number_at(model, primitive.attributes.at("WEIGHTS_" + n), v, i);
                        const double j = number_at(model, primitive.attributes.at("JOINTS_" + n), v, i);
                        if (w == 0) continue;
                        sum += w;
                        for (std::size_t r = 0; r < 3; ++r)
                            for (std::size_t c = 0; c < 4; ++c)
                                q[r] += w * palette[static_cast<std::size_t>(j)].m[c * 4 + r] * p[c];
                    }
                }
                out.push_back({q[0] / sum, q[1] / sum, q[2] / sum});
            }
        }
    }
    return out;
}

/// The same through our own rest shape: sum w pose_j inverse(rest_j) v.
inline std::vector<Vec3d> skinned_by_character(const Character& character, const std::vector<Affine>& world) {
    std::vector<Affine> palette;
    for (const Joint& joint : character.joints)
        palette.push_back(world[static_cast<std::size_t>(joint.node)] * inverse(joint.rest));
    std::vector<Vec3d> out;
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        Vec3d sum;
        for (std::size_t i = v * slots; i < (v + 1) * slots; ++i) {
            sum += transform_point(palette[character.weights.joints[i]], to_double(character.mesh.positions[v])) *
                   character.weights.weights[i];
        }
        out.push_back(sum);
    }
    return out;
}

inline std::vector<Affine> world_of(const std::vector<Node>& nodes, const std::vector<Affine>& local) {
    std::vector<Affine> out;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        out.push_back(nodes[n].parent < 0 ? local[n] : out[static_cast<std::size_t>(nodes[n].parent)] * local[n]);
    }
    return out;
}

}  // namespace fascia::test
