// A line plot as an SVG file.
#pragma once

#include <string>
#include <vector>

#include "fascia/result.h"

namespace fascia::experiments {

struct Curve {
    std::string name;
    std::vector<double> x, y;
};

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Curve> curves;
};

Status write_svg(const std::string& path, const Plot& plot);

}  // namespace fascia::experiments
