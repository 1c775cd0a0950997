#include "io/accessor_reader.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace fascia::io {

namespace {

template <class T>
T load(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace

std::size_t component_bytes(int component_type) {
    switch (component_type) {
        case gltf::byte:
        case gltf::unsigned_byte: return 1;
        case gltf::short_:
        case gltf::unsigned_short: return 2;
        case gltf::unsigned_int:
        case gltf::float_: return 4;
        default: return 0;
    }
}

std::string accessor_name(const gltf::Model& model, int accessor) {
    const bool known = accessor >= 0 && static_cast<std::size_t>(accessor) < model.accessors.size();
    if (!known || model.accessors[static_cast<std::size_t>(accessor)].name.empty()) {
        return fmt::format("accessor {}", accessor);
    }
    return fmt::format("accessor {} ('{}')", accessor,
                       model.accessors[static_cast<std::size_t>(accessor)].name.substr(0, 200));
}

Result<ByteRange> buffer_view_bytes(const gltf::Model& model, int view, const std::string& what) {
    if (view < 0 || static_cast<std::size_t>(view) >= model.buffer_views.size()) {
        return input_error(
            fmt::format("{} uses bufferView {}, which does not exist; export the file again.", what, view));
    }
    const gltf::BufferView& range = model.buffer_views[static_cast<std::size_t>(view)];
    if (range.buffer < 0 || static_cast<std::size_t>(range.buffer) >= model.buffers.size()) {
        return input_error(
            fmt::format("{} uses bufferView {} of buffer {}, which does not exist; export the file again.", what, view,
                        range.buffer));
    }
    const std::vector<std::uint8_t>& data = model.buffers[static_cast<std::size_t>(range.buffer)].data;
    if (range.byte_offset > data.size() || range.byte_length > data.size() - range.byte_offset) {
        return input_error(
            fmt::format("{} uses bufferView {}, which reaches beyond its buffer (bytes {} to {} of {}); the file is "
                        "cut short or damaged.",
                        what, view, range.byte_offset, range.byte_offset + range.byte_length, data.size()));
    }
    return ByteRange{data.data() + range.byte_offset, range.byte_length};
}

Result<AccessorView> view_accessor(const gltf::Model& model, int index, int components, const std::string& what) {
    if (index < 0 || static_cast<std::size_t>(index) >= model.accessors.size()) {
        return input_error(
            fmt::format("{} uses accessor {}, which does not exist; export the file again.", what, index));
    }
    const std::string name = what + " uses " + accessor_name(model, index);
    const gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    AccessorView view;
    view.count = accessor.count;
    view.component_type = accessor.component_type;
    view.components = accessor.components;
    view.normalized = accessor.normalized;
    // Matrices of small components have padded columns, which no attribute of ours uses.
    const std::size_t element = component_bytes(view.component_type) * static_cast<std::size_t>(view.components);
    if (element == 0)
        return input_error(
            fmt::format("{}, which has component type {}, unknown to glTF.", name, accessor.component_type));
    if (components != 0 && view.components != components) {
        return input_error(fmt::format("{}, which has {} numbers per element where {} are needed.", name,
                                       view.components, components));
    }
    if (view.count == 0) return view;

    auto bytes = buffer_view_bytes(model, accessor.buffer_view, name + ", which");
    if (!bytes) return bytes.error();
    const std::size_t stride = model.buffer_views[static_cast<std::size_t>(accessor.buffer_view)].byte_stride;
    view.stride = stride == 0 ? element : stride;
    // The last element needs only its own bytes, not a whole stride.
    const bool fits = view.stride >= element && accessor.byte_offset <= bytes->size &&
                      element <= bytes->size - accessor.byte_offset &&
                      view.count - 1 <= (bytes->size - accessor.byte_offset - element) / view.stride;
    if (!fits) {
        return input_error(
            fmt::format("{}, which reaches beyond its bufferView ({} elements, {} bytes apart, in {} bytes); the file "
                        "is cut short or damaged.",
                        name, view.count, view.stride, bytes->size));
    }
    view.data = bytes->data + accessor.byte_offset;
    return view;
}

double AccessorView::number(std::size_t element, int component) const {
    const std::uint8_t* at =
        data + element * stride + static_cast<std::size_t>(component) * component_bytes(component_type);
    switch (component_type) {
        case gltf::byte: {
            const double value = load<std::int8_t>(at);
            return normalized ? std::max(value / 127, -1.0) : value;
        }
        case gltf::unsigned_byte: return normalized ? *at / 255.0 : *at;
        case gltf::short_: {
            const double value = load<std::int16_t>(at);
            return normalized ? std::max(value / 32767, -1.0) : value;
        }
        case gltf::unsigned_short: {
            const double value = load<std::uint16_t>(at);
            return normalized ? value / 65535 : value;
        }
        case gltf::unsigned_int: return load<std::uint32_t>(at);
        case gltf::float_: return load<float>(at);
        default: return 0;
    }
}

std::uint32_t AccessorView::integer(std::size_t element, int component) const {
    const std::uint8_t* at =
        data + element * stride + static_cast<std::size_t>(component) * component_bytes(component_type);
    switch (component_type) {
        case gltf::unsigned_byte: return *at;
        case gltf::unsigned_short: return load<std::uint16_t>(at);
        case gltf::unsigned_int: return load<std::uint32_t>(at);
        case gltf::float_: {
            // Some exporters write joint numbers as floats.
            const float value = load<float>(at);
            return value >= 0 && value < 4e9f ? static_cast<std::uint32_t>(value) : 0xffffffffu;
        }
        default: return 0xffffffffu;
    }
}

std::vector<float> read_floats(const AccessorView& view) {
    std::vector<float> out(view.count * static_cast<std::size_t>(view.components));
    std::size_t next = 0;
    for (std::size_t e = 0; e < view.count; ++e) {
        for (int c = 0; c < view.components; ++c) out[next++] = static_cast<float>(view.number(e, c));
    }
    return out;
}

}  // namespace fascia::io
