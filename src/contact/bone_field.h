// How far flesh reaches around a bone, as a table along it and around it: tells how deep in the flesh of that bone a
// point lies without looking at triangles, so that the answer stays smooth where skin folds.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "fascia/math.h"

namespace fascia::contact {

class BoneField {
public:
    BoneField() = default;
    BoneField(Vec3 a, Vec3 b);

    /// A point of the skin at rest.
    void add(Vec3 p);
    /// To be called when all of the skin is known. Where there is none, as beyond an end at a joint, flesh reaches as
    /// far as around that.
    void finish();

    /// Distance from the bone over what it is at the skin in this direction: 0 on the bone, 1 on the skin. p is in the
    /// space of the bone at rest.
    float depth(Vec3 p) const;
    /// Distance from the bone.
    float distance(Vec3 p) const { return length(p - nearest(p)); }
    Vec3 nearest(Vec3 p) const {
        const float t = dot(p - a_, along_) * inverse_square_;
        return a_ + along_ * (t < 0 ? 0 : t > 1 ? 1 : t);
    }
    /// Farthest skin; 0: the bone has no flesh.
    float reach() const { return reach_; }
    Vec3 head() const { return a_; }
    Vec3 tail() const { return a_ + along_; }

private:
    static constexpr std::size_t cap = 4, body = 16, around = 16, rows = body + 2 * cap + 1;
    /// Place of a point in the table, between entries.
    struct Place {
        float row = 0, column = 0, distance = 0;
    };
    Place place(Vec3 p) const;
    void fill();
    bool spread_once();

    Vec3 a_, along_, first_{1, 0, 0}, second_{0, 1, 0};
    float inverse_square_ = 0, inverse_length_ = 0, reach_ = 0;
    std::array<float, rows * around> radius_{}, weight_{};
};

}  // namespace fascia::contact
