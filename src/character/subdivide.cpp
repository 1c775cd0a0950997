// Subdivision near a joint (docs/formulas.md B6).
#include "fascia/subdivide.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "character/blend_zones.h"
#include "fascia/measure.h"

namespace fascia {

namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge edge_of(std::uint32_t a, std::uint32_t b) {
    return a < b ? Edge{a, b} : Edge{b, a};
}

/// Vertices that turn with the joint; for a root, those that follow it most.
std::vector<bool> turning_vertices(const Character& character, std::size_t joint) {
    std::vector<std::string> unused;
    const std::vector<bool> all(character.joints.size(), true);
    const std::vector<BlendZone> zones = find_blend_zones(character, {}, all, unused);
    const std::vector<Attachment> attached = attach_vertices(character, zones);
    std::vector<bool> out(attached.size());
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    for (std::size_t v = 0; v < out.size(); ++v) {
        const bool follows = slots > 0 && character.weights.joints[v * slots] == joint;
        out[v] = zones[joint].chosen ? attached[v].joint == int(joint) && attached[v].fade > 0 && attached[v].t > 0
                                     : follows;
    }
    return out;
}

template <class V>
V mean_of(const std::vector<V>& values, std::span<const std::uint32_t> from) {
    V out = values[from[0]];
    const float share = 1.0f / static_cast<float>(from.size());
    const auto mix = [&](auto member) {
        float sum = 0;
        for (const std::uint32_t v : from) sum += values[v].*member;
        out.*member = sum * share;
    };
    mix(&V::x);
    mix(&V::y);
    if constexpr (requires { &V::z; }) mix(&V::z);
    if constexpr (requires { &V::w; }) mix(&V::w);
    return out;
}

/// Builds the finer mesh part by part, so that each part's vertices stay together.
class Refiner {
public:
    Refiner(const Character& in, const std::vector<bool>& turning, Split split) : in_(in), split_(split) {
        const Mesh& mesh = in.mesh;
        const Weld weld = weld_by_position(mesh.positions);
        connected_.resize(mesh.triangle_count());
        for (std::size_t t = 0; t < connected_.size(); ++t) {
            const std::uint32_t* c = &mesh.triangles[3 * t];
            connected_[t] = turning[c[0]] && turning[c[1]] && turning[c[2]];
            if (!connected_[t]) continue;
            ++out_.split_triangles;
            if (split == Split::four)
                for (int k = 0; k < 3; ++k) marked_.insert({edge_of(weld.id[c[k]], weld.id[c[(k + 1) % 3]]), true});
        }
        welded_ = weld.id;
    }

    Subdivided run() {
        Mesh& mesh = out_.character.mesh;
        out_.character = in_;
        out_.character.document = nullptr;  // what the file says about this mesh no longer holds
        mesh = {};
        out_.character.weights.joints.clear();
        out_.character.weights.weights.clear();
        std::vector<Part> parts = in_.mesh.parts;
        if (parts.empty()) parts.push_back(whole());
        for (Part part : parts) {
            const Part old = part;
            begin_part(old);
            part.first_vertex = first_new_;
            part.first_triangle = static_cast<int>(mesh.triangle_count());
            for (int t = old.first_triangle; t < old.first_triangle + old.triangle_count; ++t) add_triangle(t);
            part.vertex_count = static_cast<int>(mesh.vertex_count()) - part.first_vertex;
            part.triangle_count = static_cast<int>(mesh.triangle_count()) - part.first_triangle;
            mesh.parts.push_back(part);
        }
        if (in_.mesh.parts.empty()) mesh.parts.clear();
        return std::move(out_);
    }

private:
    Part whole() const {
        Part part;
        part.vertex_count = static_cast<int>(in_.mesh.vertex_count());
        part.triangle_count = static_cast<int>(in_.mesh.triangle_count());
        return part;
    }

    void begin_part(const Part& old) {
        first_old_ = old.first_vertex;
        first_new_ = static_cast<int>(out_.character.mesh.vertex_count());
        middles_.clear();
        for (int v = old.first_vertex; v < old.first_vertex + old.vertex_count; ++v) {
            const auto one = static_cast<std::uint32_t>(v);
            add_vertex({&one, 1});
        }
    }

    std::uint32_t kept(std::uint32_t old) const {
        return static_cast<std::uint32_t>(static_cast<int>(old) - first_old_ + first_new_);
    }

    /// The mean of several old vertices.
    std::uint32_t add_vertex(std::span<const std::uint32_t> from) {
        const Mesh& in = in_.mesh;
        Mesh& mesh = out_.character.mesh;
        const auto index = static_cast<std::uint32_t>(mesh.vertex_count());
        const bool copy = from.size() == 1;
        mesh.positions.push_back(mean_of(in.positions, from));
        if (!in.normals.empty()) {
            const Vec3 n = mean_of(in.normals, from);
            mesh.normals.push_back(copy ? n : normalized(n, in.normals[from[0]]));
        }
        if (!in.tangents.empty()) {
            Vec4 t = mean_of(in.tangents, from);
            const Vec3 axis = normalized(Vec3{t.x, t.y, t.z}, {1, 0, 0});
            if (!copy) t = {axis.x, axis.y, axis.z, in.tangents[from[0]].w};
            mesh.tangents.push_back(t);
        }
        if (!in.uvs.empty()) mesh.uvs.push_back(mean_of(in.uvs, from));
        if (!in.colors.empty()) mesh.colors.push_back(mean_of(in.colors, from));
        if (!in.mask_colors.empty()) mesh.mask_colors.push_back(mean_of(in.mask_colors, from));
        add_weights(from);
        return index;
    }

    void add_weights(std::span<const std::uint32_t> from) {
        const SkinWeights& in = in_.weights;
        SkinWeights& out = out_.character.weights;
        const auto slots = static_cast<std::size_t>(in.influences);
        if (from.size() == 1) {
            for (std::size_t s = from[0] * slots; s < (from[0] + 1) * slots; ++s)
                out.joints.push_back(in.joints[s]), out.weights.push_back(in.weights[s]);
            return;
        }
        std::map<std::uint16_t, double> sums;
        for (const std::uint32_t v : from)
            for (std::size_t s = v * slots; s < (v + 1) * slots; ++s)
                if (in.weights[s] > 0) sums[in.joints[s]] += in.weights[s];
        std::vector<std::pair<double, std::uint16_t>> sorted;
        for (const auto& [joint, weight] : sums) sorted.push_back({weight, joint});
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        sorted.resize(std::min(sorted.size(), slots));
        double sum = 0;
        for (const auto& entry : sorted) sum += entry.first;
        for (std::size_t s = 0; s < slots; ++s) {
            const bool used = s < sorted.size() && sum > 0;
            out.joints.push_back(used ? sorted[s].second : std::uint16_t{0});
            out.weights.push_back(used ? static_cast<float>(sorted[s].first / sum) : 0.0f);
        }
    }

    /// One new vertex for both triangles of a part that share the edge; at a seam, one for each side.
    std::uint32_t middle(std::uint32_t a, std::uint32_t b) {
        const Edge edge = edge_of(a, b);
        const auto [place, fresh] = middles_.insert({edge, 0});
        if (fresh) {
            const std::array<std::uint32_t, 2> both{edge.first, edge.second};
            place->second = add_vertex(both);
        }
        return place->second;
    }

    void emit(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (const std::uint32_t v : {a, b, c}) out_.character.mesh.triangles.push_back(v);
    }

    /// [Kavan 2003, fig. 7]
    void add_triangle(int t) {
        const std::uint32_t* c = &in_.mesh.triangles[3 * static_cast<std::size_t>(t)];
        const std::uint32_t v[3] = {kept(c[0]), kept(c[1]), kept(c[2])};
        if (split_ == Split::three) {
            if (!connected_[static_cast<std::size_t>(t)]) return emit(v[0], v[1], v[2]);
            const std::uint32_t m = add_vertex({c, 3});
            for (int k = 0; k < 3; ++k) emit(v[k], v[(k + 1) % 3], m);
            return;
        }
        bool marked[3];
        int count = 0;
        for (int k = 0; k < 3; ++k) {
            marked[k] = marked_.count(edge_of(welded_[c[k]], welded_[c[(k + 1) % 3]])) > 0;
            count += marked[k];
        }
        if (count == 0) return emit(v[0], v[1], v[2]);
        if (!connected_[static_cast<std::size_t>(t)]) ++out_.induced_triangles;
        std::uint32_t m[3] = {};
        for (int k = 0; k < 3; ++k)
            if (marked[k]) m[k] = middle(c[k], c[(k + 1) % 3]);
        if (count == 3) {
            for (int k = 0; k < 3; ++k) emit(v[k], m[k], m[(k + 2) % 3]);
            return emit(m[0], m[1], m[2]);
        }
        if (count == 1) {
            const int k = marked[0] ? 0 : marked[1] ? 1 : 2;
            emit(v[k], m[k], v[(k + 2) % 3]);
            return emit(m[k], v[(k + 1) % 3], v[(k + 2) % 3]);
        }
        // Edges k and k + 1 are marked: the corner between them is cut off, and the rest is split along its shorter
        // diagonal.
        const int k = !marked[2] ? 0 : !marked[0] ? 1 : 2;
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        emit(m[k], v[next], m[next]);
        const auto& p = out_.character.mesh.positions;
        if (length(p[v[k]] - p[m[next]]) <= length(p[m[k]] - p[v[last]])) {
            emit(v[k], m[k], m[next]);
            emit(v[k], m[next], v[last]);
        } else {
            emit(v[k], m[k], v[last]);
            emit(m[k], m[next], v[last]);
        }
    }

    const Character& in_;
    Split split_;
    std::vector<bool> connected_;
    std::map<Edge, bool> marked_;  ///< welded edges to be split
    std::vector<std::uint32_t> welded_;
    std::map<Edge, std::uint32_t> middles_;  ///< of the current part
    int first_old_ = 0, first_new_ = 0;
    Subdivided out_;
};

}  // namespace

Result<Subdivided> subdivide(const Character& character, const std::string& joint, Split split) {
    std::vector<std::string> names;
    for (const Joint& j : character.joints) names.push_back(j.name);
    const auto found = std::find(names.begin(), names.end(), joint);
    if (found == names.end())
        return usage_error("there is no joint '" + joint + "' in " + character.name + "; did you mean '" +
                           nearest_name(joint, names) + "'?");
    const std::size_t slots = character.mesh.vertex_count() * std::size_t(std::max(character.weights.influences, 0));
    if (slots == 0 || character.weights.joints.size() != slots || character.weights.weights.size() != slots)
        return input_error(character.name + " has no weights, so that nothing says which triangles turn with '" +
                           joint + "'; compute weights first");
    const std::vector<bool> turning = turning_vertices(character, static_cast<std::size_t>(found - names.begin()));
    Subdivided out = Refiner(character, turning, split).run();
    out.character.remarks.push_back({"subdivided",
                                     "triangles around '" + joint + "' were split " +
                                         (split == Split::three ? "1:3" : "1:4") + ", with " +
                                         std::to_string(out.induced_triangles) + " neighbours",
                                     out.split_triangles});
    return out;
}

}  // namespace fascia
