// The part of JSON Schema that our own schemas use; an unknown keyword is a failure, so that none is silently ignored.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fascia::test {

class SchemaCheck {
public:
    explicit SchemaCheck(nlohmann::json schema) : root_(std::move(schema)) {}

    /// Everything that is wrong with `value`; empty if it is valid.
    std::vector<std::string> operator()(const nlohmann::json& value) {
        faults_.clear();
        check(root_, value, "$");
        return faults_;
    }

private:
    using json = nlohmann::json;

    void fault(const std::string& place, const std::string& text) { faults_.push_back(place + ": " + text); }

    static bool has_type(const json& value, const std::string& type) {
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        return type == value.type_name();
    }

    static bool fits_type(const json& types, const json& value) {
        if (types.is_string()) return has_type(value, types.get<std::string>());
        return std::any_of(types.begin(), types.end(),
                           [&](const json& type) { return has_type(value, type.get<std::string>()); });
    }

    void check(const json& schema, const json& value, const std::string& place) {
        for (const auto& [keyword, rule] : schema.items()) {
            if (keyword == "$ref")
                check(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, place);
            else if (keyword == "type")
                fits_type(rule, value) ? void() : fault(place, "is " + std::string(value.type_name()));
            else if (keyword == "enum")
                std::count(rule.begin(), rule.end(), value) ? void() : fault(place, "is none of " + rule.dump());
            else if (keyword == "pattern" && value.is_string())
                std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()))
                    ? void()
                    : fault(place, "does not match " + rule.dump());
            else if (!check_number(keyword, rule, value, place) && !check_object(schema, keyword, rule, value, place) &&
                     !check_array(keyword, rule, value, place) && !is_annotation(keyword))
                fault(place, "unknown keyword " + keyword);
        }
    }

    static bool is_annotation(const std::string& keyword) {
        static const std::vector<std::string> list{"$schema", "$defs", "title", "description", "pattern"};
        return std::find(list.begin(), list.end(), keyword) != list.end();
    }

    bool check_number(const std::string& keyword, const json& rule, const json& value, const std::string& place) {
        if (keyword != "minimum" && keyword != "maximum") return false;
        if (!value.is_number()) return true;
        const bool fits = keyword == "minimum" ? value >= rule : value <= rule;
        if (!fits) fault(place, value.dump() + " is beyond the " + keyword + " " + rule.dump());
        return true;
    }

    bool check_array(const std::string& keyword, const json& rule, const json& value, const std::string& place) {
        if (keyword != "items" && keyword != "minItems" && keyword != "maxItems") return false;
        if (!value.is_array()) return true;
        if (keyword == "minItems" && value.size() < rule.get<std::size_t>()) fault(place, "is too short");
        if (keyword == "maxItems" && value.size() > rule.get<std::size_t>()) fault(place, "is too long");
        if (keyword == "items")
            for (std::size_t i = 0; i < value.size(); ++i) check(rule, value[i], place + "[" + std::to_string(i) + "]");
        return true;
    }

    bool check_object(const json& schema, const std::string& keyword, const json& rule, const json& value,
                      const std::string& place) {
        if (keyword != "required" && keyword != "properties" && keyword != "additionalProperties") return false;
        if (!value.is_object()) return true;
        if (keyword == "required") {
            for (const json& name : rule)
                if (!value.contains(name.get<std::string>())) fault(place, "lacks " + name.dump());
        } else if (keyword == "properties") {
            for (const auto& [name, sub] : rule.items())
                if (value.contains(name)) check(sub, value[name], place + "." + name);
        } else if (rule == false) {
            for (const auto& [name, sub] : value.items())
                if (!schema["properties"].contains(name)) fault(place, "has an undocumented " + name);
        }
        return true;
    }

    json root_;
    std::vector<std::string> faults_;
};

}  // namespace fascia::test
