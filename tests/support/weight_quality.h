// How good automatic weights are: how they differ from the artists' weights of the shared arm and hand, and what leaks
// between the limbs of the heavy man.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fascia/io.h"
#include "fascia/rig_mesh.h"
#include "fascia/weights.h"

namespace fascia::test {

/// A mesh with a skeleton and the weights that an artist gave it.
struct Painted {
    Character character;         ///< without weights
    std::vector<double> artist;  ///< [vertices * joints]
    double of_artist(std::size_t vertex, std::size_t joint) const {
        return artist[vertex * character.joints.size() + joint];
    }
};

/// `.dmat`: columns and rows, then the values column by column.
inline std::vector<double> read_dmat(const std::string& path) {
    std::ifstream file(path);
    std::size_t columns = 0, rows = 0;
    file >> columns >> rows;
    std::vector<double> out(rows * columns);
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) file >> out[r * columns + c];
    return out;
}

/// A character from joints in the order of the columns; parents may come later in the list.
inline Painted painted(const std::string& folder, const std::string& mesh, const std::string& names, bool bones) {
    Painted out;
    Character& c = out.character;
    c.name = mesh;
    c.mesh = *load_mesh(folder + "/" + mesh + ".obj");
    std::vector<Vec3d> points;
    std::vector<std::pair<int, int>> edges;
    std::ifstream tgf(folder + "/" + mesh + ".tgf");
    bool in_edges = false;
    for (std::string line; std::getline(tgf, line);) {
        std::istringstream words(line);
        if (line.rfind('#', 0) == 0) {
            in_edges = true;
        } else if (in_edges) {
            int a = 0, b = 0;
            if (words >> a >> b) edges.push_back({a - 1, b - 1});
        } else {
            int index = 0;
            Vec3d p;
            if (words >> index >> p.x >> p.y >> p.z) points.push_back(p);
        }
    }
    std::ifstream list(folder + "/" + names);
    std::map<std::string, int> number;
    std::vector<std::string> parents;
    for (std::string line; std::getline(list, line);) {
        std::istringstream words(line);
        int column = 0;
        std::string name, parent;
        if (line.rfind('#', 0) == 0 || !(words >> column >> name >> parent)) continue;
        number[name] = int(c.joints.size());
        parents.push_back(parent);
        Joint joint;
        joint.name = name;
        const std::size_t k = c.joints.size();
        joint.rest = compose(bones ? points[std::size_t(edges[k].first)] : points[k], {}, {1, 1, 1});
        joint.tail = bones ? points[std::size_t(edges[k].second)] : points[k];
        c.joints.push_back(joint);
    }
    for (std::size_t j = 0; j < c.joints.size(); ++j)
        c.joints[j].parent = parents[j] == "-" ? -1 : number.at(parents[j]);
    if (!bones) {  // a bone goes to the first child; tips have none
        for (std::size_t j = c.joints.size(); j-- > 0;)
            if (c.joints[j].parent >= 0)
                c.joints[std::size_t(c.joints[j].parent)].tail = translation_of(c.joints[j].rest);
    }
    out.artist = read_dmat(folder + "/" + mesh + "-weights.dmat");
    return out;
}
inline Painted painted_arm(const std::string& data) {
    return painted(data + "/weights", "mh_arm", "mh_arm-bones.txt", true);
}
inline Painted painted_hand(const std::string& data) {
    return painted(data + "/weights", "hand_l", "hand_l-joints.txt", false);
}
/// A character with the weights of its file.
inline Painted painted_file(const std::string& path) {
    Painted out{*load_character(path), {}};
    const SkinWeights& w = out.character.weights;
    const std::size_t joints = out.character.joints.size();
    out.artist.assign(out.character.mesh.vertex_count() * joints, 0);
    for (std::size_t i = 0; i < w.weights.size(); ++i)
        out.artist[i / std::size_t(w.influences) * joints + w.joints[i]] += w.weights[i];
    return out;
}

inline double weight_of(const SkinWeights& w, std::size_t vertex, const std::set<int>& joints) {
    double sum = 0;
    for (std::size_t k = vertex * std::size_t(w.influences); k < (vertex + 1) * std::size_t(w.influences); ++k)
        if (joints.count(w.joints[k]) > 0) sum += w.weights[k];
    return sum;
}

/// Mean over vertices of half the sum over bones of |difference|.
inline double difference(const Painted& painted, const SkinWeights& w) {
    const std::size_t joints = painted.character.joints.size(), vertices = painted.character.mesh.vertex_count();
    double total = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        std::vector<double> off(&painted.artist[v * joints], &painted.artist[v * joints] + joints);
        for (std::size_t k = v * std::size_t(w.influences); k < (v + 1) * std::size_t(w.influences); ++k)
            off[w.joints[k]] -= w.weights[k];
        for (const double d : off) total += 0.5 * std::abs(d);
    }
    return total / double(vertices);
}

/// Joints below and including the named one.
inline std::set<int> limb(const Character& c, const std::string& name) {
    std::set<int> out;
    for (std::size_t j = 0; j < c.joints.size(); ++j)
        for (int at = int(j); at >= 0; at = c.joints[std::size_t(at)].parent)
            if (c.joints[std::size_t(at)].name == name) out.insert(int(j));
    return out;
}
inline const Joint& joint_named(const Character& c, const std::string& name) {
    return *std::find_if(c.joints.begin(), c.joints.end(), [&](const Joint& j) { return j.name == name; });
}

/// Largest weight of the other leg's bones on a leg, below and above the middle of the thigh.
struct LegLeak {
    double below = 0, above = 0;
};
inline LegLeak leg_leak(const Character& c, const SkinWeights& w) {
    LegLeak out;
    const std::set<int> left = limb(c, "LeftUpLeg"), right = limb(c, "RightUpLeg");
    const double middle = 0.5 * (joint_named(c, "LeftUpLeg").rest.m[1][3] + joint_named(c, "LeftLeg").rest.m[1][3]);
    const bool left_is_positive = joint_named(c, "LeftUpLeg").rest.m[0][3] > 0;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        const Vec3 p = c.mesh.positions[v];
        const double other = weight_of(w, v, (p.x > 0) == left_is_positive ? right : left);
        double& worst = p.y < middle ? out.below : out.above;
        if (std::abs(p.x) > 5e-3 * c.size()) worst = std::max(worst, other);  // the middle belongs to both
    }
    return out;
}

/// Largest weight of anything but the arm on vertices that the artist gave to forearm and hand alone, and of forearm
/// and hand on vertices that the artist did not give to the arm.
struct ArmLeak {
    double on_arm = 0, on_torso = 0;
};
inline ArmLeak arm_leak(const Painted& man, const SkinWeights& w) {
    ArmLeak out;
    const Character& c = man.character;
    for (const std::string side : {"Left", "Right"}) {
        const std::set<int> arm = limb(c, side + "Shoulder"), fore = limb(c, side + "ForeArm");
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            double own = 0, whole = 0;
            for (const int j : fore) own += man.of_artist(v, std::size_t(j));
            for (const int j : arm) whole += man.of_artist(v, std::size_t(j));
            if (own > 0.99) out.on_arm = std::max(out.on_arm, 1 - weight_of(w, v, arm));
            if (whole < 0.01) out.on_torso = std::max(out.on_torso, weight_of(w, v, fore));
        }
    }
    return out;
}

/// Largest weight of another finger's phalanges on vertices that the artist gave to one finger alone.
inline double finger_leak(const Painted& hand, const SkinWeights& w) {
    const Character& c = hand.character;
    std::vector<std::set<int>> fingers;
    for (const std::string name : {"thumb", "index", "middle", "ring", "little"})
        fingers.push_back(limb(c, name + "_proxPhalanx_L"));
    double worst = 0;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
        for (const auto& finger : fingers) {
            double own = 0;
            for (const int j : finger) own += hand.of_artist(v, std::size_t(j));
            for (const auto& other : fingers)
                if (own > 0.9 && &other != &finger) worst = std::max(worst, weight_of(w, v, other));
        }
    return worst;
}

}  // namespace fascia::test
