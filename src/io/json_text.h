// From JSON text to events.
#pragma once

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/kept_json.h"

namespace fascia::io {

/// What `json::sax_parse` does with text. That function also compiles readers for five binary formats, which are more
/// code than the reader for text.
template <class Handler>
bool parse_text(std::string_view text, Handler& handler) {
    auto input = nlohmann::detail::input_adapter(text.begin(), text.end());
    return nlohmann::detail::parser<nlohmann::json, decltype(input)>(std::move(input)).sax_parse(&handler);
}

/// Into a tree that has an owner from the beginning, so that a text that is read only in part does no harm when memory
/// has run out. False for what is not JSON.
inline bool parse_kept(std::string_view text, KeptJson& out) {
    nlohmann::detail::json_sax_dom_parser<nlohmann::json> tree(*out, false);
    return parse_text(text, tree);
}

}  // namespace fascia::io
