// The only way to a glTF accessor's bytes: every range is checked here, once, before anything is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fascia/result.h"
#include "io/gltf_model.h"

namespace fascia::io {

/// A byte range that is known to lie inside its buffer.
struct ByteRange {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
};

/// The bytes of a bufferView; the error begins with `what`.
Result<ByteRange> buffer_view_bytes(const gltf::Model& model, int view, const std::string& what);

/// A checked accessor: `count` elements of `components` numbers, `stride` bytes apart, all inside their buffer.
struct AccessorView {
    const std::uint8_t* data = nullptr;
    std::size_t count = 0, stride = 0;
    int components = 0, component_type = 0;
    bool normalized = false;

    double number(std::size_t element, int component) const;
    std::uint32_t integer(std::size_t element, int component) const;
};

/// Bytes of one component; 0 for a type that glTF does not have.
std::size_t component_bytes(int component_type);
/// How errors name an accessor: "accessor 3 ('positions')".
std::string accessor_name(const gltf::Model& model, int accessor);

/// The view of a plain accessor (one without sparse values, see gltf_decode.h). `components` is how many numbers per
/// element the caller needs; 0 accepts any.
Result<AccessorView> view_accessor(const gltf::Model& model, int accessor, int components, const std::string& what);

/// All numbers of a view as floats, normalised integers mapped to -1..1 or 0..1.
std::vector<float> read_floats(const AccessorView& view);

}  // namespace fascia::io
