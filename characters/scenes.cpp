#include "scenes.h"

#include "fascia/io.h"

namespace fascia {
namespace {

// clang-format off
/// Ears whose upper halves swing.
const char* const bunny_anatomy = R"({
  "unit": 0.4,
  "bodies": [
    {"name": "left_root", "joint": "left_ear", "capsule": {"from": [0.125, 1.42, -0.02],
     "to": [0.155, 1.56, -0.04], "radius": 0.05}},
    {"name": "left_middle", "joint": "left_ear", "free": true, "capsule": {"from": [0.16, 1.62, -0.046],
     "to": [0.195, 1.8, -0.062], "radius": 0.035}},
    {"name": "left_tip", "joint": "left_ear", "free": true, "capsule": {"from": [0.2, 1.85, -0.066],
     "to": [0.222, 1.96, -0.076], "radius": 0.025}},
    {"name": "right_root", "joint": "right_ear", "capsule": {"from": [-0.125, 1.42, -0.02],
     "to": [-0.155, 1.56, -0.04], "radius": 0.05}},
    {"name": "right_middle", "joint": "right_ear", "free": true, "capsule": {"from": [-0.16, 1.62, -0.046],
     "to": [-0.195, 1.8, -0.062], "radius": 0.035}},
    {"name": "right_tip", "joint": "right_ear", "free": true, "capsule": {"from": [-0.2, 1.85, -0.066],
     "to": [-0.222, 1.96, -0.076], "radius": 0.025}}
  ],
  "joints": [
    {"a": "left_root", "b": "left_middle", "at": [0.157, 1.59, -0.043], "axis": [0.17, 1, -0.08], "limit": 50},
    {"a": "left_middle", "b": "left_tip", "at": [0.198, 1.825, -0.064], "axis": [0.17, 1, -0.08], "limit": 50},
    {"a": "right_root", "b": "right_middle", "at": [-0.157, 1.59, -0.043], "axis": [-0.17, 1, -0.08], "limit": 50},
    {"a": "right_middle", "b": "right_tip", "at": [-0.198, 1.825, -0.064], "axis": [-0.17, 1, -0.08], "limit": 50}
  ],
  "muscles": [
    {"name": "left_ear", "young": 30000.0,
     "sweep": {"path": [[0.13, 1.44, -0.03], [0.18, 1.72, -0.054], [0.225, 1.98, -0.077]],
     "radii": [0.05, 0.05, 0.035], "segments": 10}, "attach": [{"body": "left_root",
     "within": 0.03}, {"body": "left_middle", "within": 0.03}, {"body": "left_tip", "within": 0.02}]},
    {"name": "right_ear", "young": 30000.0,
     "sweep": {"path": [[-0.13, 1.44, -0.03], [-0.18, 1.72, -0.054], [-0.225, 1.98, -0.077]],
     "radii": [0.05, 0.05, 0.035], "segments": 10}, "attach": [{"body": "right_root",
     "within": 0.03}, {"body": "right_middle", "within": 0.03}, {"body": "right_tip", "within": 0.02}]}
  ],
  "skin": {"reach": 0.12}
}
)";

/// A hat of felt with a bobble, bent by its own weight.
const char* const gnome_anatomy = R"({
  "unit": 0.5,
  "bodies": [
    {"name": "brim", "joint": "hat", "capsule": {"from": [0, 1.32, -0.02], "to": [0, 1.44, -0.03], "radius": 0.15}},
    {"name": "cone", "joint": "hat", "free": true, "capsule": {"from": [0.002, 1.56, -0.045],
     "to": [0.018, 1.68, -0.065], "radius": 0.07}},
    {"name": "fold", "joint": "hat", "free": true, "capsule": {"from": [0.04, 1.78, -0.074],
     "to": [0.1, 1.87, -0.079], "radius": 0.04}},
    {"name": "end", "joint": "hat", "free": true, "capsule": {"from": [0.17, 1.918, -0.075],
     "to": [0.25, 1.933, -0.057], "radius": 0.025}},
    {"name": "bobble", "joint": "hat", "free": true, "ellipsoid": {"centre": [0.335, 1.925, -0.04],
     "radii": [0.055, 0.055, 0.055]}}
  ],
  "joints": [
    {"a": "brim", "b": "cone", "at": [0, 1.48, -0.038], "axis": [0, 1, -0.1], "limit": 30},
    {"a": "cone", "b": "fold", "at": [0.022, 1.73, -0.071], "axis": [0.4, 1, -0.1], "limit": 40},
    {"a": "fold", "b": "end", "at": [0.13, 1.9, -0.079], "axis": [1, 0.4, 0], "limit": 60},
    {"a": "end", "b": "bobble", "at": [0.285, 1.938, -0.05], "axis": [1, 0, 0.2], "limit": 60}
  ],
  "muscles": [
    {"name": "felt", "young": 30000.0, "density": 300,
     "sweep": {"path": [[0, 1.36, -0.025], [0, 1.5, -0.04], [0.02, 1.72, -0.07], [0.12, 1.905, -0.08],
     [0.29, 1.94, -0.05]], "radii": [0.2, 0.17, 0.1, 0.055, 0.035], "segments": 16}, "attach": [{"body": "brim",
     "within": 0.06}, {"body": "cone", "within": 0.05}, {"body": "fold", "within": 0.04}, {"body": "end",
     "within": 0.03}, {"body": "bobble", "within": 0.02}]}
  ],
  "skin": {"reach": 0.16}
}
)";

/// A tail, and a throat whose larynx two actuators lift and lower.
const char* const bloat_anatomy = R"({
  "unit": 0.4,
  "bodies": [
    {"name": "pelvis", "joint": "hips", "ellipsoid": {"centre": [0, 0.5, -0.2], "radii": [0.3, 0.3, 0.25]}},
    {"name": "tail1", "joint": "tail", "free": true, "capsule": {"from": [0, 0.44, -0.52], "to": [0, 0.38, -0.7],
     "radius": 0.05}},
    {"name": "tail2", "joint": "tail", "free": true, "capsule": {"from": [0, 0.36, -0.74], "to": [0, 0.41, -0.92],
     "radius": 0.04}},
    {"name": "tail3", "joint": "tail", "free": true, "capsule": {"from": [0, 0.43, -0.95], "to": [0, 0.56, -1.03],
     "radius": 0.03}},
    {"name": "tip", "joint": "tail", "free": true, "ellipsoid": {"centre": [0, 0.66, -1.06],
     "radii": [0.05, 0.07, 0.05]}},
    {"name": "jaw", "joint": "head", "capsule": {"from": [-0.2, 0.98, 0.5], "to": [0.2, 0.98, 0.5], "radius": 0.05}},
    {"name": "breast", "joint": "spine", "capsule": {"from": [-0.15, 0.6, 0.48], "to": [0.15, 0.6, 0.48],
     "radius": 0.06}},
    {"name": "larynx", "joint": "chest", "free": true, "ellipsoid": {"centre": [0, 0.79, 0.58],
     "radii": [0.07, 0.06, 0.05]}}
  ],
  "joints": [
    {"a": "pelvis", "b": "tail1", "at": [0, 0.46, -0.46], "axis": [0, -0.2, -1], "limit": 40},
    {"a": "tail1", "b": "tail2", "at": [0, 0.36, -0.72], "axis": [0, 0, -1], "limit": 50},
    {"a": "tail2", "b": "tail3", "at": [0, 0.42, -0.94], "axis": [0, 0.5, -1], "limit": 50},
    {"a": "tail3", "b": "tip", "at": [0, 0.59, -1.04], "axis": [0, 1, 0], "limit": 50}
  ],
  "muscles": [
    {"name": "tail", "young": 50000.0,
     "sweep": {"path": [[0, 0.47, -0.4], [0, 0.36, -0.74], [0, 0.42, -0.95], [0, 0.58, -1.04]],
     "radii": [0.14, 0.09, 0.055, 0.035], "segments": 14}, "attach": [{"body": "pelvis",
     "within": 0.06}, {"body": "tail1", "within": 0.05}, {"body": "tail2", "within": 0.05}, {"body": "tail3",
     "within": 0.04}, {"body": "tip", "within": 0.02}]},
    {"name": "left_strap", "young": 20000.0,
     "sweep": {"path": [[0.13, 0.96, 0.52], [0.05, 0.79, 0.6], [0.1, 0.62, 0.52]], "radii": [0.03], "segments": 8},
     "attach": [{"body": "jaw", "within": 0.05}, {"body": "larynx", "within": 0.04}, {"body": "breast",
     "within": 0.06}]},
    {"name": "right_strap", "young": 20000.0,
     "sweep": {"path": [[-0.13, 0.96, 0.52], [-0.05, 0.79, 0.6], [-0.1, 0.62, 0.52]], "radii": [0.03],
     "segments": 8}, "attach": [{"body": "jaw", "within": 0.05}, {"body": "larynx",
     "within": 0.04}, {"body": "breast", "within": 0.06}]}
  ],
  "actuators": [
    {"name": "lift", "a": "jaw", "b": "larynx", "from": [0, 0.98, 0.52], "to": [0, 0.84, 0.58], "f0": 12,
     "damping": 2},
    {"name": "lower", "a": "breast", "b": "larynx", "from": [0, 0.6, 0.5], "to": [0, 0.74, 0.58], "f0": 4,
     "damping": 2}
  ],
  "springs": [
    {"a": "jaw", "b": "larynx", "from": [0.12, 0.98, 0.5], "to": [-0.05, 0.81, 0.56], "stiffness": 60, "damping": 1},
    {"a": "jaw", "b": "larynx", "from": [-0.12, 0.98, 0.5], "to": [0.05, 0.81, 0.56], "stiffness": 60, "damping": 1},
    {"a": "breast", "b": "larynx", "from": [0.12, 0.6, 0.46], "to": [-0.05, 0.77, 0.56], "stiffness": 60,
     "damping": 1},
    {"a": "breast", "b": "larynx", "from": [-0.12, 0.6, 0.46], "to": [0.05, 0.77, 0.56], "stiffness": 60,
     "damping": 1}
  ],
  "skin": {"reach": 0.16}
}
)";

// clang-format on

}  // namespace

std::string bundled_anatomy(const std::string& name) {
    if (name == "bunny") return bunny_anatomy;
    if (name == "gnome") return gnome_anatomy;
    if (name == "bloat") return bloat_anatomy;
    return "";
}

Character characters::with_anatomy(Character character) {
    const std::string text = bundled_anatomy(character.name);
    if (!text.empty())
        character.scene = std::make_shared<const AnatomyScene>(*parse_anatomy(text, character.name + ".anatomy.json"));
    return character;
}

}  // namespace fascia
