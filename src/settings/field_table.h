// The fields of a settings struct: what each one is, and how to reach it in a struct of unknown type. Built once per
// method from pointers to members; everything that reads or writes settings by name goes through it.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fascia/fields.h"

namespace fascia {

/// One field. `owner` is the settings struct, or the entry of one of its lists.
struct Field {
    FieldInfo info;
    std::function<std::optional<FieldValue>(const void* owner)> get;
    std::function<void(void* owner, const std::optional<FieldValue>& value)> set;  ///< must be of the field's kind
    bool follows = false;  ///< another name for the values of other fields, which are what rig files store
};

/// A list of named entries in a settings struct: its layers, parts or joints.
struct EntryList {
    FieldScope scope = FieldScope::layer;
    std::function<std::size_t(const void* settings)> size;
    std::function<void*(void* settings, std::size_t index)> entry;
    std::function<std::string&(void* entry)> name;
    std::function<void*(void* settings)> add;  ///< appended
    std::function<void(void* settings)> clear;

    const void* at(const void* settings, std::size_t index) const {
        return entry(const_cast<void*>(settings), index);  // read only
    }
    const std::string& name_of(const void* one) const { return name(const_cast<void*>(one)); }
};

struct FieldTable {
    std::vector<Field> fields;  ///< in the order of setting: fields that others depend on come first
    std::vector<EntryList> lists;

    const Field* find(FieldScope scope, const std::string& key) const;
    const EntryList* list(FieldScope scope) const;
};

struct Range {
    double min, max;
};
enum class Use { live, built_in };

// ---- building a table ----------------------------------------------------------------------------------------------
namespace field_detail {

/// Converts a member to a FieldValue and back. Enumerations are converted by their index among the names of the
/// choices.
template <class T>
std::optional<FieldValue> read_member(const T& member, const FieldInfo& info) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
        if (info.automatic && member == T(automatic)) return FieldValue(std::string("auto"));
    if constexpr (std::is_same_v<T, std::optional<double>>) {
        if (!member) return std::nullopt;
        return FieldValue(*member);
    } else if constexpr (std::is_enum_v<T>) {
        return FieldValue(info.choices[std::size_t(member)]);
    } else if constexpr (std::is_same_v<T, int>) {
        return FieldValue(double(member));
    } else {
        return FieldValue(member);
    }
}

template <class T>
void write_member(T& member, const std::optional<FieldValue>& value, const FieldInfo& info) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
        if (std::holds_alternative<std::string>(*value)) {  // "auto"
            member = T(automatic);
            return;
        }
    if constexpr (std::is_same_v<T, std::optional<double>>) {
        member = value ? std::optional<double>(std::get<double>(*value)) : std::nullopt;
    } else if constexpr (std::is_enum_v<T>) {
        for (std::size_t k = 0; k < info.choices.size(); ++k)
            if (info.choices[k] == std::get<std::string>(*value)) member = T(k);
    } else if constexpr (std::is_same_v<T, int>) {
        member = int(std::get<double>(*value));
    } else {
        member = std::get<T>(*value);
    }
}

}  // namespace field_detail

/// Declares the fields of one owner: a settings struct, or the entries of one of its lists.
template <class Owner>
class FieldsOf {
public:
    explicit FieldsOf(FieldScope scope = FieldScope::whole) : scope_(scope) {}

    template <class T, class Base>
    FieldsOf& number(const char* key, T Base::*member, Range range, Use use, const char* unit, const char* meaning) {
        const FieldKind kind = std::is_same_v<T, int> ? FieldKind::whole : FieldKind::number;
        return add(info(key, kind, use, unit, meaning, range), member);
    }
    /// A number that bind chooses if it equals `automatic`.
    template <class T, class Base>
    FieldsOf& number_or_auto(const char* key, T Base::*member, Range range, Use use, const char* unit,
                             const char* meaning) {
        const FieldKind kind = std::is_same_v<T, int> ? FieldKind::whole : FieldKind::number;
        FieldInfo stated = info(key, kind, use, unit, meaning, range);
        stated.automatic = true;
        return add(std::move(stated), member);
    }
    FieldsOf& boolean(const char* key, bool Owner::*member, Use use, const char* meaning) {
        return add(info(key, FieldKind::boolean, use, "", meaning), member);
    }
    template <class T, class Base>
    FieldsOf& choice(const char* key, T Base::*member, std::vector<std::string> choices, Use use, const char* meaning) {
        return add(choice_info(key, std::move(choices), use, meaning), member);
    }
    FieldsOf& text(const char* key, std::string Owner::*member, Use use, const char* meaning) {
        return add(info(key, FieldKind::text, use, "", meaning), member);
    }
    FieldsOf& vector(const char* key, Vec3d Owner::*member, Range range, Use use, const char* unit,
                     const char* meaning) {
        return add(info(key, FieldKind::vector, use, unit, meaning, range), member);
    }
    /// A choice that also changes other fields when it is set.
    template <class T, class Base, class Set>
    FieldsOf& choice(const char* key, T Base::*member, std::vector<std::string> choices, Use use, const char* meaning,
                     Set set) {
        add(choice_info(key, std::move(choices), use, meaning), member);
        Field& field = fields_.back();
        const FieldInfo info = field.info;
        field.set = [set, info](void* owner, const std::optional<FieldValue>& value) {
            T wanted{};
            field_detail::write_member(wanted, value, info);
            set(*static_cast<Owner*>(owner), wanted);
        };
        return *this;
    }
    /// A choice that stands for values of other fields: get(owner) and set(owner, index) know which.
    template <class Get, class Set>
    FieldsOf& named_values(const char* key, std::vector<std::string> choices, Use use, const char* meaning, Get get,
                           Set set) {
        Field field;
        field.info = choice_info(key, std::move(choices), use, meaning);
        field.info.usual = FieldValue(field.info.choices[get(Owner{})]);
        field.follows = true;
        field.get = [get, names = field.info.choices](const void* owner) -> std::optional<FieldValue> {
            return FieldValue(names[get(*static_cast<const Owner*>(owner))]);
        };
        field.set = [set, names = field.info.choices](void* owner, const std::optional<FieldValue>& value) {
            for (std::size_t k = 0; k < names.size(); ++k)
                if (names[k] == std::get<std::string>(*value)) set(*static_cast<Owner*>(owner), k);
        };
        fields_.push_back(std::move(field));
        return *this;
    }
    /// The entries of a list, each with the fields of `of_entries`.
    template <class Base, class Entry>
    FieldsOf& list(std::vector<Entry> Base::*member, std::string Entry::*name, const FieldsOf<Entry>& of_entries) {
        const auto of = [member](void* settings) -> std::vector<Entry>& {
            return static_cast<Owner*>(settings)->*member;
        };
        EntryList list;
        list.scope = of_entries.scope_;
        list.size = [of](const void* settings) { return of(const_cast<void*>(settings)).size(); };
        list.entry = [of](void* settings, std::size_t index) -> void* { return &of(settings)[index]; };
        list.name = [name](void* entry) -> std::string& { return static_cast<Entry*>(entry)->*name; };
        list.add = [of](void* settings) -> void* { return &of(settings).emplace_back(); };
        list.clear = [of](void* settings) { of(settings).clear(); };
        lists_.push_back(std::move(list));
        fields_.insert(fields_.end(), of_entries.fields_.begin(), of_entries.fields_.end());
        return *this;
    }

    FieldTable table() const { return {fields_, lists_}; }

private:
    template <class Other>
    friend class FieldsOf;

    FieldInfo info(const char* key, FieldKind kind, Use use, const char* unit, const char* meaning,
                   Range range = {0, 0}) const {
        FieldInfo out;
        out.key = key;
        out.scope = scope_;
        out.kind = kind;
        out.min = range.min;
        out.max = range.max;
        out.live = use == Use::live;
        out.unit = unit;
        out.meaning = meaning;
        return out;
    }
    FieldInfo choice_info(const char* key, std::vector<std::string> choices, Use use, const char* meaning) const {
        FieldInfo out = info(key, FieldKind::choice, use, "", meaning);
        out.choices = std::move(choices);
        return out;
    }

    template <class T, class Base>
    FieldsOf& add(FieldInfo info, T Base::*inherited) {
        T Owner::*member = inherited;
        const Owner usual;  // named, because gcc 12 thinks parts of a temporary are uninitialised
        info.usual = field_detail::read_member(usual.*member, info);
        Field field;
        field.get = [member, info](const void* owner) {
            return field_detail::read_member(static_cast<const Owner*>(owner)->*member, info);
        };
        field.set = [member, info](void* owner, const std::optional<FieldValue>& value) {
            field_detail::write_member(static_cast<Owner*>(owner)->*member, value, info);
        };
        field.info = std::move(info);
        fields_.push_back(std::move(field));
        return *this;
    }

    FieldScope scope_;
    std::vector<Field> fields_;
    std::vector<EntryList> lists_;
};

}  // namespace fascia
