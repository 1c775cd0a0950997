#include "embed/domains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

namespace fascia::embedding {

namespace {

/// A domain needs this many samples, not all in a plane.
constexpr std::size_t fewest_samples = 6;
/// As a share of their extent: thinner sets of samples are flat.
constexpr double thin_samples = 0.02;
/// A domain whose share at a vertex is smaller is ignored there.
constexpr double least_share = 1e-3;
constexpr double never = std::numeric_limits<double>::infinity();

/// Vertices at one place count as one: seams of textures and normals cut nothing.
std::vector<std::uint32_t> welded(std::span<const Vec3> positions) {
    std::vector<std::uint32_t> order(positions.size()), out(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t v) { return std::array{positions[v].x, positions[v].y, positions[v].z}; };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    for (std::size_t k = 0; k < order.size(); ++k)
        out[order[k]] = k > 0 && key(order[k]) == key(order[k - 1]) ? out[order[k - 1]] : order[k];
    return out;
}

bool spans_space(std::span<const Vec3d> places, std::span<const std::uint32_t> which) {
    if (which.size() < fewest_samples) return false;
    Vec3d middle;
    for (const std::uint32_t s : which) middle += places[s];
    middle = middle * (1 / double(which.size()));
    std::vector<Vec3d> left;
    for (const std::uint32_t s : which) left.push_back(places[s] - middle);
    double widest = 0;
    for (int round = 0; round < 3; ++round) {
        const auto far =
            std::max_element(left.begin(), left.end(), [](Vec3d a, Vec3d b) { return dot(a, a) < dot(b, b); });
        const double extent = length(*far);
        if (!(extent > thin_samples * widest) || !(extent > 0)) return false;
        widest = std::max(widest, extent);
        const Vec3d axis = *far * (1 / extent);
        for (Vec3d& v : left) v = v - axis * dot(axis, v);
    }
    return true;
}

class Finder {
public:
    explicit Finder(const DomainInput& input) : in_(input), weld_(welded(input.positions)) {
        domain_.resize(in_.positions.size());
        for (std::size_t v = 0; v < domain_.size(); ++v) domain_[v] = in_.joints[weld_[v]];
        find_edges();
        merge_small();
    }

    Domains run() {
        number();
        Domains out;
        out.of_vertex = domain_;
        out.samples.resize(count_);
        std::vector<std::vector<DomainShare>> shares(in_.positions.size());
        for (std::uint32_t d = 0; d < count_; ++d) add_shares(d, shares);
        out.first.push_back(0);
        for (std::size_t v = 0; v < in_.positions.size(); ++v) {
            std::vector<DomainShare>& own = shares[weld_[v]];
            double sum = 0;
            for (const DomainShare& s : own) sum += s.share;
            for (const DomainShare& s : own) out.shares.push_back({s.domain, s.share / sum});
            out.first.push_back(std::uint32_t(out.shares.size()));
        }
        for (std::uint32_t s = 0; s < in_.samples.size(); ++s) add_sample(s, shares, out);
        return out;
    }

private:
    void find_edges() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (std::size_t t = 0; t + 2 < in_.triangles.size(); t += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = weld_[in_.triangles[t + k]], b = weld_[in_.triangles[t + (k + 1) % 3]];
                if (a != b) edges.push_back({a, b}), edges.push_back({b, a});
            }
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        edge_first_.assign(in_.positions.size() + 1, 0);
        for (const auto& [a, b] : edges) ++edge_first_[a + 1], edge_to_.push_back(b);
        std::partial_sum(edge_first_.begin(), edge_first_.end(), edge_first_.begin());
        double sum = 0;
        for (const auto& [a, b] : edges) sum += distance(a, b);
        if (!edges.empty()) mean_edge_ = sum / double(edges.size());
    }
    double distance(std::uint32_t a, std::uint32_t b) const {
        return length(to_double(in_.positions[b]) - to_double(in_.positions[a]));
    }

    /// The domain of a sample: that of the corner of its triangle that is nearest.
    std::uint32_t domain_of(const SurfaceSample& sample) const {
        const auto nearest =
            std::size_t(std::max_element(sample.shares.begin(), sample.shares.end()) - sample.shares.begin());
        return domain_[sample.vertices[nearest]];
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> samples_by_domain() const {
        std::map<std::uint32_t, std::vector<std::uint32_t>> out;
        for (const std::uint32_t d : domain_) out[d];
        for (std::uint32_t s = 0; s < in_.samples.size(); ++s) out[domain_of(in_.samples[s])].push_back(s);
        return out;
    }

    void merge_small() {
        std::map<std::uint32_t, std::vector<std::uint32_t>> own = samples_by_domain();
        while (own.size() > 1) {
            // The smallest domain that cannot stand alone.
            auto small = own.end();
            for (auto it = own.begin(); it != own.end(); ++it)
                if (!spans_space(in_.places, it->second) &&
                    (small == own.end() || it->second.size() < small->second.size()))
                    small = it;
            if (small == own.end()) return;
            const std::uint32_t from = small->first, to = neighbour_of(from, own);
            std::vector<std::uint32_t>& gains = own[to];
            gains.insert(gains.end(), small->second.begin(), small->second.end());
            own.erase(from);
            for (std::uint32_t& d : domain_)
                if (d == from) d = to;
        }
    }
    /// The one with the longest common border; for a piece connected to nothing else, the nearest.
    std::uint32_t neighbour_of(std::uint32_t domain,
                               const std::map<std::uint32_t, std::vector<std::uint32_t>>& all) const {
        std::map<std::uint32_t, std::size_t> border;
        Vec3d middle;
        double members = 0;
        for (std::uint32_t v = 0; v < domain_.size(); ++v) {
            if (domain_[v] != domain) continue;
            middle += to_double(in_.positions[v]);
            members += 1;
            for (std::uint32_t e = edge_first_[v]; e < edge_first_[v + 1]; ++e)
                if (domain_[edge_to_[e]] != domain) ++border[domain_[edge_to_[e]]];
        }
        std::uint32_t best = domain;
        std::size_t longest = 0;
        for (const auto& [other, edges] : border)
            if (edges > longest) longest = edges, best = other;
        if (longest > 0) return best;
        middle = middle * (1 / std::max(members, 1.0));
        double nearest = never;
        for (std::uint32_t v = 0; v < domain_.size(); ++v) {
            if (domain_[v] == domain) continue;
            const double far = length(to_double(in_.positions[v]) - middle);
            if (far < nearest) nearest = far, best = domain_[v];
        }
        return best != domain ? best : all.begin()->first != domain ? all.begin()->first : all.rbegin()->first;
    }

    void number() {
        std::vector<std::uint32_t> names = domain_;
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        for (std::uint32_t& d : domain_)
            d = std::uint32_t(std::lower_bound(names.begin(), names.end(), d) - names.begin());
        count_ = std::uint32_t(names.size());
    }

    /// Distance along edges to the nearest vertex where `from` is true; infinite beyond the width.
    template <class From>
    std::vector<double> distances(From from, double width) const {
        std::vector<double> out(in_.positions.size(), never);
        using Entry = std::pair<double, std::uint32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
        for (std::uint32_t v = 0; v < out.size(); ++v)
            if (weld_[v] == v && from(v)) {
                out[v] = 0;
                // Only vertices at the border have anything to pass on.
                bool border = false;
                for (std::uint32_t e = edge_first_[v]; e < edge_first_[v + 1]; ++e) border |= !from(edge_to_[e]);
                if (border) next.push({0, v});
            }
        while (!next.empty()) {
            const auto [far, v] = next.top();
            next.pop();
            if (far > out[v]) continue;
            for (std::uint32_t e = edge_first_[v]; e < edge_first_[v + 1]; ++e) {
                const double there = far + distance(v, edge_to_[e]);
                if (there < width && there < out[edge_to_[e]]) {
                    out[edge_to_[e]] = there;
                    next.push({there, edge_to_[e]});
                }
            }
        }
        return out;
    }

    void add_shares(std::uint32_t d, std::vector<std::vector<DomainShare>>& shares) const {
        const double width = std::max(in_.width, 2 * mean_edge_);
        const auto inside = [&](std::uint32_t v) { return domain_[v] == d; };
        const std::vector<double> out = distances([&](std::uint32_t v) { return inside(v); }, width),
                                  in = distances([&](std::uint32_t v) { return !inside(v); }, width);
        for (std::uint32_t v = 0; v < in_.positions.size(); ++v) {
            if (weld_[v] != v) continue;
            const double beyond = inside(v) ? -std::min(in[v], width) : std::min(out[v], width);
            const double x = 0.5 - 0.5 * beyond / width;
            const double share = x * x * (3 - 2 * x);
            if (share > least_share) shares[v].push_back({d, share});
        }
    }

    void add_sample(std::uint32_t s, const std::vector<std::vector<DomainShare>>& shares, Domains& out) const {
        std::vector<std::uint32_t> counted;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(in_.samples[s].shares[k] > 0)) continue;
            for (const DomainShare& share : shares[weld_[in_.samples[s].vertices[k]]]) counted.push_back(share.domain);
        }
        std::sort(counted.begin(), counted.end());
        counted.erase(std::unique(counted.begin(), counted.end()), counted.end());
        for (const std::uint32_t d : counted) out.samples[d].push_back(s);
    }

    const DomainInput& in_;
    std::vector<std::uint32_t> weld_, domain_, edge_first_, edge_to_;
    double mean_edge_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace

Domains find_domains(const DomainInput& input) {
    return Finder(input).run();
}

}  // namespace fascia::embedding
