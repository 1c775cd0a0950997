// What the name of a part matches.
#include "fascia/settings.h"

namespace fascia {

const char* key_of(PartName::Of of) {
    constexpr const char* keys[] = {"joint", "mesh", "material"};
    return keys[int(of)];
}

PartName::PartName(const std::string& name) : pattern(name) {
    for (const Of each : {Of::mesh, Of::material}) {
        const std::string prefix = std::string(key_of(each)) + ":";
        if (name.compare(0, prefix.size(), prefix) != 0) continue;
        of = each;
        pattern = name.substr(prefix.size());
    }
}

}  // namespace fascia
