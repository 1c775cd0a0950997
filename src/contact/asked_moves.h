// Moves that contacts ask of points, summed by point. The order of asking must not depend on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/math.h"

namespace fascia::contact {

class AskedMoves {
public:
    /// Starts with nothing asked of any point.
    void begin(std::size_t stride);
    bool empty() const { return touched_.empty(); }

    /// Asks a point to move, with a weight, away from something that has this speed.
    void ask(std::uint32_t point, float weight, Vec3 move, Vec3 partner_speed) {
        Sum& sum = sums_[point];
        if (sum.weight == 0) touched_.push_back(point);
        sum.weight += weight;
        sum.move += move * weight;
        sum.partner_speed += partner_speed * weight;
    }

protected:
    struct Sum {
        float weight = 0;
        Vec3 move, partner_speed;
    };
    /// Calls answer(point, sum) for every point in the order in which they were first asked, then clears all that was
    /// asked.
    template <class Answer>
    void take(Answer&& answer) {
        for (const std::uint32_t i : touched_) {
            const Sum sum = sums_[i];
            sums_[i] = {};
            answer(i, sum);
        }
        touched_.clear();
    }

private:
    std::vector<Sum> sums_;  ///< [stride] zero except for touched points
    std::vector<std::uint32_t> touched_;
};

}  // namespace fascia::contact
