#include "base/number_text.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/comma_locale.h"

namespace fascia {
namespace {

TEST(NumberText, IsWhatPrintfWritesInTheCLocale) {
    for (const double value : {0.5, -1234.5, 1e-7, 6.02e23, 3.0, -0.0}) {
        char expected[64];
        std::snprintf(expected, sizeof expected, "%.7g", value);
        const std::string text = number_text(value, 7);
        EXPECT_EQ(text, expected);
        const test::CommaLocale commas;
        EXPECT_EQ(number_text(value, 7), expected);
    }
}

TEST(NumberText, ReadsDecimalsAndNothingElse) {
    const auto read = [](const char* word) {
        double value = 99;
        return parse_decimal(word, value) ? value : NAN;
    };
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(read("0.5"), 0.5);
        EXPECT_EQ(read("+1e3"), 1000);
        EXPECT_EQ(read("-.25"), -0.25);
        EXPECT_EQ(read("1e-999"), 0);
        EXPECT_EQ(read("0.000000000000000000001e-999"), 0);
        for (const char* word : {"", "+", "1,5", "1e999", "inf", "nan", "0x10", " 1", "1 ", "+-1", "1.5.2"})
            EXPECT_TRUE(std::isnan(read(word))) << word;
        if (round == 0) std::locale::global(std::locale(std::locale::classic(), new test::CommaNumbers));
    }
    std::locale::global(std::locale::classic());
}

}  // namespace
}  // namespace fascia
