#include "weights/biharmonic.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

namespace fascia::weights {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// Weight of the split: raised, bounds are met sooner and the smooth part later.
constexpr double rho = 0.5;
constexpr float relaxation = 1.6f;
constexpr int most_rounds = 150;
constexpr float enough = 2e-3f;

struct Numbering {
    std::vector<std::int32_t> free;   ///< [nodes] place among the free nodes, -1 for clamped ones
    std::vector<std::uint32_t> node;  ///< [free nodes]
};

Numbering number_free(const BiharmonicInput& input) {
    Numbering out;
    out.free.assign(input.links.node_count(), 0);
    for (const Clamp& c : input.clamps) out.free[c.node] = -1;
    for (std::uint32_t i = 0; i < out.free.size(); ++i)
        if (out.free[i] == 0) out.free[i] = std::int32_t(out.node.size()), out.node.push_back(i);
    return out;
}

/// L = degree - adjacency, by rows.
Matrix laplacian(const Links& links) {
    const auto n = static_cast<Eigen::Index>(links.node_count());
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < n; ++i) {
        double degree = 0;
        for (const std::uint32_t j : links.of(std::size_t(i))) {
            if (Eigen::Index(j) == i) continue;
            entries.emplace_back(i, j, -1.0);
            degree += 1;
        }
        entries.emplace_back(i, i, degree);
    }
    Matrix out(n, n);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

Matrix free_block(const Matrix& q, const Numbering& numbering) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index c = 0; c < q.outerSize(); ++c)
        for (Matrix::InnerIterator it(q, c); it; ++it) {
            const std::int32_t r = numbering.free[std::size_t(it.row())], s = numbering.free[std::size_t(c)];
            if (r >= 0 && s >= 0) entries.emplace_back(r, s, it.value() + (r == s ? rho : 0.0));
        }
    const auto n = static_cast<Eigen::Index>(numbering.node.size());
    Matrix out(n, n);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

/// The factor in the kernel's form, in the order that keeps it sparse.
struct Factor {
    std::vector<std::uint32_t> first, row, place;  ///< place: [free nodes] in the factor's order
    std::vector<float> value, inverse_diagonal;

    explicit Factor(const Matrix& matrix) {
        const Eigen::SimplicialLDLT<Matrix> ldlt(matrix);
        const auto n = static_cast<std::size_t>(matrix.rows());
        const Matrix lower = ldlt.matrixL();
        for (std::size_t j = 0; j < n; ++j) {
            first.push_back(std::uint32_t(row.size()));
            for (Matrix::InnerIterator it(lower, Eigen::Index(j)); it; ++it) {
                if (it.row() <= Eigen::Index(j)) continue;
                row.push_back(std::uint32_t(it.row()));
                value.push_back(float(it.value()));
            }
            inverse_diagonal.push_back(float(1 / ldlt.vectorD()[Eigen::Index(j)]));
        }
        first.push_back(std::uint32_t(row.size()));
        place.resize(n);
        for (std::size_t i = 0; i < n; ++i) place[i] = std::uint32_t(ldlt.permutationP().indices()[Eigen::Index(i)]);
    }
    SparseFactor view() const {
        return {first.data(), row.data(), value.data(), inverse_diagonal.data(), inverse_diagonal.size()};
    }
};

/// Sixteen joints at once: alternating direction method of multipliers,
///     x = (Q + rho)^-1 (rho (z - u) - c),   z = clip(x + u),   u += x - z
struct Lanes {
    int rounds = 0;
    float residual = 0;
};
Lanes solve_lanes(const Factor& factor, std::span<const float> c, std::vector<float>& z) {
    const std::size_t size = c.size();
    std::vector<float> u(size, 0), x(size);
    z.assign(size, 0);
    Lanes out;
    for (out.rounds = 1; out.rounds <= most_rounds; ++out.rounds) {
        for (std::size_t k = 0; k < size; ++k) x[k] = float(rho) * (z[k] - u[k]) - c[k];
        FASCIA_DISPATCH(solve_factored)(factor.view(), x.data());
        float apart = 0;
        for (std::size_t k = 0; k < size; ++k) {
            const float eased = relaxation * x[k] + (1 - relaxation) * z[k];
            const float bounded = std::clamp(eased + u[k], 0.0f, 1.0f);
            u[k] += eased - bounded;
            apart = std::max({apart, std::abs(x[k] - bounded), std::abs(bounded - z[k])});
            z[k] = bounded;
        }
        out.residual = apart;
        if (apart < enough) break;
    }
    return out;
}

}  // namespace

BiharmonicResult biharmonic_weights(const BiharmonicInput& input, ThreadPool& pool) {
    constexpr std::size_t lanes = biharmonic_lanes;
    const std::size_t nodes = input.links.node_count();
    BiharmonicResult out;
    out.dense = {input.joints, std::vector<float>(nodes * input.joints, 0)};
    for (const Clamp& c : input.clamps) out.dense.values[c.node * input.joints + c.joint] = c.share;
    const Numbering numbering = number_free(input);
    if (numbering.node.empty()) return out;

    const Matrix l = laplacian(input.links);
    const Matrix q = l.transpose() * l;
    const Factor factor(free_block(q, numbering));
    const std::size_t chunks = (input.joints + lanes - 1) / lanes;
    std::vector<Lanes> ends(chunks);
    pool.for_ranges(chunks, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t chunk = begin; chunk < end; ++chunk) {
            const std::size_t first = chunk * lanes, last = std::min(first + lanes, input.joints);
            std::vector<float> c(numbering.node.size() * lanes, 0), z;
            for (const Clamp& clamp : input.clamps) {
                if (clamp.joint < first || clamp.joint >= last) continue;
                for (Matrix::InnerIterator it(q, clamp.node); it; ++it) {
                    const std::int32_t f = numbering.free[std::size_t(it.row())];
                    if (f >= 0) c[factor.place[f] * lanes + clamp.joint - first] += float(it.value() * clamp.share);
                }
            }
            ends[chunk] = solve_lanes(factor, c, z);
            for (std::size_t f = 0; f < numbering.node.size(); ++f)
                for (std::size_t j = first; j < last; ++j)
                    out.dense.values[numbering.node[f] * input.joints + j] = z[factor.place[f] * lanes + j - first];
        }
    });
    for (const Lanes& e : ends) {
        out.rounds = std::max(out.rounds, std::min(e.rounds, most_rounds));
        out.residual = std::max(out.residual, double(e.residual));
    }
    return out;
}

}  // namespace fascia::weights
