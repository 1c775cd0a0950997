#include "plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace fascia::experiments {

namespace {

constexpr double width = 720, height = 400, left = 64, right = 150, top = 40, bottom = 48;

struct Range {
    double low = 1e300, high = -1e300;
    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    double share(double value) const { return (value - low) / std::max(high - low, 1e-300); }
};

/// 1, 2 or 5 times a power of ten, for about six ticks over the range.
double tick_step(const Range& range) {
    const double raw = std::max(range.high - range.low, 1e-12) / 6, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power) return factor * power;
    return 10 * power;
}

std::string text(double x, double y, const std::string& words, const char* anchor, const char* more = "") {
    char head[160];
    std::snprintf(head, sizeof head, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, more);
    return head + words + "</text>\n";
}

std::string line(double x0, double y0, double x1, double y1, const char* stroke) {
    char out[160];
    std::snprintf(out, sizeof out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", x0, y0, x1, y1,
                  stroke);
    return out;
}

std::string number(double value) {
    char out[32];
    std::snprintf(out, sizeof out, "%g", std::abs(value) < 1e-12 ? 0.0 : value);
    return out;
}

class Drawing {
public:
    explicit Drawing(const Plot& plot) : plot_(plot) {
        for (const Curve& curve : plot.curves) {
            for (const double v : curve.x) x_.include(v);
            for (const double v : curve.y) y_.include(v);
        }
    }

    std::string svg() const {
        std::string out =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" font-family=\"sans-serif\" "
            "font-size=\"12\" fill=\"#333\">\n<path d=\"M0 0H720V400H0Z\" fill=\"#fff\"/>\n";
        out += text(left, 22, plot_.title, "start", "font-size=\"15\"") + axes();
        for (std::size_t c = 0; c < plot_.curves.size(); ++c) out += curve(c);
        return out + "</svg>\n";
    }

private:
    double across(double x) const { return left + x_.share(x) * (width - left - right); }
    double up(double y) const { return height - bottom - y_.share(y) * (height - top - bottom); }

    std::string axes() const {
        std::string out;
        const double dx = tick_step(x_), dy = tick_step(y_);
        for (double x = std::ceil(x_.low / dx) * dx; x <= x_.high + 1e-9 * dx; x += dx)
            out += line(across(x), top, across(x), height - bottom, "#eee") +
                   text(across(x), height - bottom + 16, number(x), "middle");
        for (double y = std::ceil(y_.low / dy) * dy; y <= y_.high + 1e-9 * dy; y += dy)
            out += line(left, up(y), width - right, up(y), "#eee") + text(left - 6, up(y) + 4, number(y), "end");
        out += text((left + width - right) / 2, height - 10, plot_.x_label, "middle");
        return out + text(16, (top + height - bottom) / 2, plot_.y_label, "middle", "transform=\"rotate(-90 16 196)\"");
    }

    std::string curve(std::size_t index) const {
        // Colours that colour-blind readers can tell apart.
        static const char* const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000"};
        const char* color = colors[index % std::size(colors)];
        const Curve& c = plot_.curves[index];
        std::string path;
        for (std::size_t k = 0; k < c.x.size(); ++k) {
            char point[48];
            std::snprintf(point, sizeof point, "%c%.1f %.1f", k == 0 ? 'M' : 'L', across(c.x[k]), up(c.y[k]));
            path += point;
        }
        const double y = top + 10 + 18 * double(index);
        return "<path d=\"" + path + "\" fill=\"none\" stroke-width=\"1.6\" stroke=\"" + color + "\"/>\n" +
               line(width - right + 12, y, width - right + 32, y, color) +
               text(width - right + 38, y + 4, c.name, "start");
    }

    const Plot& plot_;
    Range x_, y_;
};

}  // namespace

Status write_svg(const std::string& path, const Plot& plot) {
    std::ofstream file(path, std::ios::binary);
    file << Drawing(plot).svg();
    if (!file.flush()) return output_error("could not write '" + path + "'");
    return ok_status();
}

}  // namespace fascia::experiments
