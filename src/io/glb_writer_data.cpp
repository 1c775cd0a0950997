#include "io/glb_writer_data.h"

#include <algorithm>
#include <cstring>

#include <nlohmann/json.hpp>

namespace fascia::io {
namespace {

using nlohmann::json;

constexpr std::size_t padding(std::uint64_t size) {
    return static_cast<std::size_t>((4 - size % 4) % 4);
}

void store_u32(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

json accessor_json(const GlbAccessor& a) {
    json j = {{"bufferView", a.view}, {"componentType", a.component}, {"count", a.count}, {"type", a.type}};
    if (a.offset > 0) j["byteOffset"] = a.offset;
    if (a.normalized) j["normalized"] = true;
    if (!a.min.empty()) j["min"] = a.min;
    if (!a.max.empty()) j["max"] = a.max;
    return j;
}

}  // namespace

std::uint64_t GlbData::append(const void* data, std::size_t size) {
    const std::uint64_t start = scratch_->size();
    if (status_) status_ = scratch_->write(data, size);
    const std::uint8_t zeros[4] = {};
    if (status_) status_ = scratch_->write(zeros, padding(size));
    return start;
}

int GlbData::add_view(std::uint64_t offset, std::uint64_t length, ViewUse use, int stride) {
    views_.push_back({offset, length, use, stride});
    return static_cast<int>(views_.size()) - 1;
}

int GlbData::add_accessor(GlbAccessor accessor) {
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
}

int GlbData::add_vectors(std::span<const Vec3> values, ViewUse use, bool bounds) {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    return add_floats({reinterpret_cast<const float*>(values.data()), values.size() * 3}, "VEC3", 3, use, bounds);
}

int GlbData::add_floats(std::span<const float> values, const std::string& type, int width, ViewUse use, bool bounds) {
    GlbAccessor accessor;
    accessor.view = add_view(append(values.data(), values.size_bytes()), values.size_bytes(), use);
    accessor.count = values.size() / static_cast<std::size_t>(width);
    accessor.type = type;
    if (bounds && !values.empty()) {
        accessor.min.assign(values.begin(), values.begin() + width);
        accessor.max = accessor.min;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t c = i % static_cast<std::size_t>(width);
            accessor.min[c] = std::min<double>(accessor.min[c], values[i]);
            accessor.max[c] = std::max<double>(accessor.max[c], values[i]);
        }
    }
    return add_accessor(std::move(accessor));
}

int GlbData::add_tangents(std::span<const Vec4> values) {
    static_assert(sizeof(Vec4) == 4 * sizeof(float));
    return add_floats({reinterpret_cast<const float*>(values.data()), values.size() * 4}, "VEC4", 4, ViewUse::vertices,
                      false);
}

int GlbData::add_indices(std::span<const std::uint32_t> values) {
    const std::uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    if (largest >= 0xffff)  // 0xffff itself means "restart" to a graphics card
        return add_elements(values.data(), values.size(), 4, gl::unsigned_int, "SCALAR", false, ViewUse::indices);
    const std::vector<std::uint16_t> narrow(values.begin(), values.end());
    return add_elements(narrow.data(), narrow.size(), 2, gl::unsigned_short, "SCALAR", false, ViewUse::indices);
}

int GlbData::add_elements(const void* data, std::size_t count, std::size_t element_size, int component,
                          const std::string& type, bool normalized, ViewUse use, std::vector<double> min,
                          std::vector<double> max) {
    GlbAccessor accessor;
    accessor.min = std::move(min);
    accessor.max = std::move(max);
    accessor.component = component;
    accessor.count = count;
    accessor.type = type;
    accessor.normalized = normalized;
    if (use == ViewUse::vertices && element_size % 4 != 0) {
        const std::size_t stride = element_size + padding(element_size);
        std::vector<std::uint8_t> padded(count * stride, 0);
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(padded.data() + i * stride, static_cast<const std::uint8_t*>(data) + i * element_size,
                        element_size);
        accessor.view = add_view(append(padded.data(), padded.size()), padded.size(), use, static_cast<int>(stride));
    } else {
        accessor.view = add_view(append(data, count * element_size), count * element_size, use);
    }
    return add_accessor(std::move(accessor));
}

Status GlbData::assemble(json& root, AtomicFile& out) {
    if (!status_) return status_;
    if (!views_.empty()) {
        root["buffers"] = json::array({{{"byteLength", size()}}});
        json& views = root["bufferViews"] = json::array();
        for (const View& view : views_) {
            json j = {{"buffer", 0}, {"byteOffset", view.offset}, {"byteLength", view.length}};
            if (view.stride > 0) j["byteStride"] = view.stride;
            if (view.use == ViewUse::vertices) j["target"] = gl::array_buffer;
            if (view.use == ViewUse::indices) j["target"] = gl::element_array_buffer;
            views.push_back(std::move(j));
        }
    }
    if (!accessors_.empty()) {
        json& accessors = root["accessors"] = json::array();
        for (const GlbAccessor& accessor : accessors_) accessors.push_back(accessor_json(accessor));
    }
    // Names may hold bytes that are not UTF-8; they are replaced rather than refused.
    std::string text = root.dump(-1, ' ', false, json::error_handler_t::replace);
    text.append(padding(text.size()), ' ');

    const std::uint64_t total = 12 + 8 + text.size() + 8 + size();
    if (total > 0xffffffffu) return output_error("could not write a GLB of more than 4 GB: write PC2 instead");
    std::vector<std::uint8_t> head;
    store_u32(head, 0x46546c67);  // "glTF"
    store_u32(head, 2);
    store_u32(head, total);
    store_u32(head, text.size());
    store_u32(head, 0x4e4f534a);  // "JSON"
    if (Status s = out.write(head.data(), head.size()); !s) return s;
    if (Status s = out.write(text.data(), text.size()); !s) return s;
    head.clear();
    store_u32(head, size());
    store_u32(head, 0x004e4942);  // "BIN"
    if (Status s = out.write(head.data(), head.size()); !s) return s;
    return scratch_->copy_to(out, 0, size());
}

}  // namespace fascia::io
