#include "motion_survey.h"

#include <algorithm>
#include <cmath>

#include "fascia/pose.h"

namespace fascia::cli {

namespace {

constexpr std::size_t most_points = 4096;  // of the figure at most, and as many of the framed part

/// Indices spread evenly over 0..count-1.
std::vector<std::uint32_t> spread(std::size_t count) {
    std::vector<std::uint32_t> out;
    const std::size_t step = (count + most_points - 1) / most_points;
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(step, 1))
        out.push_back(static_cast<std::uint32_t>(i));
    return out;
}

/// A VRM 0 avatar faces -z: its left leg is on the side of -x.
bool faces_backwards(const Character& character) {
    const auto place = [&](const char* bone) {
        for (const HumanoidBone& h : character.humanoid)
            if (h.bone == bone)
                for (const Joint& joint : character.joints)
                    if (joint.node == h.node) return translation_of(joint.rest).x;
        return 0.0;
    };
    return place("leftUpperLeg") < place("rightUpperLeg");
}

/// A rest position, and the vertex whose weights carry it.
struct Sample {
    Vec3d rest;
    std::uint32_t vertex;
};

std::uint32_t nearest_vertex(const Mesh& mesh, const std::vector<Sample>& samples, Vec3 place) {
    std::uint32_t nearest = 0;
    float least = INFINITY;
    for (const Sample& s : samples) {
        const float distance = length(mesh.positions[s.vertex] - place);
        if (distance < least) least = distance, nearest = s.vertex;
    }
    return nearest;
}

class Surveyor {
public:
    Surveyor(const Character& character, const Clip& clip, const std::vector<std::uint32_t>& framed)
        : character_(character),
          clip_(clip),
          rigid_(spread(character.rigid.vertex_count())),
          forward_{0, 0, faces_backwards(character) ? -1.0 : 1.0},
          flesh_(character.joints.size(), 0.0) {
        for (const Joint& joint : character.joints) unpose_.push_back(inverse(joint.rest));
        const std::vector<Vec3>& rest = character.mesh.positions;
        for (const std::uint32_t v : spread(rest.size())) body_.push_back({to_double(rest[v]), v});
        // Clothes move with the nearest skin.
        const std::vector<Sample> skin = body_;
        for (const std::uint32_t v : spread(character.attached.vertex_count())) {
            const Vec3 place = character.attached.positions[v];
            body_.push_back({to_double(place), nearest_vertex(character.mesh, skin, place)});
        }
        for (const std::uint32_t i : spread(framed.size())) framed_.push_back({to_double(rest[framed[i]]), framed[i]});
        for (const Sample& s : body_) each_weight(s.vertex, [&](std::size_t joint, double w) { flesh_[joint] += w; });
        evaluate(character, nullptr, 0, pose_);
        at_first_ = pose_.nodes;
    }

    /// The figure as the file shows it without a clip.
    double lowest_at_rest() {
        evaluate(character_, nullptr, 0, pose_);
        std::vector<Vec3> points;
        for (const Sample& s : body_) points.push_back(to_float(s.rest));
        for (const std::uint32_t v : rigid_) points.push_back(placed_rigid(v));
        return lowest_height(points);
    }

    Moment look(double time) {
        pose(time);
        Moment moment{time, {}, {}, {}, true};
        for (const Sample& s : body_) moment.points.push_back(placed(s));
        for (const std::uint32_t v : rigid_) moment.points.push_back(placed_rigid(v));
        const View all = view_of(moment.points);
        moment.box_min = all.box_min;
        moment.box_max = all.box_max;
        lowest_ = lowest_height(moment.points);
        if (framed_.empty()) return moment;
        moment.points.clear();
        for (const Sample& s : framed_) moment.points.push_back(placed(s));
        return moment;
    }
    /// At the moment last looked at.
    double lowest() const { return lowest_; }
    Vec3d facing() const {
        Vec3d sum;
        for (std::size_t j = 0; j < flesh_.size(); ++j) sum += transform_vector(carry_[j], forward_) * flesh_[j];
        for (const std::uint32_t v : rigid_) {
            const std::size_t node = node_of(v);
            sum += transform_vector(pose_.nodes[node] * inverse(at_first_[node]), forward_);
        }
        return {sum.x, 0, sum.z};
    }

private:
    void pose(double time) {
        evaluate(character_, &clip_, time, pose_);
        carry_.clear();
        for (std::size_t j = 0; j < unpose_.size(); ++j) carry_.push_back(pose_.joints[j] * unpose_[j]);
    }
    template <class Visit>
    void each_weight(std::size_t vertex, const Visit& visit) const {
        const SkinWeights& weights = character_.weights;
        const auto slots = static_cast<std::size_t>(weights.influences);
        for (std::size_t k = vertex * slots; k < (vertex + 1) * slots; ++k)
            if (weights.weights[k] > 0) visit(weights.joints[k], static_cast<double>(weights.weights[k]));
    }
    Vec3 placed(const Sample& sample) const {
        Vec3d sum;
        each_weight(sample.vertex,
                    [&](std::size_t joint, double w) { sum += transform_point(carry_[joint], sample.rest) * w; });
        return to_float(sum);
    }
    /// The node that carries a rigid vertex.
    std::size_t node_of(std::uint32_t vertex) const {
        for (const Part& part : character_.rigid.parts) {
            const auto first = static_cast<std::uint32_t>(part.first_vertex);
            if (vertex >= first && vertex < first + static_cast<std::uint32_t>(part.vertex_count))
                return static_cast<std::size_t>(part.node);
        }
        return 0;
    }
    Vec3 placed_rigid(std::uint32_t vertex) const {
        return to_float(transform_point(pose_.nodes[node_of(vertex)], to_double(character_.rigid.positions[vertex])));
    }

    const Character& character_;
    const Clip& clip_;
    std::vector<Sample> body_, framed_;
    std::vector<std::uint32_t> rigid_;
    Vec3d forward_;
    std::vector<double> flesh_;           ///< [joints] how much of the figure follows each
    std::vector<Affine> unpose_, carry_;  ///< [joints]
    std::vector<Affine> at_first_;        ///< [nodes] as the file shows them without a clip
    Pose pose_;
    double lowest_ = 0;
};

/// The direction that the figure mostly faces, or faces at the beginning if it keeps turning around.
double heading_of(const std::vector<Vec3d>& facing) {
    Vec3d sum;
    double lengths = 0;
    for (const Vec3d f : facing) {
        sum += f;
        lengths += length(f);
    }
    if (length(sum) < 0.5 * lengths) sum = facing.front();
    return length(sum) > 0 ? std::atan2(sum.x, sum.z) : 0;
}

}  // namespace

MotionSurvey survey_motion(const Character& character, const Clip& clip, const std::vector<double>& times,
                           const std::vector<std::uint32_t>& framed) {
    Surveyor surveyor(character, clip, framed);
    MotionSurvey survey;
    std::vector<double> lowest;
    std::vector<Vec3d> facing;
    survey.size = 0;
    for (const double time : times) {
        survey.moments.push_back(surveyor.look(time));
        lowest.push_back(surveyor.lowest());
        facing.push_back(surveyor.facing());
        const Vec3d side = survey.moments.back().box_max - survey.moments.back().box_min;
        survey.size = std::max({survey.size, side.x, side.y, side.z});
    }
    survey.ground = ground_height(times, lowest, survey.size, surveyor.lowest_at_rest());
    survey.heading = heading_of(facing);
    return survey;
}

}  // namespace fascia::cli
