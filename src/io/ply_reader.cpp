// PLY: ASCII and both binary byte orders; elements "vertex" and "face"; others are skipped.
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "io/memory_budget.h"
#include "io/mesh_readers.h"
#include "io/ply_header.h"
#include "io/text_scanner.h"

namespace fascia::io {

namespace {

/// The values behind the header, one after another, whatever their format.
class PlyValues {
public:
    PlyValues(std::string_view body, PlyFormat format) : text_(body), body_(body), format_(format) {}

    bool next(PlyType type, double& out) {
        if (format_ == PlyFormat::ascii) return text_.number(out);
        unsigned char raw[8] = {};
        const std::size_t size = ply_type_bytes(type);
        if (body_.size() - at_ < size) return false;
        const bool swapped = format_ == PlyFormat::big_endian;
        for (std::size_t k = 0; k < size; ++k)
            raw[swapped ? size - 1 - k : k] = static_cast<unsigned char>(body_[at_ + k]);
        at_ += size;
        out = value_of(type, raw);
        return true;
    }
    std::size_t left() const { return format_ == PlyFormat::ascii ? text_.remaining().size() : body_.size() - at_; }

private:
    TextScanner text_;
    std::string_view body_;
    PlyFormat format_;
    std::size_t at_ = 0;

    template <class T>
    static double load(const unsigned char* raw) {
        T value;
        std::memcpy(&value, raw, sizeof value);
        return static_cast<double>(value);
    }
    static double value_of(PlyType type, const unsigned char* raw) {
        switch (type) {
            case PlyType::i8: return load<std::int8_t>(raw);
            case PlyType::u8: return load<std::uint8_t>(raw);
            case PlyType::i16: return load<std::int16_t>(raw);
            case PlyType::u16: return load<std::uint16_t>(raw);
            case PlyType::i32: return load<std::int32_t>(raw);
            case PlyType::u32: return load<std::uint32_t>(raw);
            case PlyType::f32: return load<float>(raw);
            case PlyType::f64: return load<double>(raw);
        }
        return 0;
    }
};

/// The fewest bytes that one element takes, to check a declared count against the file.
std::uint64_t least_bytes(const PlyElement& element, PlyFormat format) {
    std::uint64_t sum = 0;
    for (const PlyProperty& property : element.properties) {
        sum += format == PlyFormat::ascii ? 2 : ply_type_bytes(property.list ? property.count_type : property.type);
    }
    return sum;
}

class PlyReader {
public:
    PlyReader(std::string_view bytes, const PlyHeader& header, const std::string& name)
        : header_(header), values_(bytes.substr(header.body), header.format), name_(name), budget_(bytes.size()) {}

    Result<Mesh> read() {
        for (const PlyElement& element : header_.elements) {
            const std::uint64_t least = least_bytes(element, header_.format);
            if (least == 0) continue;
            // The last value of a text file may lack its trailing space.
            if (element.count > (values_.left() + 1) / least) {
                return input_error(
                    fmt::format("{}: {} elements '{}' do not fit into this file; it is cut short or damaged.", name_,
                                element.count, element.name));
            }
            Status status = element.name == "vertex" ? read_vertices(element)
                            : element.name == "face" ? read_faces(element)
                                                     : skip(element);
            if (!status) return status.error();
        }
        for (std::uint32_t index : mesh_.triangles) {
            if (index >= mesh_.positions.size()) {
                return input_error(fmt::format("{}: a face points at vertex {} of {}; export the file again.", name_,
                                               index, mesh_.positions.size()));
            }
        }
        return finish_mesh(std::move(mesh_), name_);
    }

private:
    const PlyHeader& header_;
    PlyValues values_;
    const std::string& name_;
    MemoryBudget budget_;
    Mesh mesh_;

    Error cut(const PlyElement& element, std::uint64_t at) {
        return input_error(fmt::format("{}: element '{}' {} cannot be read; the file is cut short or damaged.", name_,
                                       element.name, at));
    }

    /// The scalar properties of one element; lists are skipped. `row` has one value per property.
    bool read_row(const PlyElement& element, std::vector<double>& row) {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            if (property.list ? !read_list(property, nullptr) : !values_.next(property.type, row[p])) return false;
        }
        return true;
    }

    bool read_list(const PlyProperty& property, std::vector<double>* out) {
        double count = 0;
        if (!values_.next(property.count_type, count) || !(count >= 0) || count > static_cast<double>(values_.left()))
            return false;
        for (double i = 0; i < count; ++i) {
            double value = 0;
            if (!values_.next(property.type, value)) return false;
            if (out != nullptr) out->push_back(value);
        }
        return true;
    }

    Status skip(const PlyElement& element) {
        std::vector<double> row(element.properties.size());
        for (std::uint64_t i = 0; i < element.count; ++i)
            if (!read_row(element, row)) return cut(element, i);
        return ok_status();
    }

    Status read_vertices(const PlyElement& element) {
        const int x = element.find({"x"}), y = element.find({"y"}), z = element.find({"z"});
        const int nx = element.find({"nx"}), ny = element.find({"ny"}), nz = element.find({"nz"});
        const int u = element.find({"u", "s", "texture_u"}), v = element.find({"v", "t", "texture_v"});
        const int r = element.find({"red", "r"}), g = element.find({"green", "g"}), b = element.find({"blue", "b"}),
                  a = element.find({"alpha", "a"});
        if (x < 0 || y < 0 || z < 0) return input_error(name_ + ": vertices have no x, y and z.");
        if (element.count > 0x7fffffff) return input_error(name_ + ": there are more vertices than can be numbered.");
        if (auto status = budget_.take(element.count, 48, name_ + ": element 'vertex'"); !status) return status;
        std::vector<double> row(element.properties.size());
        const auto at = [&](int p) { return static_cast<float>(row[static_cast<std::size_t>(p)]); };
        const auto color = [&](int p) {
            return static_cast<float>(row[static_cast<std::size_t>(p)] * color_scale(element, p));
        };
        for (std::uint64_t i = 0; i < element.count; ++i) {
            if (!read_row(element, row)) return cut(element, i);
            const Vec3 position{at(x), at(y), at(z)};
            if (!(std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z))) {
                return input_error(fmt::format("{}: vertex {} is not a number; export the file again.", name_, i));
            }
            mesh_.positions.push_back(position);
            if (nx >= 0 && ny >= 0 && nz >= 0) mesh_.normals.push_back({at(nx), at(ny), at(nz)});
            if (u >= 0 && v >= 0) mesh_.uvs.push_back({at(u), 1 - at(v)});
            if (r >= 0 && g >= 0 && b >= 0)
                mesh_.colors.push_back({color(r), color(g), color(b), a >= 0 ? color(a) : 1.0f});
        }
        return ok_status();
    }

    /// Integer colours are relative to the largest value of their type.
    static double color_scale(const PlyElement& element, int property) {
        switch (element.properties[static_cast<std::size_t>(property)].type) {
            case PlyType::u8: return 1.0 / 255;
            case PlyType::u16: return 1.0 / 65535;
            default: return 1;
        }
    }

    Status read_faces(const PlyElement& element) {
        const int list = element.find({"vertex_indices", "vertex_index"});
        if (list < 0 || !element.properties[static_cast<std::size_t>(list)].list)
            return input_error(name_ + ": faces have no list of vertices.");
        std::vector<double> row(1), corners;
        std::vector<std::uint32_t> polygon;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            corners.clear();
            for (std::size_t p = 0; p < element.properties.size(); ++p) {
                const PlyProperty& property = element.properties[p];
                const bool wanted = static_cast<int>(p) == list;
                if (property.list ? !read_list(property, wanted ? &corners : nullptr)
                                  : !values_.next(property.type, row[0]))
                    return cut(element, i);
            }
            polygon.clear();
            for (double corner : corners) {
                if (!(corner >= 0 && corner <= 4294967295.0)) return cut(element, i);
                polygon.push_back(static_cast<std::uint32_t>(corner));
            }
            append_polygon(polygon, mesh_.triangles);
        }
        return ok_status();
    }
};

}  // namespace

Result<Mesh> parse_ply(std::string_view bytes, const std::string& name) {
    auto header = parse_ply_header(bytes, name);
    if (!header) return header.error();
    return PlyReader(bytes, *header, name).read();
}

}  // namespace fascia::io
