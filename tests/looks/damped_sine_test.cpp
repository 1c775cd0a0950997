#include "support/damped_sine.h"

#include <vector>

#include <gtest/gtest.h>

namespace fascia::test {
namespace {

TEST(DampedSineFit, FindsTheNumbersItWasMadeFrom) {
    for (const double hz : {2.3, 3.97, 7.1})
        for (const double decay : {0.7, 3.1}) {
            std::vector<double> t, y;
            for (int k = 0; k < 40; ++k) {
                t.push_back(0.1 + k / 36.0);
                y.push_back(0.2 +
                            1.7 * std::exp(-decay * t.back()) * std::cos(6.283185307179586 * hz * t.back() + 0.6));
            }
            const DampedSine fit = fit_damped_sine(t, y, 1, 10);
            EXPECT_NEAR(fit.hz, hz, 1e-3);
            EXPECT_NEAR(fit.decay, decay, 1e-2);
            EXPECT_NEAR(fit.amplitude, 1.7, 1e-2);
            EXPECT_NEAR(fit.phase, 0.6, 1e-2);
            EXPECT_NEAR(fit.offset, 0.2, 1e-3);
            EXPECT_LT(fit.error, 1e-3);
        }
}

}  // namespace
}  // namespace fascia::test
