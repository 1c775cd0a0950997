// OFF (Geomview), ASCII: OFF, COFF (colours), NOFF (normals) and both; counts, vertices, polygons.
#include <cmath>

#include <fmt/format.h>

#include "io/mesh_readers.h"
#include "io/text_scanner.h"

namespace fascia::io {

namespace {

class OffReader {
public:
    OffReader(std::string_view text, const std::string& name) : text_size_(text.size()), scan_(text), name_(name) {}

    Result<Mesh> read() {
        if (auto status = read_header(); !status) return status.error();
        for (std::int64_t v = 0; v < vertices_; ++v)
            if (auto status = read_vertex(); !status) return status.error();
        for (std::int64_t f = 0; f < faces_; ++f)
            if (auto status = read_face(); !status) return status.error();
        return finish_mesh(std::move(mesh_), name_);
    }

private:
    std::size_t text_size_;
    TextScanner scan_;
    const std::string& name_;
    Mesh mesh_;
    std::int64_t vertices_ = 0, faces_ = 0;
    bool normals_ = false, colors_ = false;
    std::vector<std::uint32_t> polygon_;

    Error fail(const std::string& what) {
        return input_error(fmt::format("{}, line {}: {}.", name_, scan_.line(), what));
    }

    void skip_comments() {
        while (!scan_.peek().empty() && scan_.peek()[0] == '#') scan_.rest_of_line();
    }

    std::string_view word() {
        skip_comments();
        return scan_.word();
    }

    bool number(double& out) {
        skip_comments();
        return scan_.number(out);
    }

    Status read_header() {
        std::string_view kind = word();
        if (kind.size() < 3 || kind.substr(kind.size() - 3) != "OFF") return fail("does not begin with OFF");
        for (char c : kind.substr(0, kind.size() - 3)) {
            if (c == 'N') {
                normals_ = true;
            } else if (c == 'C') {
                colors_ = true;
            } else {
                return fail(fmt::format("the variant {} is not supported; save it as plain OFF", kind.substr(0, 20)));
            }
        }
        std::int64_t edges = 0;
        if (scan_.peek() == "BINARY") return fail("binary OFF is not supported; save it as text");
        if (!parse_integer(word(), vertices_) || !parse_integer(word(), faces_) || !parse_integer(word(), edges)) {
            return fail("the numbers of vertices, faces and edges are missing");
        }
        const auto room = static_cast<std::int64_t>(text_size_ / 2);
        if (vertices_ < 0 || faces_ < 0 || vertices_ > room / 3 || faces_ > room) {
            return fail(fmt::format("{} vertices and {} faces do not fit into this file; it is cut short or damaged",
                                    vertices_, faces_));
        }
        return ok_status();
    }

    Status read_vertex() {
        double p[3], n[3], c[3];
        for (double& x : p)
            if (!number(x)) return fail("a vertex needs three numbers");
        const Vec3 position{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
        if (!(std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z)))
            return fail("a coordinate is too large");
        mesh_.positions.push_back(position);
        if (normals_) {
            for (double& x : n)
                if (!number(x)) return fail("a normal needs three numbers");
            mesh_.normals.push_back({static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])});
        }
        if (colors_) {
            for (double& x : c)
                if (!number(x)) return fail("a colour needs three numbers");
            read_color(c);
        }
        return ok_status();
    }

    /// 0..255 or 0..1, with or without alpha, which has to be inferred from the rest of the line.
    void read_color(const double* c) {
        const bool bytes = c[0] > 1 || c[1] > 1 || c[2] > 1;
        const double scale = bytes ? 1.0 / 255 : 1;
        mesh_.colors.push_back(
            {static_cast<float>(c[0] * scale), static_cast<float>(c[1] * scale), static_cast<float>(c[2] * scale), 1});
        scan_.rest_of_line();
    }

    Status read_face() {
        std::int64_t corners = 0;
        if (!parse_integer(word(), corners) || corners < 0 || corners > static_cast<std::int64_t>(text_size_))
            return fail("a face needs its number of corners");
        polygon_.clear();
        for (std::int64_t c = 0; c < corners; ++c) {
            std::int64_t index = 0;
            if (!parse_integer(word(), index) || index < 0 || index >= vertices_) {
                return fail(fmt::format("a face points at a vertex that does not exist (there are {})", vertices_));
            }
            polygon_.push_back(static_cast<std::uint32_t>(index));
        }
        // Colours of faces follow in the same line.
        scan_.rest_of_line();
        append_polygon(polygon_, mesh_.triangles);
        return ok_status();
    }
};

}  // namespace

Result<Mesh> parse_off(std::string_view text, const std::string& name) {
    return OffReader(text, name).read();
}

}  // namespace fascia::io
