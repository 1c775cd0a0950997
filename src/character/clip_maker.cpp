// Every matched joint gets the world rotation that its source has made since the motion's rest pose:
//     D(t) = G R(t) R(rest)^-1 G^-1 A
// G turns the motion's up and forward to the character's. A is the fixed rotation that takes the character's limb from
// its own rest direction (arms hanging in an A) to the motion's (arms out in a T), so that limbs point the same way at
// all times. The body travels in leg lengths, and stands as high above the ground as its lower foot says.
#include "character/clip_maker.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "character/ground_contact.h"
#include "character/rest_alignment.h"
#include "character/sole_points.h"

namespace fascia {
namespace {

/// A joint that follows the motion.
struct Driven {
    int node = -1;
    int first = -1, second = -1;  ///< indices in Motion::joints
    double share_of_second = 0;
    Quat alignment;
};

/// A foot or hand that does not hang on its limb: carried along by a translation of its own.
struct Detached {
    int node = -1;
    int carrier = -1;  ///< node of the limb's joint before it
};

/// Contact moves from heel to toe in a moment. Followed to the letter it would jolt the whole body, and all its flesh;
/// a tenth of a second of ease costs less than a hundredth of the size in contact.
std::vector<double> smoothed(const std::vector<double>& values, double seconds_between) {
    constexpr double kSigma = 0.1, kMostFrames = 300;
    const double sigma = std::clamp(kSigma / seconds_between, 1e-3, kMostFrames / 3);
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3 * sigma));
    const auto count = static_cast<std::ptrdiff_t>(values.size());
    std::vector<double> kernel, out;
    for (std::ptrdiff_t d = 0; d <= reach; ++d) {
        const double x = static_cast<double>(d) / sigma;
        kernel.push_back(std::exp(-0.5 * x * x));
    }
    for (std::ptrdiff_t f = 0; f < count; ++f) {
        double sum = 0, weights = 0;
        for (std::ptrdiff_t g = std::max<std::ptrdiff_t>(0, f - reach); g < std::min(count, f + reach + 1); ++g) {
            const double weight = kernel[static_cast<std::size_t>(g > f ? g - f : f - g)];
            sum += weight * values[static_cast<std::size_t>(g)];
            weights += weight;
        }
        out.push_back(sum / weights);
    }
    return out;
}

class ClipMaker {
public:
    ClipMaker(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
              const MotionStart& start, const JointMatching& matching)
        : character_(character),
          motion_(motion),
          rest_(rest),
          start_(start),
          anatomy_(anatomy),
          alignment_(align_rests(motion, start, rest.skeleton, anatomy, matching)),
          soles_(sole_points(character, rest, anatomy, alignment_.frame)),
          lift_(lift_above_ground(motion, start, alignment_.source_frame.up())) {
        for (const JointMatch& match : matching.matches) {
            if (rest.locals[rest.nodes[match.target]].fixed) continue;  // no clip can turn it
            driven_.push_back({rest.nodes[match.target], start.source.joints[match.first],
                               start.source.joints[match.second], match.share_of_second,
                               alignment_.turn[match.target]});
        }
        find_root(matching);
        find_detached();
        order_nodes();
        for (SolePoint& sole : soles_) sole.place = transform_point(inverse(rest.world[sole.node]), sole.place);
    }

    MadeClip make() {
        begin_channels();
        MadeClip made;
        const std::vector<double> rises = smoothed(needed_rises(), frame_time());
        MotionFrame frame = start_.rest;
        for (std::size_t f = start_.first_frame; f < motion_.frame_count(); ++f) {
            if (!evaluate_motion(motion_, f, frame)) ++made.refused_frames;
            pose_in_place(frame);
            const Vec3d shift = travel(frame) + alignment_.frame.up() * rises[keys_];
            chain_nodes(translation_of(rest_.world[root_node_]) + shift);
            write_keys();
        }
        hold_rest();
        made.clip = std::move(clip_);
        return made;
    }

private:
    // -- set up --

    /// The hips, or where there are none the topmost joint that is matched.
    void find_root(const JointMatching& matching) {
        const JointMatch* root = nullptr;
        for (const JointMatch& match : matching.matches) {
            if (match.target == anatomy_.hips) root = &match;
        }
        for (const JointMatch& match : matching.matches)
            if (!root) root = &match;
        root_node_ = rest_.nodes[root->target];
        root_source_ = start_.source.joints[root->first];
        if (anatomy_.has_legs() && start_.anatomy.has_legs()) {
            for (int s = 0; s < 2; ++s) {
                thigh_sources_.push_back(start_.source.joints[start_.anatomy.legs[s][limb_upper]]);
                thigh_nodes_.push_back(rest_.nodes[anatomy_.legs[s][limb_upper]]);
            }
        }
    }

    void find_detached() {
        for (const auto* limbs : {&anatomy_.arms, &anatomy_.legs}) {
            for (const Limb& limb : *limbs) {
                int before = limb[limb_lower];
                for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
                    const int joint = limb[part];
                    if (joint < 0 || before < 0) continue;
                    if (!rest_.skeleton.is_above(before, joint))
                        detached_.push_back({rest_.nodes[joint], rest_.nodes[before]});
                    before = joint;
                }
            }
        }
    }

    /// Parents first, and what is detached after all that may carry it.
    void order_nodes() {
        std::vector<bool> late(character_.nodes.size(), false);
        for (std::size_t n = 0; n < character_.nodes.size(); ++n) {
            const int parent = character_.nodes[n].parent;
            late[n] = (parent >= 0 && late[parent]) || detached_carrier(static_cast<int>(n)) >= 0;
        }
        for (bool wanted : {false, true})
            for (std::size_t n = 0; n < character_.nodes.size(); ++n)
                if (late[n] == wanted) order_.push_back(static_cast<int>(n));
    }

    int detached_carrier(int node) const {
        for (const Detached& detached : detached_)
            if (detached.node == node) return detached.carrier;
        return -1;
    }

    void begin_channels() {
        driven_at_.assign(character_.nodes.size(), -1);
        for (std::size_t i = 0; i < driven_.size(); ++i) driven_at_[driven_[i].node] = static_cast<int>(i);
        has_translation_.assign(character_.nodes.size(), false);
        world_.resize(character_.nodes.size());
        locals_ = rest_.locals;
        clip_.name = motion_.name;
        for (const Driven& driven : driven_) add_channel(driven.node, Channel::Path::rotation);
        add_channel(root_node_, Channel::Path::translation);
        for (const Detached& detached : detached_) add_channel(detached.node, Channel::Path::translation);
    }

    void add_channel(int node, Channel::Path path) {
        Channel channel;
        channel.node = node;
        channel.path = path;
        if (path == Channel::Path::translation) has_translation_[node] = true;
        clip_.channels.push_back(std::move(channel));
    }

    // -- one frame --

    /// What the character's travel follows: the middle between the thighs where both have them, else the root.
    Vec3d source_root(const MotionFrame& frame) const {
        if (thigh_sources_.empty()) return frame.positions[root_source_];
        return (frame.positions[thigh_sources_[0]] + frame.positions[thigh_sources_[1]]) * 0.5;
    }
    Vec3d target_root(const std::vector<Affine>& world) const {
        if (thigh_nodes_.empty()) return translation_of(world[root_node_]);
        return (translation_of(world[thigh_nodes_[0]]) + translation_of(world[thigh_nodes_[1]])) * 0.5;
    }

    /// World rotation that a joint of the motion has made since its rest, in the character's space.
    Quat turn_since_rest(const MotionFrame& frame, int joint) const {
        const Quat turn = frame.rotations[joint] * conjugate(start_.rest.rotations[joint]);
        return alignment_.to_target * turn * conjugate(alignment_.to_target);
    }

    Quat target_turn(const MotionFrame& frame, const Driven& driven) const {
        Quat turn = turn_since_rest(frame, driven.first);
        if (driven.share_of_second > 0)
            turn = slerp(turn, turn_since_rest(frame, driven.second), driven.share_of_second);
        return normalized(turn * driven.alignment);
    }

    /// Turned as in the frame, with the hips still where they are at rest.
    void pose_in_place(const MotionFrame& frame) {
        turns_.resize(character_.nodes.size());
        for (const Driven& driven : driven_) turns_[driven.node] = target_turn(frame, driven);
        chain_nodes(translation_of(rest_.world[root_node_]));
    }

    /// From there, as far as the motion has gone since its first frame, and as much higher as it is than at rest.
    Vec3d travel(const MotionFrame& frame) const {
        const Vec3d up = alignment_.source_frame.up();
        const Vec3d along = source_root(frame) - first_root_;
        const double rise = dot(source_root(frame) - source_root(start_.rest), up);
        const Vec3d way = rotate(alignment_.to_target, along + up * (rise - dot(along, up))) * alignment_.scale;
        return target_root(rest_.world) + way - target_root(world_);
    }

    /// For each frame: how much must be added to the travel for the lower foot to be as high above the ground as the
    /// motion's. Other proportions and floors that drift ask for it.
    std::vector<double> needed_rises() {
        std::vector<double> rises;
        MotionFrame frame = start_.rest;
        for (std::size_t f = start_.first_frame; f < motion_.frame_count(); ++f) {
            evaluate_motion(motion_, f, frame);
            if (f == start_.first_frame) first_root_ = source_root(frame);
            if (soles_.empty() || lift_.empty()) {
                rises.push_back(0);
                continue;
            }
            pose_in_place(frame);
            double low = std::numeric_limits<double>::infinity();
            for (const SolePoint& sole : soles_)
                low = std::min(
                    low, dot(transform_point(world_[sole.node], sole.place), alignment_.frame.up()) - sole.ground);
            rises.push_back(lift_[rises.size()] * alignment_.scale - low - dot(travel(frame), alignment_.frame.up()));
        }
        return rises;
    }

    void chain_nodes(Vec3d root_place) {
        for (int n : order_) {
            const int above = character_.nodes[n].parent;
            const Affine parent = above >= 0 ? world_[above] : Affine{};
            CharacterRest::Local& local = locals_[n];
            if (driven_at_[n] >= 0) local.rotation = local_rotation(n, parent);
            if (n == root_node_) local.translation = transform_point(inverse(parent), root_place);
            const int carrier = detached_carrier(n);
            if (carrier >= 0) {
                const Vec3d seen_from_carrier =
                    transform_point(inverse(rest_.world[carrier]), translation_of(rest_.world[n]));
                local.translation =
                    transform_point(inverse(parent), transform_point(world_[carrier], seen_from_carrier));
            }
            world_[n] = parent * local.composed();
        }
    }

    /// The local rotation that gives node n its rest orientation turned by turns_[n] in the world.
    Quat local_rotation(int n, const Affine& parent) const {
        const Affine wanted = compose({}, turns_[n], {1, 1, 1}) * rest_.world[n];
        Vec3d translation, scale;
        Quat rotation;
        decompose(inverse(parent) * wanted, translation, rotation, scale);
        return rotation;
    }

    // -- keys --

    void write_keys() {
        const double seconds = static_cast<double>(keys_) * frame_time();
        for (Channel& channel : clip_.channels) {
            const CharacterRest::Local& local = locals_[channel.node];
            channel.times.push_back(static_cast<float>(seconds));
            if (channel.path == Channel::Path::rotation) {
                push_rotation(channel, local.rotation);
            } else {
                push(channel, {local.translation.x, local.translation.y, local.translation.z});
            }
        }
        clip_.duration = static_cast<float>(seconds);
        ++keys_;
    }

    static void push(Channel& channel, std::initializer_list<double> numbers) {
        for (double number : numbers) channel.values.push_back(static_cast<float>(number));
    }

    /// Of the two signs of a rotation the one nearer to the key before: others may interpolate without looking.
    static void push_rotation(Channel& channel, Quat q) {
        const std::size_t n = channel.values.size();
        if (n >= 4) {
            const float* last = channel.values.data() + n - 4;
            if (q.x * last[0] + q.y * last[1] + q.z * last[2] + q.w * last[3] < 0) q = {-q.w, -q.x, -q.y, -q.z};
        }
        push(channel, {q.x, q.y, q.z, q.w});
    }

    double frame_time() const {
        return std::isfinite(motion_.frame_time) && motion_.frame_time > 0 ? motion_.frame_time : 1.0 / 30;
    }

    /// Joints that the motion does not move stand as they were bound, also where the file's default pose is another.
    void hold_rest() {
        for (int node : rest_.nodes) {
            const Node& file = character_.nodes[node];
            const CharacterRest::Local& local = rest_.locals[node];
            if (local.fixed || file.matrix) continue;
            const double reach = 1e-6 * (length(local.translation) + length(file.translation)) + 1e-12;
            if (!has_translation_[node] && length(local.translation - file.translation) > reach)
                hold(node, Channel::Path::translation, {local.translation.x, local.translation.y, local.translation.z});
            if (driven_at_[node] < 0 && std::abs(dot(local.rotation, normalized(file.rotation))) < 1 - 1e-12)
                hold(node, Channel::Path::rotation,
                     {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w});
            if (length(local.scale - file.scale) > 1e-5 * length(file.scale))
                hold(node, Channel::Path::scale, {local.scale.x, local.scale.y, local.scale.z});
        }
    }

    void hold(int node, Channel::Path path, std::initializer_list<double> numbers) {
        add_channel(node, path);
        clip_.channels.back().times = {0};
        push(clip_.channels.back(), numbers);
    }

    const Character& character_;
    const Motion& motion_;
    const CharacterRest& rest_;
    const MotionStart& start_;
    const Anatomy& anatomy_;

    RestAlignment alignment_;
    std::vector<SolePoint> soles_;  ///< places in their node's own space
    std::vector<double> lift_;      ///< [frames]
    std::vector<Driven> driven_;
    std::vector<Detached> detached_;
    std::vector<int> order_, driven_at_;
    std::vector<bool> has_translation_;
    int root_node_ = -1, root_source_ = -1;
    std::vector<int> thigh_sources_, thigh_nodes_;
    Vec3d first_root_;

    std::vector<Quat> turns_;
    std::vector<CharacterRest::Local> locals_;
    std::vector<Affine> world_;
    Clip clip_;
    std::size_t keys_ = 0;
};

}  // namespace

MadeClip make_clip(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
                   const MotionStart& start, const JointMatching& matching) {
    return ClipMaker(character, rest, anatomy, motion, start, matching).make();
}

}  // namespace fascia
