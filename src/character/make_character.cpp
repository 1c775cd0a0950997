#include "fascia/make_character.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "character/bone_tails.h"
#include "character/mesh_normals.h"
#include "character/number_reader.h"

namespace fascia {

namespace {

constexpr int most_influences = 8;
/// Weight sums that miss 1 by less come from rounding to 8 bits.
constexpr double rounding = 0.01;

/// Remembers the first error.
class Maker {
public:
    explicit Maker(const CharacterArrays& arrays) : from_(arrays) { out_.name = arrays.name; }

    Result<Character> make() {
        read_surface();
        read_joints();
        read_weights();
        if (!problem_)
            if (const Status checked = check_character(out_); !checked) return checked.error();
        if (problem_) return input_error("character '" + from_.name + "' " + *problem_);
        make_missing_normals(out_.mesh);
        finish_joints();
        return std::move(out_);
    }

private:
    void refuse(const std::string& what) {
        if (!problem_) problem_ = what;
    }

    /// An array of one item per vertex with `numbers` numbers each; empty if it is missing and optional.
    template <class Vector, std::size_t numbers>
    void read(const ArrayView& view, const char* name, bool needed, std::vector<Vector>& out) {
        if (view.data == nullptr && view.count == 0 && !needed) return;
        if (!is_readable(view, numbers) || is_whole(view.type))
            return refuse(std::string("has no readable ") + name +
                          ": give a pointer, a floating-point type, and a stride of 0 or at least " +
                          std::to_string(numbers) + " numbers");
        if (!needed && view.count != out_.mesh.positions.size())
            return refuse("has " + std::to_string(view.count) + " " + name + " for " +
                          std::to_string(out_.mesh.positions.size()) + " vertices");
        const NumberReader number(view, numbers);
        out.resize(view.count);
        for (std::size_t v = 0; v < view.count; ++v) {
            std::array<float, numbers> values;
            for (std::size_t k = 0; k < numbers; ++k) values[k] = float(number(v, k));
            if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
                return refuse(std::string("has ") + name + " that are not finite at vertex " + std::to_string(v));
            static_assert(sizeof(Vector) == sizeof values);
            std::memcpy(static_cast<void*>(&out[v]), values.data(), sizeof values);
        }
    }

    void read_surface() {
        Mesh& mesh = out_.mesh;
        read<Vec3, 3>(from_.positions, "positions", true, mesh.positions);
        if (mesh.positions.empty()) return refuse("has no vertices");
        if (mesh.positions.size() > 0xffffffffu) return refuse("has more vertices than 32 bits can number");
        read<Vec3, 3>(from_.normals, "normals", false, mesh.normals);
        read<Vec4, 4>(from_.tangents, "tangents", false, mesh.tangents);
        read<Vec2, 2>(from_.uvs, "uvs", false, mesh.uvs);
        read<Vec4, 4>(from_.colors, "colours", false, mesh.colors);
        read<Vec4, 4>(from_.mask_colors, "mask colours", false, mesh.mask_colors);
        read_triangles();
        Part part;
        part.name = from_.name;
        part.skin = 0;
        part.vertex_count = int(mesh.vertex_count());
        part.triangle_count = int(mesh.triangle_count());
        mesh.parts.push_back(part);
    }

    void read_triangles() {
        const ArrayView& view = from_.triangles;
        if (!is_readable(view, 1) || !is_whole(view.type) || view.count == 0 || view.count % 3 != 0)
            return refuse("has no readable triangles: give three corners each, as whole numbers of 8, 16 or 32 bits");
        const NumberReader number(view, 1);
        out_.mesh.triangles.resize(view.count);
        for (std::size_t k = 0; k < view.count; ++k) out_.mesh.triangles[k] = std::uint32_t(number(k, 0));
    }

    // ---- the skeleton ----
    void read_joints() {
        const std::size_t n = from_.joint_rests.count;
        if (n == 0) return refuse("has no joints");
        if (from_.joint_parents.size() != n) return refuse("needs a parent for every joint, -1 for a root");
        if (!from_.joint_names.empty() && from_.joint_names.size() != n)
            return refuse("has " + std::to_string(from_.joint_names.size()) + " names for " + std::to_string(n) +
                          " joints");
        std::vector<Affine> rests(n);
        if (const Status read = read_matrices(from_.joint_rests, from_.form, rests); !read)
            return refuse("cannot be made: " + read.error().message);
        std::map<std::string, int> uses;
        for (std::size_t j = 0; j < n; ++j) {
            Joint joint;
            joint.name = unique_name(j, uses);
            joint.parent = from_.joint_parents[j];
            if (!is_invertible(rests[j]))
                return refuse("has joint '" + joint.name + "' with a matrix that is not finite or singular");
            joint.rest = from_.inverse_binds ? inverse(rests[j]) : rests[j];
            out_.joints.push_back(std::move(joint));
        }
    }

    std::string unique_name(std::size_t joint, std::map<std::string, int>& uses) const {
        const bool named = !from_.joint_names.empty() && !from_.joint_names[joint].empty();
        const std::string base = named ? from_.joint_names[joint] : "joint_" + std::to_string(joint);
        std::string name = base;
        while (uses.count(name) != 0) name = base + "_" + std::to_string(++uses[base]);
        uses[name] = 1;
        return name;
    }

    /// A node for every joint, in its rest pose; the trees; the ends of the bones.
    void finish_joints() {
        int trees = 0;
        for (Joint& joint : out_.joints) {
            const bool root = joint.parent < 0;
            joint.tree = root ? trees++ : out_.joints[std::size_t(joint.parent)].tree;
            Node node;
            node.name = joint.name;
            node.parent = joint.parent;
            const Affine local = root ? joint.rest : inverse(out_.joints[std::size_t(joint.parent)].rest) * joint.rest;
            if (!decompose(local, node.translation, node.rotation, node.scale)) node.matrix = local;
            joint.node = int(out_.nodes.size());
            out_.nodes.push_back(std::move(node));
        }
        guess_tails(out_.mesh, out_.weights, out_.joints);
        if (from_.joint_tails.data == nullptr) return;
        const NumberReader number(from_.joint_tails, 3);
        for (std::size_t j = 0; j < out_.joints.size(); ++j)
            out_.joints[j].tail = {number(j, 0), number(j, 1), number(j, 2)};
    }

    // ---- weights ----
    struct Influence {
        std::uint32_t joint;
        double weight;
    };

    void read_weights() {
        const std::size_t vertices = out_.mesh.vertex_count(), slots = std::size_t(std::max(from_.influences, 0));
        if (from_.influences < 1 || from_.influences > most_influences)
            return refuse("has " + std::to_string(from_.influences) + " influences per vertex; give 1 to 8");
        if (!is_readable(from_.joint_indices, slots) || !is_whole(from_.joint_indices.type) ||
            !is_readable(from_.joint_weights, slots) || is_whole(from_.joint_weights.type))
            return refuse(
                "has no readable weights: give joint indices as whole numbers, and weights as floats or normalised "
                "numbers");
        if (from_.joint_indices.count != vertices || from_.joint_weights.count != vertices)
            return refuse("needs joint indices and weights for each of its " + std::to_string(vertices) + " vertices");
        check_tails();
        const NumberReader index(from_.joint_indices, slots), weight(from_.joint_weights, slots);
        out_.weights.influences = slots <= 4 ? 4 : most_influences;
        for (std::size_t v = 0; v < vertices && !problem_; ++v) {
            std::vector<Influence>& found = scratch_;
            found.clear();
            for (std::size_t s = 0; s < slots; ++s) add_influence(v, index(v, s), weight(v, s), found);
            store(v, found);
        }
    }

    void check_tails() {
        const ArrayView& tails = from_.joint_tails;
        if (tails.data == nullptr) return;
        if (!is_readable(tails, 3) || is_whole(tails.type) || tails.count != from_.joint_rests.count)
            return refuse("needs a tail of three numbers for every joint, or none at all");
        const NumberReader number(tails, 3);
        for (std::size_t j = 0; j < tails.count; ++j)
            if (!std::isfinite(number(j, 0) + number(j, 1) + number(j, 2)))
                return refuse("has a tail that is not finite at joint " + std::to_string(j));
    }

    void add_influence(std::size_t vertex, double joint, double weight, std::vector<Influence>& found) {
        if (!std::isfinite(weight) || weight < 0)
            return refuse("has a negative or non-finite weight at vertex " + std::to_string(vertex));
        // Slots that carry nothing may name any joint.
        if (weight == 0) return;
        if (joint >= double(out_.joints.size()))
            return refuse("weights vertex " + std::to_string(vertex) + " to joint " +
                          std::to_string(std::uint32_t(joint)) + ", but has only " +
                          std::to_string(out_.joints.size()) + " joints");
        const auto same =
            std::find_if(found.begin(), found.end(), [&](const Influence& i) { return i.joint == joint; });
        if (same != found.end())
            same->weight += weight;
        else
            found.push_back({std::uint32_t(joint), weight});
    }

    /// Largest first, sum 1.
    void store(std::size_t vertex, std::vector<Influence>& found) {
        double sum = 0;
        for (const Influence& i : found) sum += i.weight;
        if (!problem_ && !(std::abs(sum - 1) <= rounding))
            return refuse("has weights that add up to " + std::to_string(sum) + " at vertex " + std::to_string(vertex) +
                          "; they must add up to 1");
        std::stable_sort(found.begin(), found.end(),
                         [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
        for (std::size_t s = 0; s < std::size_t(out_.weights.influences); ++s) {
            const bool used = s < found.size();
            out_.weights.joints.push_back(used ? std::uint16_t(found[s].joint) : std::uint16_t{0});
            out_.weights.weights.push_back(used ? float(found[s].weight / sum) : 0.0f);
        }
    }

    const CharacterArrays& from_;
    Character out_;
    std::optional<std::string> problem_;
    std::vector<Influence> scratch_;
};

}  // namespace

Result<Character> make_character(const CharacterArrays& arrays) {
    return Maker(arrays).make();
}

}  // namespace fascia
