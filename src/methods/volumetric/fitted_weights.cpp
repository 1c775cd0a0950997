#include "methods/volumetric/fitted_weights.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace fascia {

namespace {

constexpr int fitting_rounds = 12;
constexpr float of_the_body = 1e6f;  ///< added to a wish, so that these joints are fitted in any case

/// One joint of a point: its weight, and what vertices want added to it.
struct Share {
    std::uint16_t joint = 0;
    float weight = 0, wanted = 0;
};

/// Which corners of vertices are at each point.
class PlacesOfPoints {
public:
    PlacesOfPoints(const embedding::Trilinear& bound, std::size_t points)
        : first_(points + 1), all_(bound.points.size()) {
        for (const std::uint32_t p : bound.points) ++first_[p + 1];
        for (std::size_t p = 0; p < points; ++p) first_[p + 1] += first_[p];
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t c = 0; c < all_.size(); ++c) all_[next[bound.points[c]]++] = c;
    }
    std::span<const std::size_t> of(std::size_t point) const {
        return {all_.data() + first_[point], first_[point + 1] - first_[point]};
    }

private:
    std::vector<std::size_t> first_, all_;
};

class Fitter {
public:
    explicit Fitter(const VolumetricBody& body) : body_(body), shares_(body.point_count()), used_(body.point_count()) {
        const SkinWeights& own = body.surface.weights;
        const auto influences = std::size_t(own.influences);
        sum_.resize(body.surface.joints.size());
        number_.resize(sum_.size());
        for (std::size_t v = 0; v < vertices(); ++v) {
            float all = 0;
            for (std::size_t k = influences * v; k < influences * (v + 1); ++k) all += own.weights[k];
            scale_.push_back(all > 0 ? 1 / all : 0);
            if (!(all > 0)) continue;
            for (std::size_t c = 8 * v; c < 8 * v + 8; ++c) used_[body.bound.points[c]] += body.bound.weights[c];
        }
        begin_shares();
    }

    std::size_t crowded() const { return crowded_; }

    void round() {
        for (std::size_t v = 0; v < vertices(); ++v)
            if (scale_[v] > 0) ask(v);
        for (std::size_t p = 0; p < shares_.size(); ++p) {
            if (!(used_[p] > 0)) continue;
            float all = 0;
            for (Share& s : shares_[p]) {
                s.weight = std::max(0.0f, s.weight + s.wanted / used_[p]);
                s.wanted = 0;
                all += s.weight;
            }
            if (all > 0)
                for (Share& s : shares_[p]) s.weight /= all;
        }
    }

    PointWeights result() const {
        PointWeights out;
        for (const std::vector<Share>& point : shares_) {
            std::vector<Share> by_weight = point;
            std::stable_sort(by_weight.begin(), by_weight.end(),
                             [](const Share& a, const Share& b) { return a.weight > b.weight; });
            by_weight.resize(PointWeights::slots);
            float all = 0;
            for (const Share& s : by_weight) all += s.weight;
            for (const Share& s : by_weight) {
                out.joints.push_back(s.joint);
                out.weights.push_back(all > 0 ? s.weight / all : 0);
            }
        }
        return out;
    }

private:
    std::size_t vertices() const { return body_.bound.vertex_count(); }

    /// Each point begins with the weights of the body, and with nothing of the other joints of vertices around it.
    void begin_shares() {
        const SkinWeights& own = body_.surface.weights;
        const auto influences = std::size_t(own.influences);
        const PlacesOfPoints places(body_.bound, shares_.size());
        for (std::size_t p = 0; p < shares_.size(); ++p) {
            for (std::size_t k = 4 * p; k < 4 * p + 4; ++k)
                if (body_.influences.weights[k] > 0) {
                    Share& its = share_of(p, body_.influences.joints[k]);
                    its.weight += body_.influences.weights[k];
                    its.wanted += of_the_body;
                }
            for (const std::size_t c : places.of(p)) {
                const std::size_t v = c / 8;
                if (!(scale_[v] > 0) || !(body_.bound.weights[c] > 0)) continue;
                for (std::size_t k = influences * v; k < influences * (v + 1); ++k)
                    if (own.weights[k] > 0)
                        share_of(p, own.joints[k]).wanted += body_.bound.weights[c] * own.weights[k] * scale_[v];
            }
            keep_strongest(shares_[p]);
        }
    }

    /// A point's share of a joint, which it may not have had so far.
    Share& share_of(std::size_t point, std::uint16_t joint) {
        std::vector<Share>& its = shares_[point];
        // A number noted for another point does not exist here, or belongs to another joint.
        if (const std::size_t k = number_[joint]; k < its.size() && its[k].joint == joint) return its[k];
        number_[joint] = std::uint32_t(its.size());
        its.push_back({joint, 0, 0});
        return its.back();
    }

    /// Keeps their order.
    void keep_strongest(std::vector<Share>& shares) {
        if (shares.size() > PointWeights::most_joints) {
            ++crowded_;
            std::vector<std::uint32_t> order(shares.size());
            std::iota(order.begin(), order.end(), 0u);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return shares[a].wanted > shares[b].wanted; });
            order.resize(PointWeights::most_joints);
            std::sort(order.begin(), order.end());
            for (std::size_t k = 0; k < order.size(); ++k) shares[k] = shares[order[k]];
            shares.resize(order.size());
        }
        for (Share& s : shares) s.wanted = 0;
    }

    /// Passes the error of a vertex to the points around it.
    void ask(std::size_t v) {
        const SkinWeights& own = body_.surface.weights;
        const auto influences = std::size_t(own.influences);
        for (std::size_t k = influences * v; k < influences * (v + 1); ++k)
            sum_[own.joints[k]] += own.weights[k] * scale_[v];
        for (std::size_t c = 8 * v; c < 8 * v + 8; ++c)
            for (const Share& s : shares_[body_.bound.points[c]]) sum_[s.joint] -= body_.bound.weights[c] * s.weight;
        for (std::size_t c = 8 * v; c < 8 * v + 8; ++c)
            for (Share& s : shares_[body_.bound.points[c]]) s.wanted += body_.bound.weights[c] * sum_[s.joint];
        for (std::size_t k = influences * v; k < influences * (v + 1); ++k) sum_[own.joints[k]] = 0;
        for (std::size_t c = 8 * v; c < 8 * v + 8; ++c)
            for (const Share& s : shares_[body_.bound.points[c]]) sum_[s.joint] = 0;
    }

    const VolumetricBody& body_;
    std::vector<std::vector<Share>> shares_;  ///< [points]
    std::vector<float> used_;                 ///< [points] how much vertices use each
    std::vector<float> scale_;                ///< [vertices] 1 / sum of its weights, or 0
    std::vector<float> sum_;                  ///< [joints] zero between calls
    std::vector<std::uint32_t> number_;       ///< [joints] index of its share at the last point that got one
    std::size_t crowded_ = 0;
};

}  // namespace

PointWeights fitted_weights(const VolumetricBody& body) {
    Fitter fitter(body);
    for (int round = 0; round < fitting_rounds; ++round) fitter.round();
    PointWeights out = fitter.result();
    out.crowded = fitter.crowded();
    return out;
}

}  // namespace fascia
