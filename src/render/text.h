// Smooth text on an image.
#pragma once

#include <string>
#include <string_view>

#include "fascia/picture.h"

namespace fascia::picture {

struct TextStyle {
    double cap_height = 10;              ///< pixels
    double stroke = 1.3;                 ///< pixels
    Vec4 color{0.03f, 0.03f, 0.04f, 1};  ///< linear
};

/// Pixels from the first stroke to the last.
double text_width(std::string_view text, const TextStyle& style);

/// Draws UTF-8 text with its left end at x and its baseline at y, clipped to the image.
void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style);

/// The text, or as much of its beginning as fits into `width` together with three dots.
std::string shortened(const std::string& text, double width, const TextStyle& style);

}  // namespace fascia::picture
