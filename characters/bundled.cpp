#include "fascia/bundled.h"

#include "design.h"
#include "fascia/settings.h"

namespace fascia {

const std::vector<std::string>& bundled_names() {
    static const std::vector<std::string> names{"bunny", "gnome", "bloat", "tube"};
    return names;
}

Result<Character> bundled_character(const std::string& name) {
    if (name == "bunny") return characters::build(characters::bunny_design());
    if (name == "gnome") return characters::build(characters::gnome_design());
    if (name == "bloat") return characters::build(characters::bloat_design());
    if (name == "tube") return characters::build_tube();
    return usage_error("There is no bundled character '" + name + "'; did you mean '" +
                       nearest_name(name, bundled_names()) + "'?");
}

}  // namespace fascia
