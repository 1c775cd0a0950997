// Wavefront OBJ: v, vt, vn and f; everything else is skipped.
//
// Vertex k of the mesh is the k-th "v" line. If faces use it with a second texture coordinate or normal, the copy goes
// to the end, so that the order of the file survives.
#include <cmath>

#include <fmt/format.h>

#include "io/mesh_readers.h"
#include "io/text_scanner.h"

namespace fascia::io {

namespace {

constexpr std::size_t most_vertices = 0x7fffffff;
/// A position with more corners than this gets redundant copies rather than an endless search.
constexpr int longest_search = 256;

/// How a face names a corner; -1 for "not given".
struct Corner {
    std::int64_t position = -1, uv = -1, normal = -1;
};

/// One use of a position: its texture coordinate, normal and mesh vertex.
struct Use {
    std::int64_t uv = -1, normal = -1;
    std::int64_t next = -1;  ///< further use of the same position
    bool taken = false;
};

class ObjReader {
public:
    ObjReader(std::string_view text, const std::string& name) : scan_(text), name_(name) {}

    Result<Mesh> read() {
        while (!scan_.at_end()) {
            const std::string_view word = scan_.word_in_line();
            Status status = ok_status();
            if (word == "v") {
                status = read_position();
            } else if (word == "vt") {
                status = read_uv();
            } else if (word == "vn") {
                status = read_normal();
            } else if (word == "f") {
                status = read_face();
            }
            if (!status) return status.error();
            scan_.rest_of_line();
        }
        if (!any_uv_) mesh_.uvs.clear();
        if (!any_normal_) mesh_.normals.clear();
        return finish_mesh(std::move(mesh_), name_);
    }

private:
    TextScanner scan_;
    const std::string& name_;
    Mesh mesh_;
    std::vector<Vec2> uvs_;
    std::vector<Vec3> normals_;
    std::vector<Use> uses_;  ///< [vertices of the mesh]
    std::vector<std::int64_t> vertex_of_position_;
    std::vector<std::uint32_t> polygon_;
    bool any_uv_ = false, any_normal_ = false;

    Error fail(const std::string& what) {
        return input_error(fmt::format("{}, line {}: {}.", name_, scan_.line(), what));
    }

    /// The numbers of this line; false if there are fewer than `needed` or one of them is invalid.
    bool numbers(double* out, int needed) {
        for (int i = 0; i < needed; ++i)
            if (!parse_number(scan_.word_in_line(), out[i])) return false;
        return true;
    }

    std::uint32_t add_vertex(Vec3 position) {
        mesh_.positions.push_back(position);
        mesh_.normals.emplace_back();
        mesh_.uvs.emplace_back();
        uses_.emplace_back();
        return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
    }

    /// Positions that come after faces follow the copies made so far.
    Status read_position() {
        double p[3];
        if (!numbers(p, 3)) return fail("a vertex needs three numbers");
        if (mesh_.positions.size() >= most_vertices) return fail("there are more vertices than can be numbered");
        const Vec3 position{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
        if (!(std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z)))
            return fail("a coordinate is too large");
        vertex_of_position_.push_back(add_vertex(position));
        read_vertex_color();
        return ok_status();
    }

    /// "v x y z r g b" is a common extension. As soon as one vertex has a colour, all have one.
    void read_vertex_color() {
        double c[3];
        const bool colored = numbers(c, 3);
        if (!colored && mesh_.colors.empty()) return;
        mesh_.colors.resize(mesh_.positions.size(), Vec4{1, 1, 1, 1});
        if (colored) {
            mesh_.colors.back() = {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2]), 1};
        }
    }

    Status read_uv() {
        double t[2] = {0, 0};
        if (!numbers(t, 1)) return fail("a texture coordinate needs a number");
        double second = 0;
        if (parse_number(scan_.word_in_line(), second)) t[1] = second;
        // glTF counts v from the top, OBJ from the bottom.
        uvs_.push_back({static_cast<float>(t[0]), static_cast<float>(1 - t[1])});
        return ok_status();
    }

    Status read_normal() {
        double n[3];
        if (!numbers(n, 3)) return fail("a normal needs three numbers");
        normals_.push_back({static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])});
        return ok_status();
    }

    /// 1-based, or counted back from the end; false if it does not exist.
    static bool resolve(std::string_view word, std::size_t count, std::int64_t& out) {
        std::int64_t index = 0;
        if (!parse_integer(word, index)) return false;
        out = index > 0 ? index - 1 : static_cast<std::int64_t>(count) + index;
        return index != 0 && out >= 0 && static_cast<std::size_t>(out) < count;
    }

    bool parse_corner(std::string_view word, Corner& out) {
        const std::size_t slash = word.find('/');
        if (!resolve(word.substr(0, slash), vertex_of_position_.size(), out.position)) return false;
        if (slash == std::string_view::npos) return true;
        std::string_view rest = word.substr(slash + 1);
        const std::size_t second = rest.find('/');
        const std::string_view uv = rest.substr(0, second);
        if (!uv.empty() && !resolve(uv, uvs_.size(), out.uv)) return false;
        if (second == std::string_view::npos || second + 1 == rest.size()) return true;
        return resolve(rest.substr(second + 1), normals_.size(), out.normal);
    }

    Status read_face() {
        polygon_.clear();
        for (std::string_view word = scan_.word_in_line(); !word.empty() && word[0] != '#';
             word = scan_.word_in_line()) {
            if (word == "\\") {
                scan_.rest_of_line();
                continue;
            }
            Corner corner;
            if (!parse_corner(word, corner))
                return fail(fmt::format("the face corner '{}' points at nothing", word.substr(0, 40)));
            polygon_.push_back(vertex_for(corner));
        }
        if (polygon_.size() < 3) return fail("a face needs three corners");
        append_polygon(polygon_, mesh_.triangles);
        return ok_status();
    }

    void take(std::uint32_t vertex, const Corner& corner) {
        Use& use = uses_[vertex];
        use.uv = corner.uv;
        use.normal = corner.normal;
        use.taken = true;
        if (corner.uv >= 0) {
            mesh_.uvs[vertex] = uvs_[static_cast<std::size_t>(corner.uv)];
            any_uv_ = true;
        }
        if (corner.normal >= 0) {
            mesh_.normals[vertex] = normals_[static_cast<std::size_t>(corner.normal)];
            any_normal_ = true;
        }
    }

    std::uint32_t vertex_for(const Corner& corner) {
        auto vertex = static_cast<std::uint32_t>(vertex_of_position_[static_cast<std::size_t>(corner.position)]);
        if (!uses_[vertex].taken) {
            take(vertex, corner);
            return vertex;
        }
        for (int steps = 0; steps < longest_search; ++steps) {
            const Use& use = uses_[vertex];
            if (use.uv == corner.uv && use.normal == corner.normal) return vertex;
            if (use.next < 0) break;
            vertex = static_cast<std::uint32_t>(use.next);
        }
        const std::uint32_t copy = add_vertex(mesh_.positions[vertex]);
        if (!mesh_.colors.empty()) mesh_.colors.resize(mesh_.positions.size(), mesh_.colors[vertex]);
        uses_[copy].next = uses_[vertex].next;
        uses_[vertex].next = copy;
        take(copy, corner);
        return copy;
    }
};

}  // namespace

Result<Mesh> parse_obj(std::string_view text, const std::string& name) {
    return ObjReader(text, name).read();
}

}  // namespace fascia::io
