// The options that bake and compare share, and what they mean for one character.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "fascia/character.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "fascia/result.h"
#include "fascia/settings.h"
#include "picture_options.h"

namespace fascia::cli {

struct BakeOptions {
    std::string character;
    std::string method = "layers";
    std::string motion;  ///< empty: the first clip
    std::optional<double> fps, from, to, settle;
    bool loop = false;
    std::string flesh_file, preset = "default", mode;
    std::vector<std::string> sets;
    std::string weights;                 ///< empty: the method's own choice
    std::vector<std::string> subdivide;  ///< JOINT=1:3 or JOINT=1:4
    std::vector<std::string> attach;     ///< files of further meshes
    std::string map_file, bvh_rest = "auto", clear = "on";
    bool raw_motion = false;
    int threads = 0;  ///< 0: one per core
    std::string color;
    PictureOptions pictures;
    bool quiet = false;
    EmbedOptions embed;
    bool rectify = false;
    bool floor = false;
    std::string collider_file;

    // For bake only.
    std::vector<std::string> outputs;
    std::string report, preview, axes = "gltf";
    bool split = false;
};

void add_character(CLI::App& app, std::string& character);
void add_shared_options(CLI::App& app, BakeOptions& options);
void add_output_options(CLI::App& app, BakeOptions& options);

/// hero.glb -> hero.flesh.json, if both exist.
std::optional<std::string> flesh_beside(const std::string& character);

/// Defaults, preset, the file beside the character, --flesh, --mode, --set, in this order; checked against the
/// character. `methods`: those that will be bound.
Result<Flesh> resolve_flesh(const BakeOptions& options, const Character& character,
                            const std::vector<std::string>& methods);
/// The error suggests the nearest method.
Status check_method(const std::string& method);

int thread_count(const BakeOptions& options);

}  // namespace fascia::cli
