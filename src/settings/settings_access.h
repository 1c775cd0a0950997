// Settings by name, through a field table: read, written, checked, compared, and converted to bytes.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "fascia/result.h"
#include "settings/field_table.h"

namespace fascia {

/// A `--set` key in its pieces. "parts.upper.arm.muscle" -> part, upper.arm, muscle: names may contain dots, groups and
/// fields do not.
struct FieldKey {
    FieldScope scope = FieldScope::whole;
    std::string entry, field;
};
/// No value if the key has a group that does not exist.
std::optional<FieldKey> split_key(const std::string& key);

/// The text between the first and the last dot, for suggestions; empty if there is none.
std::string entry_in(const std::string& key);

/// Every key that a table takes; `layers` are the existing ones, `joint` stands for any joint.
std::vector<std::string> keys_of(const FieldTable& table, const std::vector<std::string>& layers,
                                 const std::string& joint);

/// The error names the nearest key.
Status set_by_key(const FieldTable& table, void* settings, const std::string& key, const std::string& value);
Result<std::string> get_by_key(const FieldTable& table, const void* settings, const std::string& key);

/// Checks that every value is in its range.
Status check_ranges(const FieldTable& table, const void* settings);

/// The value of a part field at one joint: from the last part that matches, otherwise from the same key for the whole
/// body.
std::optional<FieldValue> part_value(const FieldTable& table, const void* settings, const std::string& key,
                                     const std::string& joint);

/// The key of a field that is fixed at bind and differs, if any.
std::string built_in_difference(const FieldTable& table, const void* had, const void* asked,
                                const std::vector<std::string>& joints);

void write_settings(const FieldTable& table, const void* settings, ByteWriter& out);
/// Checks kinds and ranges; `settings` must be as its method makes them.
Status read_settings(const FieldTable& table, void* settings, ByteReader& in);

}  // namespace fascia
