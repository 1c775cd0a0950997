// The presets: what a character feels like before anyone tunes it.
#include "fascia/settings.h"

namespace fascia {

namespace {

struct Row {
    double muscle, fat, skin;
};

std::vector<LayerSettings> make_layers(Row frequency, Row damping, Row k_s, Row k_d) {
    const auto layer = [](const char* name, double hz, double ratio, double stiffness, double keep) {
        LayerSettings out;
        out.name = name;
        out.frequency = hz;
        out.damping = ratio;
        out.k_s = stiffness;
        out.k_d = keep;
        return out;
    };
    return {layer("muscle", frequency.muscle, damping.muscle, k_s.muscle, k_d.muscle),
            layer("fat", frequency.fat, damping.fat, k_s.fat, k_d.fat),
            layer("skin", frequency.skin, damping.skin, k_s.skin, k_d.skin)};
}

// Table 2 of the publication. The bunny's row also serves the physical presets when someone puts them in paper mode.
/// [Iwamoto 2015, table 2]
constexpr Row bunny_k_s{1.8, 0.5, 1.7}, bunny_k_d{.6, .5, .4};
constexpr Row smurf_k_s{3.2, 1.2, 2.8}, smurf_k_d{.4, .5, .7};
constexpr Row bloat_k_s{3.3, 0.7, 3.0}, bloat_k_d{.7, .5, .6};
constexpr Row default_frequency{8, 4, 4.5}, default_damping{.20, .15, .15};

std::vector<PartSettings> bony_parts() {
    std::vector<PartSettings> out;
    const auto add = [&](const char* joint, double amount) {
        PartSettings part;
        part.joint = joint;
        part.amount = amount;
        out.push_back(part);
    };
    // A face that swings like a belly looks like a mask coming off: there is a skull below it. What stands off the
    // skull (ears without a joint of their own) still follows through.
    add("*head*", 0.3);
    out.back().bone_width = 0.2;
    add("*neck*", 0.3);
    // Little but bone and skin, and they touch things: they must be where the animator put them.
    for (const char* end : {"*hand*", "*wrist*", "*finger*", "*thumb*", "*foot*", "*ankle*", "*toe*"}) add(end, 0.2);
    return out;
}

Flesh physical(const std::string& name, Row frequency, Row damping) {
    Flesh flesh;
    flesh.preset = name;
    flesh.layers = make_layers(frequency, damping, bunny_k_s, bunny_k_d);
    flesh.parts = bony_parts();
    return flesh;
}

Flesh paper(const std::string& name, int resolution, Row k_s, Row k_d) {
    Flesh flesh;
    flesh.preset = name;
    flesh.mode = Mode::paper;
    flesh.resolution = resolution;
    flesh.region_width = 3;
    flesh.bone_width = 1;  // voxels in this mode
    flesh.step = 1.0 / 60;
    flesh.layers = make_layers(default_frequency, default_damping, k_s, k_d);
    return flesh;
}

}  // namespace

const std::vector<std::string>& preset_names() {
    static const std::vector<std::string> names{"default",     "soft",        "firm",        "jelly",
                                                "paper-bunny", "paper-smurf", "paper-bloat", "paper-lattice"};
    return names;
}

Result<Flesh> preset(const std::string& name) {
    if (name == "default") return physical(name, default_frequency, default_damping);
    if (name == "soft") return physical(name, {6, 3, 3.5}, default_damping);
    if (name == "firm") return physical(name, {12, 7, 8}, default_damping);
    if (name == "jelly") return physical(name, {4, 2, 2.2}, {.07, .07, .07});
    if (name == "paper-bunny") return paper(name, 32, bunny_k_s, bunny_k_d);
    if (name == "paper-smurf") return paper(name, 64, smurf_k_s, smurf_k_d);
    if (name == "paper-bloat") return paper(name, 32, bloat_k_s, bloat_k_d);
    if (name == "paper-lattice") {
        Flesh flesh = paper(name, 32, {.5, .5, .5}, {1, 1, 1});
        flesh.step = 0.016;
        flesh.delta = 0.7;
        flesh.region_damping = 0.25;
        return flesh;
    }
    return usage_error("there is no preset '" + name + "'; did you mean '" + nearest_name(name, preset_names()) + "'?");
}

}  // namespace fascia
