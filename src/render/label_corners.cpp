#include <algorithm>

#include "fascia/picture.h"
#include "render/color.h"
#include "render/text.h"

namespace fascia {
namespace {

/// Dark letters with a light rim, which can be read over any figure.
void draw_rimmed(Image& image, double x, double baseline, const std::string& text, double cap_height) {
    const double stroke = std::max(1.4, 0.13 * cap_height);
    picture::draw_text(image, x, baseline, text,
                       {cap_height, stroke + 0.34 * cap_height, picture::linear_of_hex(0xeef0f3)});
    picture::draw_text(image, x, baseline, text, {cap_height, stroke, picture::linear_of_hex(0x1d1f24)});
}

}  // namespace

void label_corners(Image& image, const std::string& left, const std::string& right) {
    const double cap_height = std::clamp(std::min(image.width, image.height) / 32.0, 10.0, 60.0);
    const picture::TextStyle style{cap_height, 0, {}};
    const double margin = 1.2 * cap_height, baseline = margin + cap_height;
    const double room = image.width - 2 * margin, right_width = picture::text_width(right, style);
    const double gap = right.empty() ? 0 : 2 * cap_height;
    draw_rimmed(image, margin, baseline, picture::shortened(left, std::max(0.0, room - right_width - gap), style),
                cap_height);
    draw_rimmed(image, margin + std::max(0.0, room - right_width), baseline, picture::shortened(right, room, style),
                cap_height);
}

}  // namespace fascia
