#include "io/ply_header.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "io/text_scanner.h"

namespace fascia::io {

namespace {

struct TypeName {
    std::string_view name;
    PlyType type;
};
constexpr std::array<TypeName, 16> type_names = {{{"char", PlyType::i8},
                                                  {"int8", PlyType::i8},
                                                  {"uchar", PlyType::u8},
                                                  {"uint8", PlyType::u8},
                                                  {"short", PlyType::i16},
                                                  {"int16", PlyType::i16},
                                                  {"ushort", PlyType::u16},
                                                  {"uint16", PlyType::u16},
                                                  {"int", PlyType::i32},
                                                  {"int32", PlyType::i32},
                                                  {"uint", PlyType::u32},
                                                  {"uint32", PlyType::u32},
                                                  {"float", PlyType::f32},
                                                  {"float32", PlyType::f32},
                                                  {"double", PlyType::f64},
                                                  {"float64", PlyType::f64}}};

std::optional<PlyType> type_of(std::string_view name) {
    for (const TypeName& entry : type_names)
        if (entry.name == name) return entry.type;
    return std::nullopt;
}

std::optional<PlyProperty> parse_property(TextScanner& scan) {
    PlyProperty out;
    std::string_view word = scan.word_in_line();
    if (word == "list") {
        out.list = true;
        const auto count = type_of(scan.word_in_line());
        if (!count) return std::nullopt;
        out.count_type = *count;
        word = scan.word_in_line();
    }
    const auto type = type_of(word);
    out.name = std::string(scan.word_in_line());
    if (!type || out.name.empty()) return std::nullopt;
    out.type = *type;
    return out;
}

bool parse_format(std::string_view word, PlyFormat& out) {
    if (word == "ascii") {
        out = PlyFormat::ascii;
    } else if (word == "binary_little_endian") {
        out = PlyFormat::little_endian;
    } else if (word == "binary_big_endian") {
        out = PlyFormat::big_endian;
    } else {
        return false;
    }
    return true;
}

}  // namespace

std::size_t ply_type_bytes(PlyType type) {
    switch (type) {
        case PlyType::i8:
        case PlyType::u8: return 1;
        case PlyType::i16:
        case PlyType::u16: return 2;
        case PlyType::i32:
        case PlyType::u32:
        case PlyType::f32: return 4;
        case PlyType::f64: return 8;
    }
    return 0;
}

int PlyElement::find(std::initializer_list<std::string_view> names) const {
    for (std::size_t p = 0; p < properties.size(); ++p) {
        if (std::find(names.begin(), names.end(), properties[p].name) != names.end()) return static_cast<int>(p);
    }
    return -1;
}

Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name) {
    TextScanner scan(bytes);
    PlyHeader out;
    const auto fail = [&](const std::string& what) {
        return input_error(fmt::format("{}, line {}: {}.", name, scan.line(), what));
    };
    if (scan.rest_of_line() != "ply") return fail("does not begin with 'ply'");
    for (;;) {
        if (scan.remaining().empty()) return fail("the header has no end; the file is cut short");
        const std::string_view word = scan.word_in_line();
        if (word == "end_header") break;
        if (word == "format") {
            if (!parse_format(scan.word_in_line(), out.format)) return fail("the format is not known");
        } else if (word == "element") {
            PlyElement element;
            element.name = std::string(scan.word_in_line());
            std::int64_t count = -1;
            if (!parse_integer(scan.word_in_line(), count) || count < 0) return fail("an element has no number");
            element.count = static_cast<std::uint64_t>(count);
            for (const PlyElement& other : out.elements)
                if (other.name == element.name) return fail("element '" + element.name + "' is there twice; keep one");
            out.elements.push_back(std::move(element));
        } else if (word == "property") {
            auto property = parse_property(scan);
            if (!property || out.elements.empty()) return fail("a property cannot be understood");
            out.elements.back().properties.push_back(std::move(*property));
        }
        scan.rest_of_line();
    }
    scan.rest_of_line();
    out.body = bytes.size() - scan.remaining().size();
    return out;
}

}  // namespace fascia::io
