// How pictures are taken: from where, of what, how large.
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia::cli {

/// Pixels of one cell of a contact sheet, or of a film.
struct PictureSize {
    int width, height;
};

struct PictureOptions {
    std::optional<PictureSize> size;
    std::optional<double> angle;  ///< degrees around the figure: 0 its front, 90 its left side
    std::string close;            ///< joints whose flesh is framed; empty: the whole figure

    PictureSize cell() const { return size.value_or(PictureSize{320, 360}); }
    PictureSize film() const { return size.value_or(PictureSize{720, 720}); }
};

void add_picture_options(CLI::App& app, PictureOptions& options);

/// Checks that --close names a joint of the character.
Status check_close(const PictureOptions& options, const Character& character);

}  // namespace fascia::cli
