#include "character/time_series.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace fascia {
namespace {

TimeSeries noise(std::size_t count) {
    std::mt19937 random(11);
    TimeSeries out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<double>(random() % 1000) / 1000);
    return out;
}

TEST(TimeSeries, SmoothingKeepsConstantsAndLines) {
    TimeSeries line;
    for (int i = 0; i < 40; ++i) line.push_back(3 + 0.5 * i);
    const TimeSeries out = smoothed(line, 2.5);
    for (std::size_t i = 10; i < 30; ++i) EXPECT_NEAR(out[i], line[i], 1e-9);  // symmetric away from the ends
    for (double value : smoothed(TimeSeries(20, 7.0), 4)) EXPECT_NEAR(value, 7, 1e-12);
}

TEST(TimeSeries, TheEnvelopeIsNowhereBelowAndSmoother) {
    TimeSeries spikes(60, 0);
    spikes[20] = 1;
    spikes[45] = 0.5;
    for (const TimeSeries& values : {spikes, noise(60)}) {
        const TimeSeries envelope = smooth_envelope(values, 2);
        double step = 0, raw_step = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_GE(envelope[i], values[i] - 1e-12);
            if (i == 0) continue;
            step = std::max(step, std::abs(envelope[i] - envelope[i - 1]));
            raw_step = std::max(raw_step, std::abs(values[i] - values[i - 1]));
        }
        EXPECT_LT(step, 0.35 * raw_step);
    }
}

TEST(TimeSeries, RunningExtremesEqualTheirDefinition) {
    const TimeSeries values = noise(50), low = running_minimum(values, 3), high = running_maximum(values, 3);
    for (int i = 0; i < 50; ++i) {
        double least = 2, most = -1;
        for (int k = std::max(0, i - 3); k <= std::min(49, i + 3); ++k) {
            least = std::min(least, values[k]);
            most = std::max(most, values[k]);
        }
        EXPECT_EQ(low[i], least);
        EXPECT_EQ(high[i], most);
    }
}

TEST(TimeSeries, ABridgeMeetsBothSidesWithTheirSlopes) {
    TimeSeries values(30, 0);
    std::vector<bool> known(30, false);
    for (int i = 0; i < 10; ++i) values[i] = 1 + 0.01 * i, known[i] = true;
    for (int i = 20; i < 30; ++i) values[i] = 2 - 0.02 * i, known[i] = true;
    const TimeSeries out = bridged(values, known, LongGap::stretch, 0);
    for (int i = 0; i < 30; ++i) {
        if (known[i]) {
            EXPECT_EQ(out[i], values[i]);
        }
    }
    EXPECT_NEAR(out[10] - out[9], 0.01, 0.02);
    EXPECT_NEAR(out[20] - out[19], -0.02, 0.02);
    for (int i = 1; i < 30; ++i) EXPECT_LT(std::abs(out[i] - out[i - 1]), 0.1);
}

TEST(TimeSeries, ALongGapFadesToZeroAndEndsAreHeldOrFade) {
    TimeSeries values(100, 0);
    std::vector<bool> known(100, false);
    for (int i : {10, 11, 80, 81}) values[i] = 1, known[i] = true;
    const TimeSeries faded = bridged(values, known, LongGap::fade_to_zero, 10);
    EXPECT_EQ(faded[45], 0);
    EXPECT_EQ(faded[0], 0);
    EXPECT_NEAR(faded[16], 0.5, 0.01);
    EXPECT_NEAR(faded[75], 0.5, 0.01);
    const TimeSeries held = bridged(values, known, LongGap::stretch, 10);
    for (double value : held) EXPECT_NEAR(value, 1, 1e-12);
    for (double value : bridged(values, std::vector<bool>(100, false), LongGap::stretch, 1)) EXPECT_EQ(value, 0);
}

TEST(TimeSeries, AQuantileIsAValueOfTheSeries) {
    EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 0), 1);
    EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 0.5), 3);
    EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 1), 5);
    EXPECT_EQ(quantile({7}, 0.05), 7);
}

}  // namespace
}  // namespace fascia
