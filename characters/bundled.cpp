#include "fascia/bundled.h"

#include "design.h"
#include "fascia/settings.h"
#include "neck.h"

namespace fascia {

const std::vector<std::string>& bundled_names() {
    static const std::vector<std::string> names{"bunny", "gnome", "bloat", "neck", "tube"};
    return names;
}

// Each is built once per process, when it is first asked for: sculpting a body takes up to a second.
Result<Character> bundled_character(const std::string& name) {
    if (name == "bunny") {
        static const Character bunny = characters::build(characters::bunny_design());
        return bunny;
    }
    if (name == "gnome") {
        static const Character gnome = characters::build(characters::gnome_design());
        return gnome;
    }
    if (name == "bloat") {
        static const Character bloat = characters::build(characters::bloat_design());
        return bloat;
    }
    if (name == "neck") {
        static const Character neck = characters::build_neck();
        return neck;
    }
    if (name == "tube") {
        static const Character tube = characters::build_tube();
        return tube;
    }
    return usage_error("There is no bundled character '" + name + "'; did you mean '" +
                       nearest_name(name, bundled_names()) + "'?");
}

}  // namespace fascia
