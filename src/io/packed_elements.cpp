#include "io/packed_elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fascia/math.h"
#include "io/accessor_reader.h"

namespace fascia::io {

namespace {

bool starts_with(const std::string& text, const char* prefix) {
    return text.rfind(prefix, 0) == 0;
}

template <class Change>
void change_floats(PackedElements& elements, Change change) {
    for (std::size_t i = 0; i < elements.count * elements.width; ++i) {
        float value;
        std::memcpy(&value, elements.bytes.data() + i * sizeof value, sizeof value);
        value = change(value);
        std::memcpy(elements.bytes.data() + i * sizeof value, &value, sizeof value);
    }
}

/// In doubles, because the squares of large floats overflow.
template <class Vector>
void make_unit(Vec3d fallback, PackedElements& elements) {
    for (std::size_t i = 0; i < elements.count; ++i) {
        Vector vector;
        std::memcpy(&vector, elements.bytes.data() + i * sizeof vector, sizeof vector);
        const Vec3d given{vector.x, vector.y, vector.z};
        if (std::abs(length(given) - 1) >= 1e-3) {
            const Vec3 unit = to_float(normalized(given, fallback));
            vector.x = unit.x, vector.y = unit.y, vector.z = unit.z;
        }
        if constexpr (sizeof vector == sizeof(Vec4)) vector.w = vector.w < 0 ? -1.0f : 1.0f;
        std::memcpy(elements.bytes.data() + i * sizeof vector, &vector, sizeof vector);
    }
}

/// "TEXCOORD_3" for the kind "TEXCOORD_"; eight sets are more than anyone uses.
bool is_set(const std::string& attribute, const std::string& kind) {
    return attribute.size() == kind.size() + 1 && starts_with(attribute, kind.c_str()) && attribute.back() >= '0' &&
           attribute.back() < '8';
}

bool is_one_of(int component, std::initializer_list<int> choices) {
    return std::find(choices.begin(), choices.end(), component) != choices.end();
}

}  // namespace

double PackedElements::value(std::size_t i) const {
    const std::uint8_t* at = bytes.data() + i * component_bytes;
    const auto read = [&](auto number) {
        std::memcpy(&number, at, sizeof number);
        return static_cast<double>(number);
    };
    switch (component) {
        case gltf::byte: return read(std::int8_t{});
        case gltf::unsigned_byte: return read(std::uint8_t{});
        case gltf::short_: return read(std::int16_t{});
        case gltf::unsigned_short: return read(std::uint16_t{});
        case gltf::unsigned_int: return read(std::uint32_t{});
        default: return read(float{});
    }
}

std::span<const std::uint8_t> view_bytes(const gltf::Model& model, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= model.buffer_views.size()) return {};
    const gltf::BufferView& view = model.buffer_views[static_cast<std::size_t>(index)];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) return {};
    const auto& bytes = model.buffers[static_cast<std::size_t>(view.buffer)].data;
    if (view.byte_offset > bytes.size() || view.byte_length > bytes.size() - view.byte_offset) return {};
    return {bytes.data() + view.byte_offset, view.byte_length};
}

std::optional<PackedElements> pack(const gltf::Model& model, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= model.accessors.size()) return {};
    const gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    PackedElements out;
    out.type = accessor.type;
    out.width = static_cast<std::size_t>(accessor.components);
    out.component = accessor.component_type;
    out.component_bytes = component_bytes(accessor.component_type);
    out.count = accessor.count;
    out.normalized = accessor.normalized;
    const std::span<const std::uint8_t> view = view_bytes(model, accessor.buffer_view);
    if (accessor.type.rfind("MAT", 0) == 0 || out.component_bytes == 0 || out.count == 0 ||
        accessor.byte_offset > view.size())
        return {};
    const std::size_t element = out.width * out.component_bytes;
    const std::size_t declared = model.buffer_views[static_cast<std::size_t>(accessor.buffer_view)].byte_stride;
    const std::size_t stride = declared > 0 ? declared : element;
    const std::size_t room = view.size() - accessor.byte_offset;
    if (room < element || (out.count - 1) > (room - element) / stride) return {};
    out.bytes.resize(out.count * element);
    for (std::size_t i = 0; i < out.count; ++i)
        std::memcpy(out.bytes.data() + i * element, view.data() + accessor.byte_offset + i * stride, element);
    return out;
}

bool is_allowed(const std::string& attribute, const PackedElements& elements, bool target) {
    const bool is_float = elements.component == gltf::float_ && !elements.normalized;
    const bool small =
        is_one_of(elements.component, {gltf::byte, gltf::unsigned_byte, gltf::short_, gltf::unsigned_short});
    const bool fraction = elements.normalized && small;
    const bool is_signed = is_one_of(elements.component, {gltf::byte, gltf::short_});
    if (attribute == "POSITION") return elements.width == 3 && (is_float || small);
    if (attribute == "NORMAL") return elements.width == 3 && (is_float || (fraction && is_signed));
    if (attribute == "TANGENT") return elements.width == (target ? 3u : 4u) && (is_float || (fraction && is_signed));
    if (is_set(attribute, "TEXCOORD_")) return elements.width == 2 && (is_float || small);
    if (is_set(attribute, "COLOR_"))
        return (elements.width == 3 || elements.width == 4) && (is_float || (fraction && !is_signed));
    return starts_with(attribute, "_") && (is_float || small);
}

bool needs_quantization(const std::string& attribute, const PackedElements& elements) {
    if (elements.component == gltf::float_) return false;
    if (attribute == "POSITION" || attribute == "NORMAL" || attribute == "TANGENT") return true;
    if (!starts_with(attribute, "TEXCOORD_")) return false;
    return !is_one_of(elements.component, {gltf::unsigned_byte, gltf::unsigned_short}) || !elements.normalized;
}

void repair(const std::string& attribute, bool target, PackedElements& elements) {
    if (elements.component != gltf::float_) return;
    change_floats(elements, [](float value) { return std::isfinite(value) ? value : 0.0f; });
    if (target) return;
    if (attribute == "NORMAL") make_unit<Vec3>({0, 1, 0}, elements);
    if (attribute == "TANGENT") make_unit<Vec4>({1, 0, 0}, elements);
    if (starts_with(attribute, "COLOR_"))
        change_floats(elements, [](float value) { return std::clamp(value, 0.0f, 1.0f); });
}

bool are_indices(const PackedElements& elements, std::size_t vertices) {
    const bool is_index =
        elements.width == 1 && !elements.normalized &&
        is_one_of(elements.component, {gltf::unsigned_byte, gltf::unsigned_short, gltf::unsigned_int});
    if (!is_index) return false;
    for (std::size_t i = 0; i < elements.count; ++i)
        if (!(elements.value(i) < static_cast<double>(vertices))) return false;
    return true;
}

void find_bounds(const PackedElements& elements, std::vector<double>& low, std::vector<double>& high) {
    for (std::size_t c = 0; c < elements.width; ++c) {
        low.push_back(elements.value(c));
        high.push_back(elements.value(c));
        for (std::size_t i = 1; i < elements.count; ++i) {
            low[c] = std::min(low[c], elements.value(i * elements.width + c));
            high[c] = std::max(high[c], elements.value(i * elements.width + c));
        }
    }
}

}  // namespace fascia::io
