#include "contact/bone_field.h"

#include <algorithm>

namespace fascia::contact {

namespace {

/// 0..4 once around, without trigonometry.
float turn_of(float x, float y) {
    const float sum = std::fabs(x) + std::fabs(y);
    if (!(sum > 0)) return 0;
    const float share = y / sum;
    return x >= 0 ? (share >= 0 ? share : 4 + share) : 2 - share;
}

constexpr float no_flesh = 1e6f;

}  // namespace

BoneField::BoneField(Vec3 a, Vec3 b) : a_(a), along_(b - a) {
    const float square = dot(along_, along_);
    if (!(square > 1e-12f)) along_ = {0, 0, 0};
    inverse_square_ = square > 1e-12f ? 1 / square : 0;
    inverse_length_ = std::sqrt(inverse_square_);
    const Vec3 axis = square > 1e-12f ? along_ * inverse_length_ : Vec3{0, 0, 1};
    const Vec3 other = std::fabs(axis.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    first_ = normalized(cross(axis, other));
    second_ = cross(axis, first_);
}

/// Rows go by height along the bone and, beyond its ends, by the sine of the elevation over the end.
BoneField::Place BoneField::place(Vec3 p) const {
    const float t = dot(p - a_, along_) * inverse_square_, held = t < 0 ? 0 : t > 1 ? 1 : t;
    const Vec3 off = p - (a_ + along_ * held);
    Place out;
    out.distance = length(off);
    const float up = inverse_length_ > 0 ? dot(off, along_) * inverse_length_ : dot(off, cross(first_, second_));
    const float sine = out.distance > 0 ? up / out.distance : 0;
    out.row = float(cap) + float(body) * held;
    if (t < 0 || inverse_length_ <= 0) out.row += float(cap) * (sine < 0 ? sine : 0);
    if (t > 1 || inverse_length_ <= 0) out.row += float(inverse_length_ > 0 ? cap : cap + body) * (sine > 0 ? sine : 0);
    out.row = std::fmin(std::fmax(out.row, 0.0f), float(rows - 1) - 1e-3f);
    out.column = turn_of(dot(off, first_), dot(off, second_)) * (float(around) / 4);
    if (!(out.column < float(around))) out.column = 0;
    return out;
}

void BoneField::add(Vec3 p) {
    const Place at = place(p);
    const auto row = std::size_t(at.row), column = std::size_t(at.column);
    const float y = at.row - float(row), x = at.column - float(column);
    for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t i = (row + k / 2) * around + (column + k % 2) % around;
        const float w = (k / 2 ? y : 1 - y) * (k % 2 ? x : 1 - x) + 1e-3f;
        radius_[i] += w * at.distance;
        weight_[i] += w;
    }
    reach_ = std::max(reach_, at.distance);
}

/// Entries without skin take the mean of those around them that have some.
bool BoneField::spread_once() {
    const auto before = radius_, known = weight_;
    bool any_left = false;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < around; ++c) {
            if (known[row * around + c] > 0) continue;
            float sum = 0, count = 0;
            const auto look = [&](std::size_t r, std::size_t column) {
                const std::size_t i = r * around + column % around;
                if (known[i] > 0) sum += before[i], ++count;
            };
            look(row, c + 1), look(row, c + around - 1);
            if (row > 0) look(row - 1, c);
            if (row + 1 < rows) look(row + 1, c);
            radius_[row * around + c] = count > 0 ? sum / count : 0;
            weight_[row * around + c] = count > 0 ? 1.0f : 0.0f;
            any_left = any_left || !(count > 0);
        }
    return any_left;
}

void BoneField::fill() {
    while (spread_once()) {
    }
}

void BoneField::finish() {
    for (std::size_t i = 0; i < radius_.size(); ++i)
        if (weight_[i] > 0) radius_[i] /= weight_[i];
    if (reach_ > 0) fill();
}

float BoneField::depth(Vec3 p) const {
    const Place at = place(p);
    const auto row = std::size_t(at.row), column = std::size_t(at.column), next = (column + 1) % around;
    const float y = at.row - float(row), x = at.column - float(column);
    const float low = radius_[row * around + column] * (1 - x) + radius_[row * around + next] * x,
                high = radius_[(row + 1) * around + column] * (1 - x) + radius_[(row + 1) * around + next] * x;
    const float radius = low * (1 - y) + high * y;
    return radius > 1e-6f * at.distance ? at.distance / radius : no_flesh;
}

}  // namespace fascia::contact
