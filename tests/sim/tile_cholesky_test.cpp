#include "sim/tile_cholesky.h"

#include <cmath>
#include <map>
#include <random>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

/// Points of a grid that `inside` accepts, joined along the axes; every point is also tied to something that is held.
struct Graph {
    std::vector<std::array<int, 3>> places;
    std::vector<std::uint32_t> first{0}, to;
    std::vector<float> diagonal;

    template <class Inside>
    Graph(int n, float tie, Inside inside) {
        std::map<std::array<int, 3>, std::uint32_t> at;
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x)
                    if (inside(x, y, z)) at[{x, y, z}] = std::uint32_t(places.size()), places.push_back({x, y, z});
        for (const auto& p : places) {
            for (int side = 0; side < 6; ++side) {
                auto q = p;
                q[std::size_t(side / 2)] += side % 2 == 1 ? 1 : -1;
                if (const auto found = at.find(q); found != at.end()) to.push_back(found->second);
            }
            diagonal.push_back(float(to.size() - first.back()) + tie);
            first.push_back(std::uint32_t(to.size()));
        }
    }
    PlacedGraph view() const { return {places, first, to, diagonal}; }
    Eigen::SparseMatrix<double> matrix() const {
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t p = 0; p < places.size(); ++p) {
            entries.emplace_back(int(p), int(p), diagonal[p]);
            for (std::uint32_t e = first[p]; e < first[p + 1]; ++e) entries.emplace_back(int(p), int(to[e]), -1.0);
        }
        Eigen::SparseMatrix<double> out(int(places.size()), int(places.size()));
        out.setFromTriplets(entries.begin(), entries.end());
        return out;
    }
};

/// The largest error against Eigen's factor in double, as a share of the largest value.
double error_against_eigen(const Graph& graph) {
    const TileCholesky factor(graph.view());
    const auto n = int(graph.places.size());
    EXPECT_EQ(factor.size(), graph.places.size());
    std::mt19937 random(7);
    Eigen::MatrixXd right(n, 3);
    for (int c = 0; c < 3; ++c)
        for (int p = 0; p < n; ++p) right(p, c) = double(random() % 2001) / 1000 - 1;
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> exact(graph.matrix());
    const Eigen::MatrixXd wanted = exact.solve(right);
    std::vector<float> values(std::size_t(3 * n)), scratch(factor.scratch_floats());
    for (int k = 0; k < n; ++k)
        for (int c = 0; c < 3; ++c)
            values[std::size_t(c * n + k)] = float(right(int(factor.order()[std::size_t(k)]), c));
    factor.solve(values, scratch);
    double worst = 0, largest = 0;
    for (int k = 0; k < n; ++k)
        for (int c = 0; c < 3; ++c) {
            const double exactly = wanted(int(factor.order()[std::size_t(k)]), c);
            worst = std::max(worst, std::abs(double(values[std::size_t(c * n + k)]) - exactly));
            largest = std::max(largest, std::abs(exactly));
        }
    return worst / largest;
}

TEST(TileCholesky, SolvesLikeADenseSolver) {
    EXPECT_LT(error_against_eigen(Graph(9, 0.01f, [](int, int, int) { return true; })), 2e-5);
    // A ball with a hole through it, and a body of two pieces.
    EXPECT_LT(error_against_eigen(Graph(13, 0.1f,
                                        [](int x, int y, int z) {
                                            const int r = (x - 6) * (x - 6) + (y - 6) * (y - 6) + (z - 6) * (z - 6);
                                            return r <= 36 && (x - 6) * (x - 6) + (y - 6) * (y - 6) > 4;
                                        })),
              2e-5);
    EXPECT_LT(error_against_eigen(Graph(11, 0.1f, [](int x, int y, int) { return x < 3 || (x > 6 && y > 4); })), 2e-5);
    // A rod, a sheet and single points.
    EXPECT_LT(error_against_eigen(Graph(90, 0.1f, [](int, int y, int z) { return y == 0 && z == 0; })), 2e-5);
    EXPECT_LT(error_against_eigen(Graph(20, 0.1f, [](int, int, int z) { return z == 3; })), 2e-5);
    EXPECT_LT(error_against_eigen(Graph(3, 1, [](int x, int y, int z) { return (x + y + z) % 2 == 0; })), 1e-6);
    EXPECT_LT(error_against_eigen(Graph(1, 1, [](int, int, int) { return true; })), 1e-6);
}

TEST(TileCholesky, AFactorHasFewerEntriesThanABand) {
    const Graph graph(17, 0.1f, [](int, int, int) { return true; });
    const TileCholesky factor(graph.view());
    // A band along planes holds 17^2 entries per point.
    EXPECT_LT(factor.bytes(), 17 * 17 * graph.places.size() * sizeof(float) / 2);
}

TEST(TileCholesky, AMatrixThatIsNotPositiveStillGivesNumbers) {
    const Graph graph(5, 0, [](int, int, int) { return true; });  // nothing is held
    const TileCholesky factor(graph.view());
    std::vector<float> values(3 * graph.places.size(), 1), scratch(factor.scratch_floats());
    factor.solve(values, scratch);
    for (const float v : values) EXPECT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace fascia::sim
