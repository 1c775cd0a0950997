#include "fascia/bundled.h"

#include "design.h"

namespace fascia {

const std::vector<std::string>& bundled_names() {
    static const std::vector<std::string> names{"bunny", "gnome", "bloat", "tube"};
    return names;
}

Result<Character> bundled_character(const std::string& name) {
    if (name == "bunny") return characters::build(characters::bunny_design());
    return usage_error("no bundled character");
}

}  // namespace fascia
