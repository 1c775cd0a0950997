// A method's entry in the registry: everything the rest of Fascia knows about it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "fascia/method.h"
#include "settings/field_table.h"

namespace fascia {

struct Method {
    MethodInfo info;
    FieldTable fields;
    std::uint32_t file_version = 1;  ///< of what save_content writes; raised whenever that changes
    /// If all that is new in this version is one field of the whole body: its key. Files of the previous version are
    /// then read with its default value.
    std::string new_field;
    std::function<Settings()> usual;
    std::function<Result<RigPtr>(const Character&, const Settings&, const BindInputs&)> bind;
    /// Makes a rig from its settings and what Rig::save_content wrote; the error does not name the file.
    std::function<Result<RigPtr>(const Settings&, ByteReader&)> load;
    /// Checks what ranges cannot express. character may be null.
    std::function<Status(const Settings&, const Character*)> check;
    /// Fills in what a struct written in code leaves open.
    std::function<void(Settings&)> complete;
};

/// The functions of a method, in terms of its own struct.
template <class Own>
struct MethodFunctions {
    Result<RigPtr> (*bind)(const Character&, const Own&, const BindInputs&);
    Result<RigPtr> (*load)(const Own&, ByteReader&);
    Status (*check)(const Own&, const Character*) = nullptr;
    void (*complete)(Own&) = nullptr;
};

template <class Own>
Method make_method(MethodInfo info, const FieldsOf<Own>& fields, std::uint32_t file_version,
                   MethodFunctions<Own> functions) {
    Method out;
    info.name = Own::method;
    out.info = std::move(info);
    out.fields = fields.table();
    for (const Field& field : out.fields.fields) out.info.fields.push_back(field.info);
    out.file_version = file_version;
    out.usual = [] {
        Own usual;  // named, because gcc 12 thinks parts of a temporary are uninitialised
        return Settings(std::move(usual));
    };
    out.bind = [functions](const Character& character, const Settings& settings, const BindInputs& inputs) {
        return functions.bind(character, *settings.as<Own>(), inputs);
    };
    out.load = [functions](const Settings& settings, ByteReader& in) {
        return functions.load(*settings.as<Own>(), in);
    };
    out.check = [functions](const Settings& settings, const Character* character) {
        return functions.check ? functions.check(*settings.as<Own>(), character) : ok_status();
    };
    out.complete = [functions](Settings& settings) {
        if (functions.complete) functions.complete(*settings.as<Own>());
    };
    return out;
}

}  // namespace fascia
