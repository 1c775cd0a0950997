// From JSON text to events.
#pragma once

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace fascia::io {

/// What `json::sax_parse` does with text. That function also compiles readers for five binary formats, which are more
/// code than the reader for text.
template <class Handler>
bool parse_text(std::string_view text, Handler& handler) {
    auto input = nlohmann::detail::input_adapter(text.begin(), text.end());
    return nlohmann::detail::parser<nlohmann::json, decltype(input)>(std::move(input)).sax_parse(&handler);
}

}  // namespace fascia::io
