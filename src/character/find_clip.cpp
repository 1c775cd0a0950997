#include <algorithm>
#include <cctype>
#include <string>

#include "fascia/pose.h"
#include "fascia/settings.h"

namespace fascia {
namespace {

constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

/// The number that `text` spells, or kNoIndex where it is not a plain small number.
std::size_t parse_index(const std::string& text) {
    const bool digits = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (text.empty() || text.size() > 9 || !digits) return kNoIndex;
    std::size_t value = 0;
    for (char c : text) value = value * 10 + static_cast<std::size_t>(c - '0');
    return value;
}

/// The clips' names for a message; a file may have a hundred of them.
std::string list_names(const Character& character) {
    constexpr std::size_t kShown = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(kShown, character.clips.size()); ++i)
        out += (i ? ", " : "") + std::to_string(i) + " \"" + character.clips[i].name + "\"";
    if (character.clips.size() > kShown) out += " and " + std::to_string(character.clips.size() - kShown) + " more";
    return out;
}

}  // namespace

Result<const Clip*> find_clip(const Character& character, const std::string& name_or_index) {
    for (const Clip& clip : character.clips)
        if (clip.name == name_or_index) return &clip;
    if (character.clips.empty())
        return input_error("\"" + character.name + "\" has no clip; give a motion file, such as --motion walk.bvh");
    const std::size_t index = parse_index(name_or_index);
    if (index < character.clips.size()) return &character.clips[index];
    if (index != kNoIndex) {
        return usage_error("\"" + character.name + "\" has no clip " + name_or_index + "; choose one of " +
                           list_names(character));
    }
    std::vector<std::string> names;
    for (const Clip& clip : character.clips) names.push_back(clip.name);
    return usage_error("\"" + character.name + "\" has no clip \"" + name_or_index + "\"; did you mean \"" +
                       nearest_name(name_or_index, names) + "\"? It has " + list_names(character));
}

}  // namespace fascia
