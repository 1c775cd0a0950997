// What automatic weights promise for any mesh.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/weights.h"

namespace fascia::test {

inline void expect_sound(const SkinWeights& w, const Character& c) {
    ASSERT_EQ(w.weights.size(), c.mesh.vertex_count() * std::size_t(w.influences));
    ASSERT_EQ(w.joints.size(), w.weights.size());
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (std::size_t k = v * std::size_t(w.influences); k < (v + 1) * std::size_t(w.influences); ++k) {
            ASSERT_TRUE(std::isfinite(w.weights[k]) && w.weights[k] >= 0) << v;
            ASSERT_LT(w.joints[k], c.joints.size());
            sum += w.weights[k];
        }
        ASSERT_NEAR(sum, 1, 1e-5) << v;
    }
}

}  // namespace fascia::test
