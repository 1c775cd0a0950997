// Interpolation by radial functions with a linear part (docs/formulas.md C11):
//     F(p) = sum_i a_i g(|p - c_i|) + k0 + k . p,      sum_i a_i = 0, sum_i a_i c_i = 0
// which reproduces affine fields. If the centres span only a plane, a line or a point, the linear part has only the
// directions that they span.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "embed/dense_solver.h"
#include "fascia/math.h"

namespace fascia::embedding {

enum class Kernel { gauss, wendland, thin_plate };
std::optional<Kernel> kernel_named(std::string_view name);

/// The value of a kernel, and its derivative by r divided by r.
struct KernelValue {
    double value = 0, slope = 0;
};

class RadialBasis {
public:
    RadialBasis() = default;
    /// centres: distinct, at least one.
    RadialBasis(std::span<const Vec3d> centres, Kernel kernel);

    std::size_t centre_count() const { return centres_.size(); }
    /// Centres and terms of the linear part: 1 to 4.
    std::size_t size() const { return centres_.size() + terms_; }
    /// Does the linear part cover all directions of space?
    bool is_solid() const { return terms_ == 4; }
    /// Beyond it the kernel is zero or negligible; infinite for thin plates.
    double reach() const { return reach_; }

    KernelValue kernel(double square) const;
    /// The factors of the unknowns at a point. out: [size()]
    void row(Vec3d at, std::span<double> out) const;
    /// The same for the derivative along a direction.
    void slope_row(Vec3d at, Vec3d along, std::span<double> out) const;
    /// A row and two slopes at once. out: [3 * size()]
    void rows(Vec3d at, Vec3d first, Vec3d second, bool slopes, std::span<double> out) const;
    /// From values at the centres to the unknowns, in place. values: [size() * columns] rows; those of the linear terms
    /// are 0
    void solve(std::span<double> values, std::size_t columns, std::vector<double>& scratch) const {
        solver_.solve(values, columns, scratch);
    }
    /// [size() * centre_count()] rows: a row times this gives the weights of the centres.
    std::vector<double> inverse() const { return solver_.inverse(centre_count()); }
    Vec3d centre(std::size_t k) const { return centres_[k]; }

private:
    std::vector<Vec3d> centres_;
    Kernel kernel_ = Kernel::gauss;
    double scale_ = 1, reach_ = 0;  ///< 1 / sigma; in the units of the centres
    std::size_t terms_ = 1;
    Vec3d middle_;
    Vec3d axes_[3];  ///< directions spanned by the centres, divided by their extent
    DenseSolver solver_;
};

}  // namespace fascia::embedding
