// Values of fields: from text and to text, and whether they are allowed.
#pragma once

#include <string>

#include "fascia/fields.h"
#include "fascia/result.h"

namespace fascia {

/// `text` as a value of this field; the error calls the field `key` and says what it takes.
Result<FieldValue> parse_value(const FieldInfo& field, const std::string& key, const std::string& text);
/// Of the field's kind and in its range; 0 and 1 pass for booleans and are turned into them.
Status check_value(const FieldInfo& field, const std::string& key, FieldValue& value);

/// "a number from 0 to 1", "one of auto, dqs, lbs": what a field takes, for sentences.
std::string taken_by(const FieldInfo& field);

}  // namespace fascia
