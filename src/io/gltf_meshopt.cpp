#include <fmt/format.h>
#include <meshoptimizer.h>

#include "io/accessor_reader.h"
#include "io/gltf_decode.h"
#include "io/json_fields.h"

namespace fascia::io {

namespace {

constexpr const char* extension = "EXT_meshopt_compression";

struct Compressed {
    ByteRange bytes;
    std::size_t count = 0, stride = 0;
    std::string mode, filter;
};

/// What the library asserts instead of returning an error.
bool shape_is_valid(const Compressed& c) {
    if (c.mode == "ATTRIBUTES") {
        const bool filter = c.filter == "NONE" || (c.filter == "OCTAHEDRAL" && (c.stride == 4 || c.stride == 8)) ||
                            (c.filter == "QUATERNION" && c.stride == 8) || c.filter == "EXPONENTIAL";
        return c.stride >= 4 && c.stride <= 256 && c.stride % 4 == 0 && filter;
    }
    const bool index_size = c.stride == 2 || c.stride == 4;
    if (c.mode == "TRIANGLES") return index_size && c.count % 3 == 0 && c.filter == "NONE";
    return c.mode == "INDICES" && index_size && c.filter == "NONE";
}

Result<Compressed> read_header(const gltf::Model& model, const nlohmann::json& value, const std::string& what) {
    Compressed out;
    const std::int64_t buffer = integer_field(value, "buffer", -1), offset = integer_field(value, "byteOffset", 0);
    const std::int64_t size = integer_field(value, "byteLength", -1), count = integer_field(value, "count", -1),
                       stride = integer_field(value, "byteStride", -1);
    const Error bad = input_error(fmt::format("{} has a damaged {} header; export the file again.", what, extension));
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= model.buffers.size() || offset < 0 || size < 0 || count < 0 ||
        stride < 0)
        return bad;
    const std::vector<std::uint8_t>& data = model.buffers[static_cast<std::size_t>(buffer)].data;
    if (static_cast<std::size_t>(offset) > data.size() ||
        static_cast<std::size_t>(size) > data.size() - static_cast<std::size_t>(offset))
        return bad;
    out.bytes = {data.data() + offset, static_cast<std::size_t>(size)};
    out.count = static_cast<std::size_t>(count);
    out.stride = static_cast<std::size_t>(stride);
    out.mode = string_field(value, "mode");
    out.filter = value.contains("filter") ? string_field(value, "filter") : "NONE";
    if (!shape_is_valid(out)) return bad;
    return out;
}

int decode(const Compressed& c, std::vector<std::uint8_t>& out) {
    if (c.mode == "ATTRIBUTES")
        return meshopt_decodeVertexBuffer(out.data(), c.count, c.stride, c.bytes.data, c.bytes.size);
    if (c.mode == "TRIANGLES")
        return meshopt_decodeIndexBuffer(out.data(), c.count, c.stride, c.bytes.data, c.bytes.size);
    return meshopt_decodeIndexSequence(out.data(), c.count, c.stride, c.bytes.data, c.bytes.size);
}

void apply_filter(const Compressed& c, std::vector<std::uint8_t>& out) {
    if (c.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(out.data(), c.count, c.stride);
    if (c.filter == "QUATERNION") meshopt_decodeFilterQuat(out.data(), c.count, c.stride);
    if (c.filter == "EXPONENTIAL") meshopt_decodeFilterExp(out.data(), c.count, c.stride);
}

}  // namespace

Status decode_meshopt(const std::string& name, MemoryBudget& budget, gltf::Model& model) {
    for (std::size_t v = 0; v < model.buffer_views.size(); ++v) {
        if (!model.buffer_views[v].extensions->contains(extension)) continue;
        const std::string what = fmt::format("{}: bufferView {}", name, v);
        auto header = read_header(model, (*model.buffer_views[v].extensions)[extension], what);
        if (!header) return header.error();
        if (auto status = budget.take(header->count, header->stride, what); !status) return status;
        std::vector<std::uint8_t> decoded(header->count * header->stride);
        if (decode(*header, decoded) != 0) {
            return input_error(fmt::format("{} cannot be decompressed; the file is damaged.", what));
        }
        apply_filter(*header, decoded);
        gltf::BufferView& view = model.buffer_views[v];
        erase_member(*view.extensions, extension);
        view.buffer = static_cast<int>(model.buffers.size());
        view.byte_offset = 0;
        view.byte_length = decoded.size();
        model.buffers.push_back({std::move(decoded)});
    }
    return ok_status();
}

}  // namespace fascia::io
