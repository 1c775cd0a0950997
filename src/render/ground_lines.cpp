#include "render/ground_lines.h"

#include <algorithm>
#include <cmath>

namespace fascia::picture {
namespace {

constexpr double width_of_line = 0.007;             // of the size of what is seen
constexpr double darkest = 0.26;                    // share of light that a line takes away
constexpr double sharp_up_to = 0.8, gone_at = 2.6;  // sizes from the figure

/// Length of lines between 0 and x on an axis with lines of width `w` around every whole number.
double lined_length(double x, double w) {
    const double whole = std::floor(x + 0.5), part = x - whole;
    return whole * w + std::clamp(part, -w / 2, w / 2);
}

/// Mean of the lines over a pixel that is `pixel` wide: thin lines fade instead of flickering.
double covered(double x, double pixel, double w) {
    const double half = std::max(pixel, 1e-9) / 2;
    return (lined_length(x + half, w) - lined_length(x - half, w)) / (2 * half);
}

}  // namespace

GroundLines::GroundLines(const View& view, const Camera& camera) : spacing_(view.ground_lines) {
    Vec3d lo, hi;
    tidy_box(view, lo, hi);
    const Vec3d side = hi - lo, middle = (lo + hi) * 0.5;
    size_ = std::max({side.x, side.y, side.z});
    if (spacing_ > 0) width_ = std::min(0.2, width_of_line * camera.size / spacing_);
    middle_x_ = middle.x;
    middle_z_ = middle.z;
}

float GroundLines::darkness(double x, double z, double pixel_x, double pixel_z) const {
    if (!(spacing_ > 0)) return 0;
    const double distance = std::hypot(x - middle_x_, z - middle_z_) / size_;
    if (!(distance < gone_at)) return 0;
    const double t = std::clamp((gone_at - distance) / (gone_at - sharp_up_to), 0.0, 1.0);
    const double along_z = covered(x / spacing_, pixel_x / spacing_, width_);
    const double along_x = covered(z / spacing_, pixel_z / spacing_, width_);
    const double cover = 1 - (1 - along_x) * (1 - along_z);
    return static_cast<float>(darkest * cover * t * t * (3 - 2 * t));
}

}  // namespace fascia::picture
