// What contacts ask of points, summed by point. Whoever asks does so in an order that does not depend on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/math.h"

namespace fascia::contact {

class AskedMoves {
public:
    /// Nothing is asked of any point yet.
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
    /// answer(point, sum) for every point in the order in which they were first asked; then nothing is asked any more.
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
    std::vector<Sum> sums_;  ///< [stride] zero but for those touched
    std::vector<std::uint32_t> touched_;
};

}  // namespace fascia::contact
