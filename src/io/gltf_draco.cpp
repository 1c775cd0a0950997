#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>

#include <draco/compression/decode.h>
#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_decode.h"
#include "io/json_fields.h"

namespace fascia::io {

namespace {

constexpr const char* extension = "KHR_draco_mesh_compression";

/// The decoder's own tables and the mesh it builds, per face.
constexpr std::uint64_t bytes_per_face = 200;

/// Counts in the header of a Draco stream, checked before the decoder trusts them.
struct DracoCounts {
    std::uint64_t faces = 0, vertices = 0;
};

class HeaderReader {
public:
    explicit HeaderReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::optional<std::uint8_t> byte() {
        if (at_ >= bytes_.size()) return std::nullopt;
        return bytes_[at_++];
    }
    /// Seven bits at a time, least significant first.
    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            const auto next = byte();
            if (!next) return std::nullopt;
            value |= static_cast<std::uint64_t>(*next & 127) << shift;
            if (*next < 128) return value;
        }
        return std::nullopt;
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

/// "DRACO", version 2.2, a mesh, method 0 (sequential) or 1 (edgebreaker), no metadata: nothing else occurs in glTF.
std::optional<DracoCounts> read_counts(ByteRange bytes) {
    constexpr std::size_t header = 11;
    if (bytes.size < header || std::memcmp(bytes.data, "DRACO\x02\x02\x01", 8) != 0) return std::nullopt;
    const std::uint8_t method = bytes.data[8];
    const int flags = bytes.data[9] | bytes.data[10] << 8;
    if (method > 1 || (flags & 0x8000) != 0) return std::nullopt;
    HeaderReader reader({bytes.data + header, bytes.size - header});
    if (method == 1 && !reader.byte()) return std::nullopt;  // type of traversal
    const auto first = reader.varint(), second = reader.varint();
    if (!first || !second) return std::nullopt;
    return method == 1 ? DracoCounts{*second, *first} : DracoCounts{*first, *second};
}

/// What the glTF itself says about a compressed primitive.
struct Request {
    gltf::Primitive& primitive;
    const nlohmann::json& attributes;  ///< semantic to Draco's id
    ByteRange bytes;
    std::string what;
};

gltf::Accessor* accessor_at(gltf::Model& model, int index) {
    return index >= 0 && static_cast<std::size_t>(index) < model.accessors.size()
               ? &model.accessors[static_cast<std::size_t>(index)]
               : nullptr;
}

Status check_counts(const Request& request, gltf::Model& model, MemoryBudget& budget) {
    const auto counts = read_counts(request.bytes);
    const auto damaged = [&] {
        return input_error(fmt::format("{} holds damaged Draco data; export the file again.", request.what));
    };
    if (!counts) return damaged();
    const auto position = request.primitive.attributes.find("POSITION");
    const gltf::Accessor* points =
        position == request.primitive.attributes.end() ? nullptr : accessor_at(model, position->second);
    const gltf::Accessor* corners = accessor_at(model, request.primitive.indices);
    if (points == nullptr || corners == nullptr) {
        return input_error(
            fmt::format("{} is compressed but names no positions or indices; export the file again.", request.what));
    }
    const bool fits =
        counts->faces <= corners->count / 3 && counts->vertices <= points->count && points->count <= corners->count;
    if (!fits) return damaged();
    return budget.take(counts->faces + counts->vertices, bytes_per_face, request.what);
}

Result<std::unique_ptr<draco::Mesh>> decode(const Request& request) {
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char*>(request.bytes.data), request.bytes.size);
        draco::Decoder decoder;
        auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
        if (mesh.ok()) return std::move(mesh).value();
    } catch (const std::exception&) {
        // The library gave up on damaged data.
    }
    return input_error(fmt::format("{} cannot be decompressed; its Draco data is damaged.", request.what));
}

template <class T>
bool write_values(const draco::Mesh& mesh, const draco::PointAttribute& attribute, int components,
                  std::vector<std::uint8_t>& out) {
    const std::size_t element = sizeof(T) * static_cast<std::size_t>(components);
    out.resize(mesh.num_points() * element);
    T values[4] = {};
    for (std::uint32_t p = 0; p < mesh.num_points(); ++p) {
        const draco::AttributeValueIndex index = attribute.mapped_index(draco::PointIndex(p));
        if (index.value() >= attribute.size()) return false;
        if (!attribute.ConvertValue<T>(index, static_cast<std::int8_t>(components), values)) return false;
        std::memcpy(out.data() + p * element, values, element);
    }
    return true;
}

bool write_typed(int component_type, const draco::Mesh& mesh, const draco::PointAttribute& attribute, int components,
                 std::vector<std::uint8_t>& out) {
    switch (component_type) {
        case gltf::byte: return write_values<std::int8_t>(mesh, attribute, components, out);
        case gltf::unsigned_byte: return write_values<std::uint8_t>(mesh, attribute, components, out);
        case gltf::short_: return write_values<std::int16_t>(mesh, attribute, components, out);
        case gltf::unsigned_short: return write_values<std::uint16_t>(mesh, attribute, components, out);
        case gltf::unsigned_int: return write_values<std::uint32_t>(mesh, attribute, components, out);
        case gltf::float_: return write_values<float>(mesh, attribute, components, out);
        default: return false;
    }
}

Status store_attribute(const Request& request, const draco::Mesh& mesh, const std::string& semantic, int accessor_index,
                       MemoryBudget& budget, gltf::Model& model) {
    gltf::Accessor* accessor = accessor_at(model, accessor_index);
    const std::int64_t id = integer_field(request.attributes, semantic.c_str(), -1);
    const draco::PointAttribute* attribute =
        id < 0 || id > UINT32_MAX ? nullptr : mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    const auto refuse = [&] {
        return input_error(
            fmt::format("{}: {} is missing in its Draco data; export the file again.", request.what, semantic));
    };
    if (accessor == nullptr || attribute == nullptr) return refuse();
    const int components = accessor->components;
    if (components < 1 || components > 4) return refuse();
    if (auto status =
            budget.take(mesh.num_points(),
                        component_bytes(accessor->component_type) * static_cast<std::size_t>(components), request.what);
        !status) {
        return status;
    }
    std::vector<std::uint8_t> bytes;
    if (!write_typed(accessor->component_type, mesh, *attribute, components, bytes)) return refuse();
    accessor->count = mesh.num_points();
    accessor->byte_offset = 0;
    accessor->sparse.reset();
    accessor->buffer_view = append_buffer_view(std::move(bytes), model);
    return ok_status();
}

Status store_indices(const Request& request, const draco::Mesh& mesh, MemoryBudget& budget, gltf::Model& model) {
    if (auto status = budget.take(mesh.num_faces(), 12, request.what); !status) return status;
    std::vector<std::uint8_t> bytes(mesh.num_faces() * 12);
    for (std::uint32_t f = 0; f < mesh.num_faces(); ++f) {
        const draco::Mesh::Face& face = mesh.face(draco::FaceIndex(f));
        const std::uint32_t corners[3] = {face[0].value(), face[1].value(), face[2].value()};
        std::memcpy(bytes.data() + f * 12, corners, 12);
    }
    gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(request.primitive.indices)];
    accessor.component_type = gltf::unsigned_int;
    accessor.count = mesh.num_faces() * 3;
    accessor.byte_offset = 0;
    accessor.buffer_view = append_buffer_view(std::move(bytes), model);
    return ok_status();
}

Status decode_primitive(const std::string& what, gltf::Primitive& primitive, MemoryBudget& budget, gltf::Model& model) {
    const nlohmann::json& value = (*primitive.extensions)[extension];
    const nlohmann::json& attributes = member(value, "attributes");
    if (!attributes.is_object()) {
        return input_error(fmt::format("{} has a damaged {} header; export the file again.", what, extension));
    }
    auto bytes = buffer_view_bytes(model, index_field(value, "bufferView"), what);
    if (!bytes) return bytes.error();
    const Request request{primitive, attributes, *bytes, what};
    if (auto status = check_counts(request, model, budget); !status) return status;
    auto mesh = decode(request);
    if (!mesh) return mesh.error();
    for (const auto& [semantic, accessor] : primitive.attributes) {
        if (!request.attributes.contains(semantic)) continue;
        if (auto status = store_attribute(request, **mesh, semantic, accessor, budget, model); !status) return status;
    }
    if (auto status = store_indices(request, **mesh, budget, model); !status) return status;
    primitive.mode = gltf::triangles;
    erase_member(*primitive.extensions, extension);
    return ok_status();
}

}  // namespace

Status decode_draco(const std::string& name, MemoryBudget& budget, gltf::Model& model) {
    for (std::size_t m = 0; m < model.meshes.size(); ++m) {
        for (std::size_t p = 0; p < model.meshes[m].primitives.size(); ++p) {
            gltf::Primitive& primitive = model.meshes[m].primitives[p];
            if (!primitive.extensions->contains(extension)) continue;
            if (auto status =
                    decode_primitive(fmt::format("{}: mesh {} primitive {}", name, m, p), primitive, budget, model);
                !status)
                return status;
        }
    }
    return ok_status();
}

}  // namespace fascia::io
