#include "settings/field_values.h"

#include <cmath>

#include "base/number_text.h"
#include "base/words.h"
#include "fascia/settings.h"

namespace fascia {

namespace {

/// The shortest text that reads back as the same number.
std::string shortest(double value) {
    std::string text;
    for (int digits = 6; digits <= 17; ++digits) {
        text = number_text(value, digits);
        double again = 0;
        if (parse_decimal(text, again) && again == value) break;
    }
    return text;
}

Error wrong(const FieldInfo& field, const std::string& key, const std::string& value) {
    std::string message = key + " must be " + taken_by(field) + ", not '" + value + "'";
    if (field.kind == FieldKind::choice && !value.empty())
        message += "; did you mean '" + nearest_name(value, field.choices) + "'?";
    return usage_error(message);
}

/// A single number points straight down; three give the direction.
std::optional<FieldValue> parse_vector(const std::string& text) {
    std::vector<double> numbers;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::optional<double> number = parse_number(text.substr(from, comma - from));
        if (!number) return std::nullopt;
        numbers.push_back(*number);
        from = comma + 1;
    }
    if (numbers.size() == 3) return Vec3d{numbers[0], numbers[1], numbers[2]};
    if (numbers.size() == 1 && numbers[0] >= 0) return Vec3d{0, -numbers[0], 0};
    return std::nullopt;
}

std::optional<FieldValue> parse(const FieldInfo& field, const std::string& text) {
    switch (field.kind) {
        case FieldKind::boolean:
            if (text == "true" || text == "1") return true;
            if (text == "false" || text == "0") return false;
            return std::nullopt;
        case FieldKind::whole:
        case FieldKind::number:
            if (field.automatic && text == "auto") return text;
            return parse_number(text);
        case FieldKind::vector: return parse_vector(text);
        case FieldKind::choice:
        case FieldKind::text: break;
    }
    return text;
}

/// Booleans may be given as numbers.
bool fits(const FieldInfo& field, FieldValue& value) {
    const auto inside = [&](double v) { return v >= field.min && v <= field.max; };  // false for NaN
    switch (field.kind) {
        case FieldKind::boolean:
            if (const double* number = std::get_if<double>(&value); number && (*number == 0 || *number == 1))
                value = *number == 1;
            return std::holds_alternative<bool>(value);
        case FieldKind::whole:
        case FieldKind::number: {
            if (field.automatic && value == FieldValue(std::string("auto"))) return true;
            const double* number = std::get_if<double>(&value);
            return number && inside(*number) && (field.kind == FieldKind::number || *number == std::floor(*number));
        }
        case FieldKind::vector: {
            const Vec3d* v = std::get_if<Vec3d>(&value);
            return v && inside(v->x) && inside(v->y) && inside(v->z);
        }
        case FieldKind::choice:
            for (const std::string& choice : field.choices)
                if (value == FieldValue(choice)) return true;
            return false;
        case FieldKind::text: return std::holds_alternative<std::string>(value);
    }
    return false;
}

}  // namespace

const char* group_name(FieldScope scope) {
    switch (scope) {
        case FieldScope::layer: return "layers";
        case FieldScope::part: return "parts";
        case FieldScope::joint: return "joints";
        case FieldScope::whole: break;
    }
    return "";
}

std::string full_key(const FieldInfo& field, const std::string& entry) {
    if (field.scope == FieldScope::whole) return field.key;
    return std::string(group_name(field.scope)) + "." + entry + "." + field.key;
}

const char* kind_name(FieldKind kind) {
    constexpr const char* names[] = {"boolean", "whole", "number", "choice", "text", "vector"};
    return names[int(kind)];
}

const char* scope_name(FieldScope scope) {
    constexpr const char* names[] = {"whole", "layer", "part", "joint"};
    return names[int(scope)];
}

std::optional<double> parse_number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
    double value = 0;
    if (!parse_decimal(text, value)) return std::nullopt;
    return value;
}

std::string to_text(const FieldValue& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const double* number = std::get_if<double>(&value)) return shortest(*number);
    if (const Vec3d* v = std::get_if<Vec3d>(&value))
        return shortest(v->x) + "," + shortest(v->y) + "," + shortest(v->z);
    return std::get<std::string>(value);
}

std::string taken_by(const FieldInfo& field) {
    switch (field.kind) {
        case FieldKind::boolean: return "true or false";
        case FieldKind::whole:
        case FieldKind::number:
            return std::string(field.automatic ? "auto or " : "") +
                   (field.kind == FieldKind::whole ? "a whole number from " : "a number from ") + shortest(field.min) +
                   " to " + shortest(field.max);
        case FieldKind::choice: return listed(field.choices, "or");
        case FieldKind::vector: return "a pull downwards such as 9.81, or x,y,z such as 0,-9.81,0";
        case FieldKind::text: break;
    }
    return "text";
}

Result<FieldValue> parse_value(const FieldInfo& field, const std::string& key, const std::string& text) {
    std::optional<FieldValue> value = parse(field, text);
    if (!value || !fits(field, *value)) return wrong(field, key, text);
    return *value;
}

Status check_value(const FieldInfo& field, const std::string& key, FieldValue& value) {
    if (fits(field, value)) return ok_status();
    return wrong(field, key, to_text(value));
}

}  // namespace fascia
