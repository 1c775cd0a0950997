#include "render/text.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "render/color.h"
#include "render/glyphs.h"

namespace fascia::picture {
namespace {

constexpr double grid_caps = 10;    // cap height of the glyph grid
constexpr double letter_space = 2;  // grid units between letters
constexpr int curve_steps = 8;

/// The next code point of UTF-8 text; an invalid byte stands for itself.
unsigned next_code_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned code = length == 1 ? first : first & (0x7fu >> length);
    std::size_t used = 1;
    while (used < length && used < text.size() && (byte(used) & 0xc0) == 0x80)
        code = (code << 6) | (byte(used++) & 0x3f);
    text.remove_prefix(used);
    return code;
}

/// A straight segment of a pen stroke, in pixels.
struct Segment {
    double x0, y0, x1, y1;
};

double distance_to(const Segment& s, double x, double y) {
    const double dx = s.x1 - s.x0, dy = s.y1 - s.y0, length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / length2, 0.0, 1.0) : 0;
    return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

/// Turns the strokes of a glyph (see glyphs.h) into straight segments.
std::vector<Segment> strokes_of(const Glyph& glyph, double x, double y, double scale) {
    std::vector<Segment> segments;
    double pen_x = 0, pen_y = 0;
    const auto add = [&](double to_x, double to_y) {
        segments.push_back({x + pen_x * scale, y - pen_y * scale, x + to_x * scale, y - to_y * scale});
        pen_x = to_x;
        pen_y = to_y;
    };
    const char* p = glyph.strokes;
    const auto number = [&p] {
        while (*p == ' ') ++p;
        double value = 0;
        p += read_number(p, value).length;
        return value;
    };
    while (*p) {
        const char command = *p++;
        const double a = number(), b = number();
        if (command == 'M') {
            pen_x = a;
            pen_y = b;
        } else if (command == 'L') {
            add(a, b);
        } else {
            const double end_x = number(), end_y = number(), start_x = pen_x, start_y = pen_y;
            for (int i = 1; i <= curve_steps; ++i) {
                const double t = static_cast<double>(i) / curve_steps, u = 1 - t;
                add(u * u * start_x + 2 * u * t * a + t * t * end_x, u * u * start_y + 2 * u * t * b + t * t * end_y);
            }
        }
    }
    return segments;
}

void mix_pixel(Image& image, int x, int y, const Vec4& color, double cover) {
    const auto& linear = linear_of_byte();
    std::uint8_t* p =
        &image.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) *
                   3];
    const float ink[3] = {color.x, color.y, color.z};
    const auto c = static_cast<float>(cover);
    for (int k = 0; k < 3; ++k) p[k] = byte_of_linear(linear[p[k]] + (ink[k] - linear[p[k]]) * c);
}

void draw_strokes(Image& image, const std::vector<Segment>& segments, const TextStyle& style) {
    if (segments.empty()) return;
    const double radius = style.stroke / 2;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (const Segment& s : segments) {
        left = std::min({left, s.x0, s.x1}), right = std::max({right, s.x0, s.x1});
        top = std::min({top, s.y0, s.y1}), bottom = std::max({bottom, s.y0, s.y1});
    }
    const double reach = radius + 1;
    const int x0 = std::max(0, static_cast<int>(std::floor(left - reach)));
    const int x1 = std::min(image.width - 1, static_cast<int>(std::ceil(right + reach)));
    const int y0 = std::max(0, static_cast<int>(std::floor(top - reach)));
    const int y1 = std::min(image.height - 1, static_cast<int>(std::ceil(bottom + reach)));
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            double nearest = 1e9;
            for (const Segment& s : segments) nearest = std::min(nearest, distance_to(s, x + 0.5, y + 0.5));
            const double cover = std::clamp(radius - nearest + 0.5, 0.0, 1.0);
            if (cover > 0) mix_pixel(image, x, y, style.color, cover);
        }
    }
}

}  // namespace

double text_width(std::string_view text, const TextStyle& style) {
    double width = 0;
    while (!text.empty()) {
        width += static_cast<double>(glyph_of(next_code_point(text)).width);
        if (!text.empty()) width += letter_space;
    }
    return width * style.cap_height / grid_caps;
}

void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style) {
    const double scale = style.cap_height / grid_caps;
    // Stems are on whole grid units, so starting at a pixel centre keeps them sharp.
    x = std::floor(x) + 0.5;
    y = std::floor(y) - 0.5;
    while (!text.empty()) {
        const Glyph& glyph = glyph_of(next_code_point(text));
        draw_strokes(image, strokes_of(glyph, x, y, scale), style);
        x += (static_cast<double>(glyph.width) + letter_space) * scale;
    }
}

std::string shortened(const std::string& text, double width, const TextStyle& style) {
    if (text_width(text, style) <= width) return text;
    std::string_view rest = text;
    std::string kept;
    while (!rest.empty()) {
        std::string_view after = rest;
        next_code_point(after);
        const std::string longer = kept + std::string(rest.substr(0, rest.size() - after.size()));
        if (text_width(longer + "...", style) > width) break;
        kept = longer;
        rest = after;
    }
    return kept + "...";
}

}  // namespace fascia::picture
