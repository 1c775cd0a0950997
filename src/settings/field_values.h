// Values of fields: converted from and to text, and checked.
#pragma once

#include <string>

#include "fascia/fields.h"
#include "fascia/result.h"

namespace fascia {

/// Reads `text` as a value of this field; the error calls the field `key` and says what it takes.
Result<FieldValue> parse_value(const FieldInfo& field, const std::string& key, const std::string& text);
/// Checks that the value is of the field's kind and in its range; 0 and 1 are accepted as booleans and converted.
Status check_value(const FieldInfo& field, const std::string& key, FieldValue& value);

/// "a number from 0 to 1", "one of auto, dqs, lbs": what a field takes, for use in sentences.
std::string taken_by(const FieldInfo& field);

}  // namespace fascia
