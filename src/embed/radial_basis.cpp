#include "embed/radial_basis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/portable_math.h"

namespace fascia::embedding {

namespace {

/// The width of a bell, in distances between neighbouring centres.
constexpr double gauss_width = 1.5, wendland_width = 5;
/// In widths: beyond it a bell adds less than 2e-9.
constexpr double gauss_reach = 4.5;
/// As a share of the centres' extent: a thinner extent counts as flat.
constexpr double thin_centres = 1e-3;

/// exp(-x) for 0 <= x < 30 by multiplications only: thousands of them are needed at bind.
double falling(double x) {
    // exp(-x) = exp(-x / 16)^16 with a series that converges fast below 2.
    const double y = -x * 0.0625;
    double sum = 1.0 / 6227020800.0;
    constexpr double factors[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
    for (const double factor : factors) sum = factor + y * sum;
    sum *= sum, sum *= sum, sum *= sum;
    return sum * sum;
}

double mean_nearest(std::span<const Vec3d> centres) {
    double sum = 0;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < centres.size(); ++k)
            if (k != i) nearest = std::min(nearest, dot(centres[k] - centres[i], centres[k] - centres[i]));
        sum += std::sqrt(nearest);
    }
    return sum / double(centres.size());
}

}  // namespace

std::optional<Kernel> kernel_named(std::string_view name) {
    if (name == "gauss") return Kernel::gauss;
    if (name == "wendland") return Kernel::wendland;
    if (name == "thin-plate") return Kernel::thin_plate;
    return std::nullopt;
}

RadialBasis::RadialBasis(std::span<const Vec3d> centres, Kernel kernel)
    : centres_(centres.begin(), centres.end()), kernel_(kernel) {
    const std::size_t n = centres_.size();
    for (const Vec3d c : centres_) middle_ = middle_ + c;
    middle_ = middle_ * (1 / double(n));
    // The furthest centre gives the first direction, the furthest from that line the second, and so on.
    std::vector<Vec3d> left;
    for (const Vec3d c : centres_) left.push_back(c - middle_);
    double widest = 0;
    for (; terms_ < 4; ++terms_) {
        const auto far =
            std::max_element(left.begin(), left.end(), [](Vec3d a, Vec3d b) { return dot(a, a) < dot(b, b); });
        const double extent = length(*far);
        if (!(extent > thin_centres * widest) || !(extent > 0)) break;
        widest = std::max(widest, extent);
        const Vec3d axis = *far * (1 / extent);
        axes_[terms_ - 1] = axis * (1 / extent);
        for (Vec3d& v : left) v = v - axis * dot(axis, v);
    }
    const double spacing = n > 1 ? mean_nearest(centres_) : 1;
    const double width = spacing > 0 ? spacing : 1;
    scale_ = 1 / (width * (kernel == Kernel::gauss ? gauss_width : kernel == Kernel::wendland ? wendland_width : 1));
    reach_ = kernel == Kernel::gauss      ? gauss_reach / scale_
             : kernel == Kernel::wendland ? 1 / scale_
                                          : std::numeric_limits<double>::infinity();
    const std::size_t all = size();
    std::vector<double> matrix(all * all, 0), line(all);
    for (std::size_t i = 0; i < n; ++i) {
        row(centres_[i], line);
        for (std::size_t k = 0; k < all; ++k) matrix[i * all + k] = line[k];
        for (std::size_t k = n; k < all; ++k) matrix[k * all + i] = line[k];
    }
    solver_ = DenseSolver(std::move(matrix), all);
}

KernelValue RadialBasis::kernel(double square) const {
    const double scale = scale_ * scale_, x = square * scale;
    switch (kernel_) {
        case Kernel::gauss: {
            if (x > gauss_reach * gauss_reach) return {};
            const double value = falling(x);
            return {value, -2 * scale * value};
        }
        case Kernel::wendland: {
            if (x >= 1) return {};
            const double r = std::sqrt(x), left = 1 - r, cube = left * left * left;
            return {cube * left * (4 * r + 1), -20 * scale * cube};
        }
        case Kernel::thin_plate: break;
    }
    // x log(x) / 2 = r^2 log r
    if (!(x > 1e-20)) return {};
    const double log = portable::logarithm(x);
    return {0.5 * x * log, scale * (log + 1)};
}

/// [Luo 2016, eq. 3]
void RadialBasis::rows(Vec3d at, Vec3d first, Vec3d second, bool slopes, std::span<double> out) const {
    const std::size_t n = centres_.size(), all = size();
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3d off = at - centres_[k];
        const KernelValue g = kernel(dot(off, off));
        out[k] = g.value;
        if (slopes) out[all + k] = g.slope * dot(off, first), out[2 * all + k] = g.slope * dot(off, second);
    }
    out[n] = 1;
    if (slopes) out[all + n] = out[2 * all + n] = 0;
    for (std::size_t t = 1; t < terms_; ++t) {
        out[n + t] = dot(axes_[t - 1], at - middle_);
        if (slopes) out[all + n + t] = dot(axes_[t - 1], first), out[2 * all + n + t] = dot(axes_[t - 1], second);
    }
}

void RadialBasis::row(Vec3d at, std::span<double> out) const {
    rows(at, {}, {}, false, out);
}

void RadialBasis::slope_row(Vec3d at, Vec3d along, std::span<double> out) const {
    std::vector<double> three(3 * size());
    rows(at, along, along, true, three);
    std::copy_n(three.begin() + std::ptrdiff_t(size()), size(), out.begin());
}

}  // namespace fascia::embedding
