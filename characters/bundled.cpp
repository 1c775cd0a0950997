#include "fascia/bundled.h"

#include "design.h"

namespace fascia {

const std::vector<std::string>& bundled_names() {
    static const std::vector<std::string> names{"bunny", "gnome", "bloat", "tube"};
    return names;
}

Result<Character> bundled_character(const std::string& name) {
    if (name == "bunny") return characters::build(characters::bunny_design());
    if (name == "gnome") return characters::build(characters::gnome_design());
    if (name == "bloat") return characters::build(characters::bloat_design());
    return usage_error("no bundled character");
}

}  // namespace fascia
