// The presets: how a character feels before anyone tunes it.
#include "fascia/settings.h"

namespace fascia {

namespace {

struct Row {
    double muscle, fat, skin;
};

Flesh::Entry layer(const char* name, double ratio, double stiffness, double keep) {
    return {name, {{"frequency", std::string("auto")}, {"damping", ratio}, {"k_s", stiffness}, {"k_d", keep}}};
}

std::vector<Flesh::Entry> make_layers(Row damping, Row k_s, Row k_d) {
    return {layer("muscle", damping.muscle, k_s.muscle, k_d.muscle), layer("fat", damping.fat, k_s.fat, k_d.fat),
            layer("skin", damping.skin, k_s.skin, k_d.skin)};
}

// Table 2 of the publication. The bunny's row also serves the physical presets when they are used in paper mode.
/// [Iwamoto 2015, table 2]
constexpr Row bunny_k_s{1.8, 0.5, 1.7}, bunny_k_d{.6, .5, .4};
constexpr Row smurf_k_s{3.2, 1.2, 2.8}, smurf_k_d{.4, .5, .7};
constexpr Row bloat_k_s{3.3, 0.7, 3.0}, bloat_k_d{.7, .5, .6};
constexpr Row default_damping{.20, .15, .15};

std::vector<Flesh::Entry> bony_parts() {
    // A face that swings like a belly looks like a mask coming off: there is a skull below it. Whatever stands off the
    // skull (ears without a joint of their own) still follows through.
    std::vector<Flesh::Entry> out{{"*head*", {{"amount", 0.3}, {"bone_width", 0.2}}}, {"*neck*", {{"amount", 0.3}}}};
    // Little but bone and skin, and they touch things: they must be exactly where the animator put them.
    for (const char* end : {"*hand*", "*wrist*", "*finger*", "*thumb*", "*foot*", "*ankle*", "*toe*"})
        out.push_back({end, {{"amount", 0.2}}});
    return out;
}

Flesh physical(const std::string& name, double tone, Row damping) {
    Flesh flesh;
    flesh.preset = name;
    if (tone != 1) flesh.values = {{"tone", tone}};
    flesh.layers = make_layers(damping, bunny_k_s, bunny_k_d);
    flesh.parts = bony_parts();
    return flesh;
}

Flesh paper(const std::string& name, double resolution, Row k_s, Row k_d) {
    Flesh flesh;
    flesh.preset = name;
    flesh.values = {{"mode", std::string("paper")}, {"resolution", resolution}};
    flesh.layers = make_layers(default_damping, k_s, k_d);
    return flesh;
}

}  // namespace

const std::vector<std::string>& preset_names() {
    static const std::vector<std::string> names{"default",     "soft",        "firm",        "jelly",
                                                "paper-bunny", "paper-smurf", "paper-bloat", "paper-lattice"};
    return names;
}

Result<Flesh> preset(const std::string& name) {
    if (name == "default") return physical(name, 1, default_damping);
    if (name == "soft") return physical(name, 0.7, default_damping);
    if (name == "firm") return physical(name, 1.7, default_damping);
    if (name == "jelly") return physical(name, 0.5, {.07, .07, .07});
    if (name == "paper-bunny") return paper(name, 32, bunny_k_s, bunny_k_d);
    if (name == "paper-smurf") return paper(name, 64, smurf_k_s, smurf_k_d);
    if (name == "paper-bloat") return paper(name, 32, bloat_k_s, bloat_k_d);
    if (name == "paper-lattice") {
        Flesh flesh = paper(name, 32, {.5, .5, .5}, {1, 1, 1});
        for (const auto& [key, value] : {std::pair{"step", 0.016}, {"delta", 0.7}, {"region_damping", 0.25}})
            flesh.values.push_back({key, value});
        return flesh;
    }
    return usage_error("there is no preset '" + name + "'; did you mean '" + nearest_name(name, preset_names()) + "'?");
}

}  // namespace fascia
