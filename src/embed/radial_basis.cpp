#include "embed/radial_basis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/portable_math.h"
#include "embed/sample_sums.h"

namespace fascia::embedding {

namespace {

/// The width of a bell, in distances between neighbouring centres.
constexpr double gauss_width = 1.5, wendland_width = 5;
/// In widths: beyond it a bell adds less than 2e-9.
constexpr double gauss_reach = 4.5;
/// As a share of the centres' extent: a thinner extent counts as flat.
constexpr double thin_centres = 1e-3;

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

void RadialBasis::kernels(std::span<KernelValue> out, std::span<double> squares) const {
    const double scale = scale_ * scale_;
    for (double& square : squares) square *= scale;
    if (kernel_ == Kernel::gauss) {
        FASCIA_DISPATCH(fall_off)(squares.data(), squares.size(), gauss_reach * gauss_reach);
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = {squares[k], -2 * scale * squares[k]};
        return;
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double x = squares[k];
        out[k] = {};
        if (kernel_ == Kernel::wendland && x < 1) {
            const double r = std::sqrt(x), left = 1 - r, cube = left * left * left;
            out[k] = {cube * left * (4 * r + 1), -20 * scale * cube};
        } else if (kernel_ == Kernel::thin_plate && x > 1e-20) {
            // x log(x) / 2 = r^2 log r
            const double log = portable::logarithm(x);
            out[k] = {0.5 * x * log, scale * (log + 1)};
        }
    }
}

/// [Luo 2016, eq. 3]
void RadialBasis::rows(Vec3d at, Vec3d first, Vec3d second, bool slopes, std::span<double> out) const {
    const std::size_t n = centres_.size(), all = size();
    constexpr std::size_t some = 64;
    for (std::size_t begin = 0; begin < n; begin += some) {
        const std::size_t count = std::min(some, n - begin);
        double squares[some] = {};
        KernelValue values[some];
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3d off = at - centres_[begin + k];
            squares[k] = dot(off, off);
        }
        kernels({values, count}, {squares, (count + 7) / 8 * 8});
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3d off = at - centres_[begin + k];
            const KernelValue g = values[k];
            out[begin + k] = g.value;
            if (!slopes) continue;
            out[all + begin + k] = g.slope * dot(off, first);
            out[2 * all + begin + k] = g.slope * dot(off, second);
        }
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
