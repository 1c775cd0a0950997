#include "methods/volumetric/fitted_weights.h"

#include <algorithm>

namespace fascia {

namespace {

constexpr int fitting_rounds = 12;

/// One joint of a point: its weight, and what vertices want to be added to it.
struct Share {
    std::uint16_t joint = 0;
    float weight = 0, wanted = 0;
};

class Fitter {
public:
    explicit Fitter(const VolumetricBody& body) : body_(body), shares_(body.point_count()), used_(body.point_count()) {
        for (std::size_t p = 0; p < shares_.size(); ++p)
            for (std::size_t k = 4 * p; k < 4 * p + 4; ++k)
                if (body.influences.weights[k] > 0) add(p, body.influences.joints[k], body.influences.weights[k]);
        const SkinWeights& own = body.surface.weights;
        const auto influences = std::size_t(own.influences);
        sum_.resize(body.surface.joints.size());
        for (std::size_t v = 0; v < vertices(); ++v) {
            float all = 0;
            for (std::size_t k = influences * v; k < influences * (v + 1); ++k) all += own.weights[k];
            scale_.push_back(all > 0 ? 1 / all : 0);
            if (!(all > 0)) continue;
            for (std::size_t c = 8 * v; c < 8 * v + 8; ++c) {
                used_[body.bound.points[c]] += body.bound.weights[c];
                for (std::size_t k = influences * v; k < influences * (v + 1); ++k)
                    if (own.weights[k] > 0 && body.bound.weights[c] > 0) add(body.bound.points[c], own.joints[k], 0);
            }
        }
    }

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

    void add(std::size_t point, std::uint16_t joint, float weight) {
        for (Share& s : shares_[point])
            if (s.joint == joint) return void(s.weight += weight);
        shares_[point].push_back({joint, weight, 0});
    }

    /// Hands what a vertex misses to the points around it.
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
    std::vector<float> used_;                 ///< [points] by how much vertices lie at each
    std::vector<float> scale_;                ///< [vertices] 1 / sum of its weights, or 0
    std::vector<float> sum_;                  ///< [joints] zero between calls
};

}  // namespace

PointWeights fitted_weights(const VolumetricBody& body) {
    Fitter fitter(body);
    for (int round = 0; round < fitting_rounds; ++round) fitter.round();
    return fitter.result();
}

}  // namespace fascia
