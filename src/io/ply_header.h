// The header of a PLY file: which elements follow, with which properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/result.h"

namespace fascia::io {

enum class PlyFormat { ascii, little_endian, big_endian };
enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

std::size_t ply_type_bytes(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::f32;
    bool list = false;
    PlyType count_type = PlyType::u8;  ///< of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    /// Index of the first property with one of the names, -1 for none.
    int find(std::initializer_list<std::string_view> names) const;
};

struct PlyHeader {
    PlyFormat format = PlyFormat::ascii;
    std::vector<PlyElement> elements;
    std::size_t body = 0;  ///< byte offset of the first value
};

Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name);

}  // namespace fascia::io
