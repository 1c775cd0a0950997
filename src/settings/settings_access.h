// Settings by name, through a field table: read, written, checked, compared, and as bytes.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "fascia/result.h"
#include "settings/field_table.h"

namespace fascia {

/// A `--set` key in its pieces. "parts.upper.arm.muscle" -> part, upper.arm, muscle: names may hold dots, groups and
/// fields do not.
struct FieldKey {
    FieldScope scope = FieldScope::whole;
    std::string entry, field;
};
/// Nothing where the key has a group that does not exist.
std::optional<FieldKey> split_key(const std::string& key);

/// What stands between the first and the last dot, for suggestions; empty where nothing does.
std::string entry_in(const std::string& key);

/// Every key that a table takes; `layers` are those there are, `joint` stands in for the joints.
std::vector<std::string> keys_of(const FieldTable& table, const std::vector<std::string>& layers,
                                 const std::string& joint);

/// The error names the nearest key.
Status set_by_key(const FieldTable& table, void* settings, const std::string& key, const std::string& value);
Result<std::string> get_by_key(const FieldTable& table, const void* settings, const std::string& key);

/// Every value in its range.
Status check_ranges(const FieldTable& table, const void* settings);

/// What a field of parts amounts to at one joint: what the last part that matches says, else the field of the whole body
/// of the same key.
std::optional<FieldValue> part_value(const FieldTable& table, const void* settings, const std::string& key,
                                     const std::string& joint);

/// The key of a field that bind built in and that differs, or nothing.
std::string built_in_difference(const FieldTable& table, const void* had, const void* asked,
                                const std::vector<std::string>& joints);

void write_settings(const FieldTable& table, const void* settings, ByteWriter& out);
/// Kinds and ranges are checked; `settings` is as its method makes it.
Status read_settings(const FieldTable& table, void* settings, ByteReader& in);

}  // namespace fascia
