#include "close_ups.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace fascia::cli {

namespace {

constexpr double least_difference = 1e-3;                 // of the size; less cannot be seen
constexpr double apart = 0.15;                            // of the size; points closer than this count as one
constexpr double least_around = 0.07, most_around = 0.3;  // of the size; how much is shown around a point

class Keeper final : public FrameSink {
public:
    Keeper(std::vector<KeptFrame>& kept, std::vector<std::size_t> frames) : kept_(kept), frames_(std::move(frames)) {}
    Status frame(const BakedFrame& f) override {
        if (std::find(frames_.begin(), frames_.end(), f.index) == frames_.end()) return ok_status();
        const auto copy = [](std::span<const Vec3> values) { return std::vector<Vec3>(values.begin(), values.end()); };
        kept_.push_back({f.index, f.time, copy(f.positions), copy(f.normals), copy(f.fully_skinned), f.pose});
        return ok_status();
    }

private:
    std::vector<KeptFrame>& kept_;
    std::vector<std::size_t> frames_;
};

/// How far apart two surfaces are at a vertex: along the normal, because sliding within the surface cannot be seen.
double gap_at(std::size_t v, const KeptFrame& a, const KeptFrame& b) {
    const Vec3 d = a.positions[v] - b.positions[v];
    const double gap = static_cast<double>(std::max(std::abs(dot(d, a.normals[v])), std::abs(dot(d, b.normals[v]))));
    return std::isfinite(gap) ? gap : 0;
}

/// The joint that a vertex follows most.
const std::string& joint_of(const Character& character, std::size_t vertex) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    return character.joints[character.weights.joints[vertex * slots]].name;
}

/// Does the surface hide `place` from a viewer in the direction `to_viewer`?
bool is_hidden(const KeptFrame& frame, std::span<const std::uint32_t> triangles, Vec3d place, Vec3d to_viewer,
               double size) {
    const Vec3d from = place + to_viewer * (0.02 * size);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = to_double(frame.positions[triangles[t]]) - from,
                    b = to_double(frame.positions[triangles[t + 1]]) - from,
                    c = to_double(frame.positions[triangles[t + 2]]) - from;
        const double u = dot(to_viewer, cross(b, c)), v = dot(to_viewer, cross(c, a)), w = dot(to_viewer, cross(a, b));
        const bool crossed = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
        if (crossed && u + v + w != 0 &&
            (dot(a, to_viewer) * u + dot(b, to_viewer) * v + dot(c, to_viewer) * w) / (u + v + w) > 0)
            return true;
    }
    return false;
}

Vec3d direction_to_viewer(double yaw, double pitch) {
    return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

}  // namespace

std::unique_ptr<FrameSink> CloseUps::watch(const std::string& method, const std::vector<std::size_t>& frames) {
    takes_.push_back({method, {}});
    return std::make_unique<Keeper>(takes_.back().frames, frames);
}

std::vector<CloseUps::Place> CloseUps::find_places(std::size_t most) const {
    // For each vertex, the frame in which two methods differ most there.
    std::vector<Place> best;
    for (std::size_t v = 0; v < character_.mesh.vertex_count(); ++v) {
        Place place{0, v, 0};
        for (auto a = takes_.begin(); a != takes_.end(); ++a)
            for (auto b = std::next(a); b != takes_.end(); ++b)
                for (std::size_t f = 0; f < std::min(a->frames.size(), b->frames.size()); ++f)
                    if (const double gap = gap_at(v, a->frames[f], b->frames[f]); gap > place.distance)
                        place = {f, v, gap};
        if (place.distance > least_difference * character_.size()) best.push_back(place);
    }
    std::stable_sort(best.begin(), best.end(), [](const Place& a, const Place& b) { return a.distance > b.distance; });
    std::vector<Place> places;
    const std::vector<Vec3>& rest = character_.mesh.positions;
    for (const Place& place : best) {
        if (places.size() == most) break;
        const auto near = [&](const Place& other) {
            return static_cast<double>(length(rest[place.vertex] - rest[other.vertex])) < apart * character_.size();
        };
        if (std::none_of(places.begin(), places.end(), near)) places.push_back(place);
    }
    return places;
}

View CloseUps::view_of_place(const Place& place, const Painter& painter) const {
    // The mean position over the methods, and the mean normal.
    Vec3d middle, normal;
    for (const Take& take : takes_) {
        const KeptFrame& frame = take.frames[place.frame];
        middle += to_double(frame.positions[place.vertex]) * (1.0 / static_cast<double>(takes_.size()));
        normal += to_double(frame.normals[place.vertex]);
    }
    View view = painter.camera().at(takes_.front().frames[place.frame].time);
    // A close-up shows about this much in its width or height, whichever is smaller.
    const double around =
        std::clamp(3 * place.distance, least_around * character_.size(), most_around * character_.size());
    const double across = std::min(1.0, static_cast<double>(painter.size().width) / painter.size().height);
    const double eighth = std::numbers::pi / 4;
    // The usual direction first, then ever further from the side, until the point can be seen.
    double best_score = -INFINITY, best_yaw = view.yaw;
    for (const int turn : {0, 1, -1, 2, -2, 3, -3, 4}) {
        const double yaw = view.yaw + turn * eighth;
        const Vec3d to_viewer = direction_to_viewer(yaw, view.pitch);
        double score = std::min(0.5, dot(normalized(normal), to_viewer)) - 0.06 * std::abs(turn);
        for (const Take& take : takes_) {
            const KeptFrame& frame = take.frames[place.frame];
            if (is_hidden(frame, character_.mesh.triangles, to_double(frame.positions[place.vertex]), to_viewer,
                          character_.size()))
                score -= 1;
        }
        if (score > best_score) best_score = score, best_yaw = yaw;
    }
    view.yaw = best_yaw;
    view.aim = Aim{middle, distance_to_see(2 * around / across)};
    return view;
}

void CloseUps::add_row(Painter& painter, std::size_t columns, ContactSheet& sheet) const {
    if (takes_.size() < 2) return;
    const std::vector<Place> places = find_places(std::max<std::size_t>(1, columns / takes_.size()));
    if (places.empty()) return;
    sheet.begin_row("where they differ most");
    for (const Place& place : places) {
        const View view = view_of_place(place, painter);
        for (const Take& take : takes_) {
            const KeptFrame& frame = take.frames[place.frame];
            sheet.cell(painter.paint(frame.frame(), view),
                       fmt::format("{}, {:.2f} s, {}", take.method, frame.time, joint_of(character_, place.vertex)));
        }
    }
}

}  // namespace fascia::cli
