// Bodies that several tests use: built once per program. Uses only the public interface of characters/.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/pose.h"

namespace fascia::test {

inline const Character& bundled(const std::string& name) {
    static std::map<std::string, Character> built;
    auto found = built.find(name);
    if (found == built.end()) found = built.emplace(name, bundled_character(name).value()).first;
    return found->second;
}

inline const std::vector<std::string>& creatures() {
    static const std::vector<std::string> names{"bunny", "gnome", "bloat"};
    return names;
}

inline int joint_index(const Character& c, const std::string& name) {
    for (std::size_t j = 0; j < c.joints.size(); ++j)
        if (c.joints[j].name == name) return static_cast<int>(j);
    return -1;
}

inline const Clip& clip_named(const Character& c, const std::string& name) {
    for (const Clip& clip : c.clips)
        if (clip.name == name) return clip;
    ADD_FAILURE() << c.name << " has no clip " << name;
    return c.clips.front();
}

/// Linear blend skinning, written out in double.
inline std::vector<Vec3d> skinned(const Character& c, const Clip* clip, double seconds) {
    Pose pose;
    evaluate(c, clip, seconds, pose);
    std::vector<Affine> maps;
    for (std::size_t j = 0; j < c.joints.size(); ++j) maps.push_back(pose.joints[j] * inverse(c.joints[j].rest));
    std::vector<Vec3d> out;
    const std::size_t n = static_cast<std::size_t>(c.weights.influences);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        Vec3d p;
        for (std::size_t k = 0; k < n; ++k)
            p += transform_point(maps[c.weights.joints[v * n + k]], to_double(c.mesh.positions[v])) *
                 static_cast<double>(c.weights.weights[v * n + k]);
        out.push_back(p);
    }
    return out;
}

inline double signed_volume(const std::vector<Vec3d>& points, const std::vector<std::uint32_t>& triangles) {
    double sum = 0;
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        sum += dot(points[triangles[t]], cross(points[triangles[t + 1]], points[triangles[t + 2]]));
    return sum / 6;
}

inline std::vector<Vec3d> rest_points(const Character& c) {
    std::vector<Vec3d> out;
    for (const Vec3& p : c.mesh.positions) out.push_back(to_double(p));
    return out;
}

struct Box {
    Vec3d low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    void add(Vec3d p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    double longest() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};
inline Box box_of(const std::vector<Vec3d>& points) {
    Box box;
    for (const Vec3d& p : points) box.add(p);
    return box;
}

}  // namespace fascia::test
