// Patterns over names: * any run of characters, ? one character, [abc] and [a-z] one of these, [!abc] none of these.
#pragma once

#include <string_view>

namespace fascia {

/// True when the whole of `name` fits `pattern`. Case is ignored: rigs disagree about it and people forget it.
bool glob_match(std::string_view pattern, std::string_view name);

/// True when `pattern` can match more than one name.
bool is_glob(std::string_view pattern);

}  // namespace fascia
