// Many small labelled pictures on one sheet.
#include <algorithm>
#include <cmath>

#include "fascia/picture.h"
#include "render/color.h"
#include "render/text.h"

namespace fascia {
namespace {

using picture::TextStyle;

constexpr int margin = 28;          // around the sheet
constexpr int gap = 10;             // between cells
constexpr int row_gap = 22;         // between rows, with a thin line in the middle
constexpr int caption_height = 26;  // below a cell
constexpr int title_height = 50;
constexpr int label_gap = 20;         // between a row's label and its cells
constexpr double widest_label = 200;  // pixels; longer ones are shortened
constexpr std::uint32_t paper = 0xfcfcfb, rule = 0xdcdcda;

TextStyle title_style() {
    return {15, 2.1, picture::linear_of_hex(0x1d1f24)};
}
TextStyle label_style() {
    return {12, 1.7, picture::linear_of_hex(0x2a2d33)};
}
TextStyle caption_style() {
    return {10, 1.3, picture::linear_of_hex(0x555960)};
}

Image blank(int width, int height, std::uint32_t color) {
    Image image{width, height, {}};
    image.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
        image.rgb[i] = static_cast<std::uint8_t>(color >> 16);
        image.rgb[i + 1] = static_cast<std::uint8_t>(color >> 8);
        image.rgb[i + 2] = static_cast<std::uint8_t>(color);
    }
    return image;
}

/// Centres `from` in a cell; anything that does not fit is cropped evenly on both sides.
void place(Image& sheet, int x, int y, int width, int height, const Image& from) {
    const int w = std::min(width, from.width), h = std::min(height, from.height);
    if (w <= 0 || h <= 0) return;
    const int to_x = x + (width - w) / 2, to_y = y + (height - h) / 2;
    const int from_x = (from.width - w) / 2, from_y = (from.height - h) / 2;
    for (int row = 0; row < h; ++row) {
        const auto source = (static_cast<std::ptrdiff_t>(from_y + row) * from.width + from_x) * 3;
        const auto target = (static_cast<std::ptrdiff_t>(to_y + row) * sheet.width + to_x) * 3;
        std::copy_n(from.rgb.begin() + source, w * 3, sheet.rgb.begin() + target);
    }
}

void horizontal_rule(Image& sheet, int y) {
    const Image line = blank(sheet.width - 2 * margin, 1, rule);
    place(sheet, margin, y, line.width, 1, line);
}

void centered_text(Image& sheet, double left, double width, double baseline, const std::string& text,
                   const TextStyle& style) {
    const std::string fitting = picture::shortened(text, width, style);
    picture::draw_text(sheet, left + (width - picture::text_width(fitting, style)) / 2, baseline, fitting, style);
}

}  // namespace

ContactSheet::ContactSheet(int columns, int cell_width, int cell_height)
    : columns_(std::max(columns, 1)), cell_width_(std::max(cell_width, 1)), cell_height_(std::max(cell_height, 1)) {}

void ContactSheet::title(std::string text) {
    title_ = std::move(text);
}

void ContactSheet::begin_row(std::string label) {
    rows_.push_back({std::move(label), {}});
}

void ContactSheet::cell(Image image, std::string caption) {
    if (rows_.empty()) begin_row({});
    rows_.back().cells.push_back({std::move(image), std::move(caption)});
}

Image ContactSheet::finish() const {
    double label_width = 0;
    for (const Row& row : rows_)
        label_width = std::max(label_width, std::min(widest_label, picture::text_width(row.label, label_style())));
    const int left = margin + (label_width > 0 ? static_cast<int>(std::ceil(label_width)) + label_gap : 0);
    const int line_height = cell_height_ + caption_height;
    const auto lines_of = [&](const Row& row) {
        return std::max(1, static_cast<int>((row.cells.size() + static_cast<std::size_t>(columns_) - 1) /
                                            static_cast<std::size_t>(columns_)));
    };
    int height = 2 * margin + (title_.empty() ? 0 : title_height);
    for (const Row& row : rows_) height += lines_of(row) * line_height;
    if (!rows_.empty()) height += (static_cast<int>(rows_.size()) - 1) * row_gap;
    Image sheet = blank(left + columns_ * (cell_width_ + gap) - gap + margin, height, paper);

    int y = margin;
    if (!title_.empty()) {
        const double width = sheet.width - 2 * margin;
        picture::draw_text(sheet, margin, y + title_style().cap_height + 2,
                           picture::shortened(title_, width, title_style()), title_style());
        y += title_height;
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        if (r > 0) {
            horizontal_rule(sheet, y + row_gap / 2 - 4);
            y += row_gap;
        }
        picture::draw_text(sheet, margin, y + (cell_height_ + label_style().cap_height) / 2,
                           picture::shortened(row.label, widest_label, label_style()), label_style());
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            const int column = static_cast<int>(c) % columns_, line = static_cast<int>(c) / columns_;
            const int cell_x = left + column * (cell_width_ + gap), cell_y = y + line * line_height;
            place(sheet, cell_x, cell_y, cell_width_, cell_height_, row.cells[c].image);
            centered_text(sheet, cell_x, cell_width_, cell_y + cell_height_ + 18, row.cells[c].caption,
                          caption_style());
        }
        y += lines_of(row) * line_height;
    }
    return sheet;
}

}  // namespace fascia
