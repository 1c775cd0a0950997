// The presets: how a character feels before any tuning.
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
    // A face that swings like a belly looks like a mask coming off, since there is a skull below it. Whatever stands
    // out from the skull (ears without their own joint) still follows through.
    std::vector<Flesh::Entry> out{{"*head*", {{"amount", 0.3}, {"bone_width", 0.2}}}, {"*neck*", {{"amount", 0.3}}}};
    // These are little but bone and skin, and they touch things: they must be exactly where the animator put them.
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

/// Projections and stiffness; a layer is as thick as the next one is projected deeper.
struct PublishedLayers {
    double fat, muscle, bone;  ///< projections
    Row k_s;
    double iterations;
};
/// [Deul 2013, table 1]
constexpr PublishedLayers paper_arm{.15, .45, .8, {.7, .6, .8}, 20};
constexpr PublishedLayers paper_hand{.1, .5, .8, {.9, .8, .8}, 15};
constexpr PublishedLayers paper_big_man{.25, .55, .8, {.9, .6, .7}, 15};
constexpr double published_budget = 100000;  ///< points: the surface itself, not a simpler one

Flesh paper(const std::string& name, const PublishedLayers& table) {
    Flesh flesh;
    flesh.preset = name;
    flesh.values = {{"mode", std::string("paper")},
                    {"point_budget", published_budget},
                    {"iterations", table.iterations},
                    {"bone_depth", table.bone}};
    flesh.layers = make_layers(default_damping, table.k_s, {.95, .95, .95});
    const double thick[3] = {table.bone - table.muscle, table.muscle - table.fat, table.fat};
    for (std::size_t k = 0; k < 3; ++k) flesh.layers[k].values.push_back({"share", thick[k]});
    return flesh;
}

}  // namespace

const std::vector<std::string>& preset_names() {
    static const std::vector<std::string> names{"default",     "soft",        "firm",         "jelly",
                                                "paper-bunny", "paper-smurf", "paper-bloat",  "paper-lattice",
                                                "paper-arm",   "paper-hand",  "paper-big-man"};
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
    if (name == "paper-arm") return paper(name, paper_arm);
    if (name == "paper-hand") return paper(name, paper_hand);
    if (name == "paper-big-man") return paper(name, paper_big_man);
    return usage_error("there is no preset '" + name + "'; did you mean '" + nearest_name(name, preset_names()) + "'?");
}

}  // namespace fascia
