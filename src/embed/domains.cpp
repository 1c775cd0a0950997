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
/// A system that is larger is parted: setting it up takes the cube of its samples, a frame as many as there are.
constexpr std::size_t most_samples = 64;
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

/// From 0 to 1 while x goes from -1 to 1; so smooth that even shading does not show where it begins.
double rising(double x) {
    const double t = std::clamp(0.5 + 0.5 * x, 0.0, 1.0);
    return t * t * t * (10 + t * (6 * t - 15));
}

/// One side of a plane.
struct Cut {
    Vec3d axis;  ///< of length 1
    double limit = 0;
    bool upper = false;

    /// How far a place lies on this side.
    double inside(Vec3d at) const { return upper ? dot(axis, at) - limit : limit - dot(axis, at); }
};

/// What a domain is of the part that follows one joint: all of it, or what some planes leave.
struct Piece {
    std::uint32_t joint = 0;
    std::vector<Cut> cuts;

    bool contains(Vec3d at) const {
        return std::all_of(cuts.begin(), cuts.end(), [&](const Cut& c) { return c.inside(at) >= 0; });
    }
};

class Finder {
public:
    explicit Finder(const DomainInput& input) : in_(input), weld_(welded(input.positions)) {
        domain_.resize(in_.positions.size());
        for (std::size_t v = 0; v < domain_.size(); ++v) domain_[v] = in_.joints[weld_[v]];
        find_edges();
        merge_small();
    }

    Domains run() {
        for (const auto& [joint, samples] : samples_by_domain()) part({joint, {}}, samples);
        Domains out;
        for (std::size_t v = 0; v < domain_.size(); ++v)
            out.of_vertex.push_back(piece_at(domain_[v], to_double(in_.positions[v])));
        out.samples.resize(pieces_.size());
        std::vector<std::vector<DomainShare>> shares(in_.positions.size());
        for (std::uint32_t first = 0, last = 0; first < pieces_.size(); first = last) {
            while (last < pieces_.size() && pieces_[last].joint == pieces_[first].joint) ++last;
            add_shares(first, last, shares);
        }
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

    /// Halves a large piece across its longest direction, as often as it takes.
    void part(Piece piece, const std::vector<std::uint32_t>& samples) {
        if (samples.size() > most_samples) {
            Vec3d middle;
            for (const std::uint32_t s : samples) middle += in_.places[s] * (1 / double(samples.size()));
            const auto far = [&](std::uint32_t s) { return length(in_.places[s] - middle); };
            const std::uint32_t furthest = *std::max_element(
                samples.begin(), samples.end(), [&](std::uint32_t a, std::uint32_t b) { return far(a) < far(b); });
            Cut cut{(in_.places[furthest] - middle) * (1 / far(furthest)), 0, false};
            std::vector<double> along;
            for (const std::uint32_t s : samples) along.push_back(dot(cut.axis, in_.places[s]));
            std::nth_element(along.begin(), along.begin() + std::ptrdiff_t(along.size() / 2), along.end());
            cut.limit = along[along.size() / 2];
            std::vector<std::uint32_t> lower, upper;
            for (const std::uint32_t s : samples) (cut.inside(in_.places[s]) >= 0 ? lower : upper).push_back(s);
            // Both halves have to stand alone.
            if (spans_space(in_.places, lower) && spans_space(in_.places, upper)) {
                Piece other = piece;
                piece.cuts.push_back(cut);
                cut.upper = true;
                other.cuts.push_back(cut);
                part(std::move(piece), lower);
                part(std::move(other), upper);
                return;
            }
        }
        pieces_.push_back(std::move(piece));
    }
    std::uint32_t piece_at(std::uint32_t joint, Vec3d at) const {
        std::uint32_t out = 0;
        for (std::uint32_t k = 0; k < pieces_.size(); ++k) {
            if (pieces_[k].joint != joint) continue;
            out = k;
            if (pieces_[k].contains(at)) break;
        }
        return out;
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

    /// Of the pieces that one joint has: along the surface to its neighbours, across planes among themselves.
    void add_shares(std::uint32_t begin, std::uint32_t end, std::vector<std::vector<DomainShare>>& shares) const {
        const double width = std::max(in_.width, 2 * mean_edge_);
        const auto inside = [&](std::uint32_t v) { return domain_[v] == pieces_[begin].joint; };
        const std::vector<double> out = distances([&](std::uint32_t v) { return inside(v); }, width),
                                  in = distances([&](std::uint32_t v) { return !inside(v); }, width);
        for (std::uint32_t v = 0; v < in_.positions.size(); ++v) {
            if (weld_[v] != v) continue;
            const double beyond = inside(v) ? -std::min(in[v], width) : std::min(out[v], width);
            const double all = rising(-beyond / width);
            for (std::uint32_t k = begin; k < end && all > least_share; ++k) {
                double share = all;
                for (const Cut& cut : pieces_[k].cuts) share *= rising(cut.inside(to_double(in_.positions[v])) / width);
                if (share > least_share) shares[v].push_back({k, share});
            }
        }
    }

    void add_sample(std::uint32_t s, const std::vector<std::vector<DomainShare>>& shares, Domains& out) const {
        // Its own in any case: the corners of a large triangle may be far away.
        std::vector<std::uint32_t> counted{piece_at(domain_of(in_.samples[s]), in_.places[s])};
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
    std::vector<Piece> pieces_;  ///< those of one joint beside each other
};

}  // namespace

Domains find_domains(const DomainInput& input) {
    return Finder(input).run();
}

}  // namespace fascia::embedding
