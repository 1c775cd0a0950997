// A bind reports its progress and can be cancelled; then nothing is left of it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "c/failing_memory.h"
#include "c/small_arrays.h"

namespace {

using fascia::test::living_allocations;
using fascia::test::SmallArrays;

/// Notes what it is told, and ends the bind at its call number `last`.
struct Listener {
    std::vector<double> shares;
    std::size_t last = std::size_t(-1);

    static int hear(double share, void* user) {
        auto& self = *static_cast<Listener*>(user);
        self.shares.push_back(share);
        return self.shares.size() <= self.last ? 1 : 0;
    }
};

class BindProgress : public ::testing::TestWithParam<const char*> {
protected:
    fascia_rig* bind(Listener& listener) {
        fascia_bind_options options{};
        options.flesh_json = "{\"resolution\": 6}";
        options.progress = Listener::hear;
        options.progress_user = &listener;
        error_[0] = 0;
        return fascia_bind_with(character_, GetParam(), &options, error_, sizeof error_);
    }
    ~BindProgress() override { fascia_character_free(character_); }

    const SmallArrays source_;
    fascia_character* character_ = fascia_character_make(&source_.arrays, nullptr, 0);
    char error_[200] = "";
};
INSTANTIATE_TEST_SUITE_P(Methods, BindProgress, ::testing::Values("lbs", "dqs", "bones-blending", "layers", "lattice"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST_P(BindProgress, RisesFromNothingToAll) {
    Listener listener;
    fascia_rig* rig = bind(listener);
    ASSERT_NE(rig, nullptr) << error_;
    fascia_rig_free(rig);
    const std::string method = GetParam();
    ASSERT_GE(listener.shares.size(), method == "layers" || method == "lattice" ? 8u : 2u);
    EXPECT_EQ(listener.shares.front(), 0);
    EXPECT_EQ(listener.shares.back(), 1);
    for (std::size_t k = 1; k < listener.shares.size(); ++k) EXPECT_GE(listener.shares[k], listener.shares[k - 1]) << k;
}

TEST_P(BindProgress, EndsWhereverItIsToldToAndLeavesNothing) {
    Listener whole;
    fascia_rig_free(bind(whole));
    for (std::size_t last = 0; last < whole.shares.size(); ++last) {
        Listener listener;
        listener.last = last;
        listener.shares.reserve(whole.shares.size());
        const std::ptrdiff_t before = living_allocations();
        EXPECT_EQ(bind(listener), nullptr) << last;
        EXPECT_EQ(living_allocations(), before) << last;
        EXPECT_EQ(listener.shares.size(), last + 1) << "it went on after it was told to end";
        EXPECT_NE(std::string(error_).find("cancelled"), std::string::npos) << error_;
    }
    Listener again;
    fascia_rig* rig = bind(again);
    EXPECT_NE(rig, nullptr);
    fascia_rig_free(rig);
    EXPECT_EQ(again.shares, whole.shares);
}

}  // namespace
