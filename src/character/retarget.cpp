// A motion of one skeleton on a character of another.
//
// Every matched joint gets the world rotation that its source has made since the motion's rest pose:
//     D(t) = G R(t) R(rest)^-1 G^-1 A
// G turns the motion's up and forward to the character's. A is the fixed rotation that takes the character's limb from
// its own rest direction (arms hanging in an A) to the motion's (arms out in a T), so that limbs point the same way at
// all times. The hips travel in leg lengths, and stand as high above the ground as the lower foot says.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "character/anatomy.h"
#include "character/body_frame.h"
#include "character/character_rest.h"
#include "character/joint_matching.h"
#include "character/motion_frames.h"
#include "fascia/pose.h"
#include "fascia/settings.h"

namespace fascia {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180;

// ---- the motion's rest ---------------------------------------------------------------------------

struct MotionStart {
    MotionFrame rest;
    MotionSkeleton source;
    Anatomy anatomy;
    std::size_t first_frame = 0;  ///< where playing starts
    std::string assumption;
};

void set_rest(const Motion& motion, MotionStart& start) {
    start.source = skeleton_of(motion, start.rest);
    start.anatomy = find_anatomy(start.source.skeleton);
}

Result<MotionStart> start_of(const Motion& motion, MotionRest wanted) {
    MotionStart start;
    const bool apart = first_frame_stands_apart(motion);
    const bool use_first = wanted == MotionRest::frame0 || (wanted == MotionRest::automatic && apart);
    if (use_first) {
        if (!evaluate_motion(motion, 0, start.rest))
            return input_error(
                "frame 0 of \"" + motion.name +
                "\" has numbers that are not finite, so it cannot be the rest pose; use --bvh-rest zero");
        set_rest(motion, start);
        start.first_frame = motion.frame_count() > 1 ? 1 : 0;
        start.assumption = apart ? "frame 0 of \"" + motion.name +
                                       "\" jumps away from frame 1: it is used as the rest pose and not played"
                                 : "frame 0 of \"" + motion.name + "\" is used as the rest pose and not played";
        return start;
    }
    evaluate_motion_zero(motion, start.rest);
    set_rest(motion, start);
    start.assumption = "the zero pose of \"" + motion.name + "\" is used as its rest pose";
    MotionFrame first;
    const bool upright = stands_upright(start.source.skeleton, start.anatomy);
    if (wanted == MotionRest::automatic && !upright && evaluate_motion(motion, 0, first)) {
        start.rest = first;
        set_rest(motion, start);
        start.assumption = "the zero pose of \"" + motion.name +
                           "\" does not stand upright, so its frame 0 is used as the rest pose (and played)";
    }
    return start;
}

// ---- names given by the user ---------------------------------------------------------------------

int find_joint(const Skeleton& skeleton, const std::string& name) {
    for (int j = 0; j < skeleton.size(); ++j)
        if (skeleton.names[j] == name) return j;
    for (int j = 0; j < skeleton.size(); ++j)
        if (comparable_name(skeleton.names[j]) == comparable_name(name)) return j;
    return -1;
}

Error unknown_joint(const Skeleton& skeleton, const std::string& owner, const std::string& name) {
    return usage_error("the joint map names \"" + name + "\", but \"" + owner +
                       "\" has no such joint; did you mean \"" + nearest_name(name, skeleton.names) + "\"?");
}

Result<std::vector<std::pair<int, int>>> explicit_pairs(const RetargetOptions& options, const Motion& motion,
                                                        const Skeleton& source, const Character& character,
                                                        const CharacterRest& target) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [from, to] : options.map) {
        const int s = find_joint(source, from);
        if (s < 0) return unknown_joint(source, motion.name, from);
        int t = find_joint(target.skeleton, to);
        // The reader makes equal joint names unique; both spellings are understood.
        for (const Joint& joint : character.joints)
            if (t < 0 && joint.name == to) t = target.joint_of_node[joint.node];
        if (t < 0) return unknown_joint(target.skeleton, character.name, to);
        pairs.emplace_back(s, t);
    }
    return pairs;
}

Anatomy anatomy_of(const Character& character, const CharacterRest& rest) {
    std::vector<std::pair<std::string, int>> bones;
    for (const HumanoidBone& bone : character.humanoid) {
        const bool known = bone.node >= 0 && bone.node < static_cast<int>(rest.joint_of_node.size());
        if (known) bones.emplace_back(bone.bone, rest.joint_of_node[bone.node]);
    }
    return bones.empty() ? find_anatomy(rest.skeleton) : anatomy_from_humanoid(rest.skeleton, bones);
}

// ---- rest poses reconciled -----------------------------------------------------------------------

Vec3d bone_direction(const Skeleton& skeleton, const Limb& limb, int part) {
    return skeleton.positions[limb[part + 1]] - skeleton.positions[limb[part]];
}

/// Feet stand flat at rest in both skeletons, whatever the slope of their bones: only the way they point is aligned.
Quat foot_alignment(Vec3d from, Vec3d to, Vec3d up) {
    const Vec3d a = from - up * dot(from, up), b = to - up * dot(to, up);
    constexpr double kLargest = 60 * kRadiansPerDegree;
    const bool flat_enough = length(a) > 0.3 * length(from) && length(b) > 0.3 * length(to);
    if (!flat_enough || dot(normalized(a), normalized(b)) < std::cos(kLargest)) return {};
    return shortest_rotation(a, b);
}

/// For each joint of the character: the rotation from its own rest to the motion's, in the character's space.
class Alignment {
public:
    Alignment(const Skeleton& source, const Anatomy& source_anatomy, const Skeleton& target,
              const Anatomy& target_anatomy, Quat to_target, Vec3d up)
        : source_(source), target_(target), to_target_(to_target), up_(up), rotations_(target.names.size()) {
        for (int s = 0; s < 2; ++s) {
            align_arm(source_anatomy, target_anatomy, s);
            align_leg(source_anatomy.legs[s], target_anatomy.legs[s]);
        }
    }

    Quat operator[](int joint) const { return rotations_[joint]; }

private:
    bool both_have(const Limb& a, const Limb& b, int part) const { return a[part] >= 0 && b[part] >= 0; }

    void set(int joint, Quat rotation) {
        if (joint >= 0) rotations_[joint] = rotation;
    }

    /// After `before`, the shortest rotation that brings the bone below `part` to the motion's direction.
    Quat follow_bone(const Limb& from, const Limb& to, int part, Quat before) const {
        if (!both_have(from, to, part) || !both_have(from, to, part + 1)) return before;
        const Vec3d wanted = rotate(to_target_, bone_direction(source_, from, part));
        return shortest_rotation(rotate(before, bone_direction(target_, to, part)), wanted) * before;
    }

    Quat align_bones(const Limb& from, const Limb& to) {
        const Quat upper = follow_bone(from, to, limb_upper, {});
        const Quat lower = follow_bone(from, to, limb_lower, upper);
        set(to[limb_upper], upper);
        set(to[limb_lower], lower);
        return lower;
    }

    void align_arm(const Anatomy& source, const Anatomy& target, int s) {
        const Quat forearm = align_bones(source.arms[s], target.arms[s]);
        set(target.arms[s][limb_end], forearm);
        for (const auto& finger : target.fingers[s])
            for (int joint : finger) set(joint, forearm);
    }

    void align_leg(const Limb& from, const Limb& to) {
        align_bones(from, to);
        if (!both_have(from, to, limb_end) || !both_have(from, to, limb_tip)) return;
        const Vec3d wanted = rotate(to_target_, bone_direction(source_, from, limb_end));
        const Quat foot = foot_alignment(bone_direction(target_, to, limb_end), wanted, up_);
        set(to[limb_end], foot);
        set(to[limb_tip], foot);
    }

    const Skeleton& source_;
    const Skeleton& target_;
    Quat to_target_;
    Vec3d up_;
    std::vector<Quat> rotations_;
};

/// How much larger the character is than the motion's skeleton: by the legs, else by all matched bones.
double scale_between(const Skeleton& source, const Anatomy& source_anatomy, const Skeleton& target,
                     const Anatomy& target_anatomy, const JointMatching& matching) {
    for (bool to_foot : {true, false}) {
        const double from = leg_length(source, source_anatomy, to_foot);
        const double to = leg_length(target, target_anatomy, to_foot);
        if (from > 0 && to > 0) return to / from;
    }
    std::vector<int> source_of(target.names.size(), -1);
    double from = 0, to = 0;
    for (const JointMatch& match : matching.matches) {
        source_of[match.target] = match.first;
        const int above = target.parents[match.target];
        if (above < 0 || source_of[above] < 0) continue;
        to += length(target.positions[match.target] - target.positions[above]);
        from += length(source.positions[match.first] - source.positions[source_of[above]]);
    }
    return from > 0 && to > 0 ? to / from : 1;
}

// ---- feet on the ground --------------------------------------------------------------------------

/// One foot joint in both skeletons.
struct FootPoint {
    int part = limb_end;
    int source = -1;  ///< index in Motion::joints
    int node = -1;    ///< of the character
};

std::vector<FootPoint> foot_points(const MotionStart& start, const CharacterRest& target, const Anatomy& anatomy) {
    std::vector<FootPoint> points;
    for (int s = 0; s < 2; ++s) {
        for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
            const int from = start.anatomy.legs[s][part], to = anatomy.legs[s][part];
            if (from >= 0 && to >= 0) points.push_back({part, start.source.joints[from], target.nodes[to]});
        }
    }
    return points;
}

/// How high above the ground each kind of foot joint is when the foot stands: what it comes down to again and again.
struct Clearance {
    double of_part[kLimbParts] = {};
};

Clearance measure_clearance(const Motion& motion, const MotionStart& start, const std::vector<FootPoint>& points,
                            Vec3d up) {
    std::vector<double> lowest[kLimbParts];
    MotionFrame frame = start.rest;
    for (std::size_t f = start.first_frame; f < motion.frame_count(); ++f) {
        if (!evaluate_motion(motion, f, frame)) continue;
        double now[kLimbParts];
        std::fill(std::begin(now), std::end(now), std::numeric_limits<double>::infinity());
        for (const FootPoint& point : points)
            now[point.part] = std::min(now[point.part], dot(frame.positions[point.source], up));
        for (int part = 0; part < kLimbParts; ++part)
            if (std::isfinite(now[part])) lowest[part].push_back(now[part]);
    }
    Clearance clearance;
    for (int part = 0; part < kLimbParts; ++part) {
        auto& values = lowest[part];
        if (values.empty()) continue;
        const auto rank = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 20);
        std::nth_element(values.begin(), rank, values.end());
        clearance.of_part[part] = *rank;
    }
    return clearance;
}

// ---- the clip ------------------------------------------------------------------------------------

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

class ClipMaker {
public:
    ClipMaker(const Character& character, const Motion& motion, const CharacterRest& rest, const MotionStart& start,
              const Anatomy& anatomy, const JointMatching& matching)
        : character_(character), motion_(motion), rest_(rest), start_(start), anatomy_(anatomy) {
        const Skeleton& source = start.source.skeleton;
        const BodyFrame target_frame = body_frame(rest.skeleton, anatomy, 20 * kRadiansPerDegree, 0);
        const BodyFrame source_frame =
            body_frame(source, start.anatomy, 30 * kRadiansPerDegree, 12 * kRadiansPerDegree);
        up_ = target_frame.up();
        source_up_ = source_frame.up();
        to_target_ = normalized(target_frame.rotation * conjugate(source_frame.rotation));
        scale_ = scale_between(source, start.anatomy, rest.skeleton, anatomy, matching);
        const Alignment alignment(source, start.anatomy, rest.skeleton, anatomy, to_target_, up_);
        for (const JointMatch& match : matching.matches) {
            driven_.push_back({rest.nodes[match.target], start.source.joints[match.first],
                               start.source.joints[match.second], match.share_of_second, alignment[match.target]});
        }
        find_root(matching);
        find_detached();
        order_nodes();
        points_ = foot_points(start, rest, anatomy);
        clearance_ = measure_clearance(motion, start, points_, source_up_);
    }

    double scale() const { return scale_; }
    std::size_t refused_frames() const { return refused_frames_; }

    Clip make() {
        begin_channels();
        MotionFrame frame = start_.rest;
        bool seen_any = false;
        for (std::size_t f = start_.first_frame; f < motion_.frame_count(); ++f) {
            if (!evaluate_motion(motion_, f, frame)) ++refused_frames_;
            if (!seen_any) first_root_ = source_root(frame);
            seen_any = true;
            pose(frame);
            write_keys();
        }
        return finish();
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
        return to_target_ * turn * conjugate(to_target_);
    }

    Quat target_turn(const MotionFrame& frame, const Driven& driven) const {
        Quat turn = turn_since_rest(frame, driven.first);
        if (driven.share_of_second > 0)
            turn = slerp(turn, turn_since_rest(frame, driven.second), driven.share_of_second);
        return normalized(turn * driven.alignment);
    }

    void pose(const MotionFrame& frame) {
        for (const Driven& driven : driven_) turns_of_frame(frame, driven);
        // First with the hips at rest, to see where the body comes to lie; then put in its place.
        chain_nodes(translation_of(rest_.world[root_node_]));
        chain_nodes(translation_of(rest_.world[root_node_]) + placement(frame));
    }

    void turns_of_frame(const MotionFrame& frame, const Driven& driven) {
        turns_.resize(character_.nodes.size());
        turns_[driven.node] = target_turn(frame, driven);
    }

    /// Along the ground as the motion travels; upwards so that the lower foot is as high above its rest as the
    /// motion's.
    Vec3d placement(const MotionFrame& frame) const {
        const Vec3d travel = rotate(to_target_, source_root(frame) - first_root_) * scale_;
        const Vec3d wanted = target_root(rest_.world) + travel;
        Vec3d shift = wanted - target_root(world_);
        if (points_.empty()) {
            const Vec3d rise = rotate(to_target_, source_root(frame) - source_root(start_.rest)) * scale_;
            const Vec3d risen = target_root(rest_.world) + rise - target_root(world_);
            return shift + up_ * (dot(risen, up_) - dot(shift, up_));
        }
        double source_low = std::numeric_limits<double>::infinity(), target_low = source_low;
        for (const FootPoint& point : points_) {
            const Vec3d moved = translation_of(world_[point.node]) - translation_of(rest_.world[point.node]);
            const double height = dot(frame.positions[point.source], source_up_) - clearance_.of_part[point.part];
            source_low = std::min(source_low, height);
            target_low = std::min(target_low, dot(moved, up_));
        }
        return shift + up_ * (source_low * scale_ - target_low - dot(shift, up_));
    }

    void chain_nodes(Vec3d root_place) {
        for (int n : order_) {
            const int above = character_.nodes[n].parent;
            const Affine parent = above >= 0 ? world_[above] : Affine{};
            CharacterRest::Local& local = locals_[n];
            if (driven_at_[n] >= 0 && !local.fixed) local.rotation = local_rotation(n, parent);
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
    Clip finish() {
        for (int node : rest_.nodes) {
            const Node& file = character_.nodes[node];
            const CharacterRest::Local& local = rest_.locals[node];
            if (local.fixed || file.matrix) continue;
            const double reach = 1e-6 * (length(local.translation) + length(file.translation)) + 1e-12;
            if (!has_channel(node, Channel::Path::translation) && length(local.translation - file.translation) > reach)
                hold(node, Channel::Path::translation, {local.translation.x, local.translation.y, local.translation.z});
            if (!has_channel(node, Channel::Path::rotation) &&
                std::abs(dot(local.rotation, normalized(file.rotation))) < 1 - 1e-12)
                hold(node, Channel::Path::rotation,
                     {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w});
            if (length(local.scale - file.scale) > 1e-5 * length(file.scale))
                hold(node, Channel::Path::scale, {local.scale.x, local.scale.y, local.scale.z});
        }
        return std::move(clip_);
    }

    bool has_channel(int node, Channel::Path path) const {
        return std::any_of(clip_.channels.begin(), clip_.channels.end(),
                           [&](const Channel& c) { return c.node == node && c.path == path; });
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

    Vec3d up_, source_up_;
    Quat to_target_;
    double scale_ = 1;
    std::vector<Driven> driven_;
    std::vector<Detached> detached_;
    std::vector<int> order_, driven_at_;
    int root_node_ = -1, root_source_ = -1;
    std::vector<int> thigh_sources_, thigh_nodes_;
    std::vector<FootPoint> points_;
    Clearance clearance_;
    Vec3d first_root_;

    std::vector<Quat> turns_;
    std::vector<CharacterRest::Local> locals_;
    std::vector<Affine> world_;
    Clip clip_;
    std::size_t keys_ = 0, refused_frames_ = 0;
};

// ---- what is said about it -----------------------------------------------------------------------

std::string list_of(const Skeleton& skeleton, const std::vector<int>& joints) {
    constexpr std::size_t kShown = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(kShown, joints.size()); ++i)
        out += (i ? ", " : "") + skeleton.names[joints[i]];
    if (joints.size() > kShown) out += " and " + std::to_string(joints.size() - kShown) + " more";
    return out;
}

/// Ends and helpers have nothing to follow; naming them would hide the joints that matter.
std::vector<int> worth_naming(const Skeleton& skeleton, const std::vector<int>& joints) {
    std::vector<int> out;
    for (int joint : joints)
        if (meaning_of_name(skeleton.names[joint]).kind != NameMeaning::Kind::helper) out.push_back(joint);
    return out;
}

bool is_enough(const JointMatching& matching, const Anatomy& source, const Anatomy& target, const Skeleton& skeleton) {
    int limbs = 0;
    for (int s = 0; s < 2; ++s) {
        limbs += source.arms[s].is_found() && target.arms[s].is_found();
        limbs += source.legs[s].is_found() && target.legs[s].is_found();
    }
    const std::size_t half = (skeleton.names.size() + 1) / 2;
    return (limbs >= 2 && source.hips >= 0 && target.hips >= 0) ||
           matching.matches.size() >= std::max<std::size_t>(half, 1);
}

Status check_input(const Character& character, const Motion& motion) {
    if (motion.joints.empty() || motion.frame_count() == 0)
        return input_error("the motion \"" + motion.name + "\" has no frames");
    if (motion.translations.size() != motion.rotations.size() || motion.rotations.size() % motion.joints.size() != 0)
        return input_error("the motion \"" + motion.name + "\" has not as many values as its joints need");
    for (std::size_t j = 0; j < motion.joints.size(); ++j)
        if (motion.joints[j].parent >= static_cast<int>(j))
            return input_error("joint \"" + motion.joints[j].name + "\" of the motion \"" + motion.name +
                               "\" comes before its parent");
    if (character.joints.empty())
        return input_error("\"" + character.name + "\" has no skeleton for a motion to drive");
    return ok_status();
}

}  // namespace

Result<Retargeted> retarget(const Character& character, const Motion& motion, const RetargetOptions& options) {
    if (Status status = check_input(character, motion); !status) return status.error();
    Result<MotionStart> start = start_of(motion, options.rest);
    if (!start) return start.error();
    const CharacterRest rest = rest_of(character);
    const Skeleton& source = start->source.skeleton;
    const auto pairs = explicit_pairs(options, motion, source, character, rest);
    if (!pairs) return pairs.error();

    Anatomy anatomy = anatomy_of(character, rest);
    apply_pairs(*pairs, start->anatomy, anatomy);
    const JointMatching matching = match_joints(source, start->anatomy, rest.skeleton, anatomy, *pairs);
    if (!is_enough(matching, start->anatomy, anatomy, rest.skeleton)) {
        return input_error("too few joints of \"" + character.name + "\" are like those of \"" + motion.name + "\" (" +
                           std::to_string(matching.matches.size()) + " of " + std::to_string(rest.skeleton.size()) +
                           "); pair them by name in a mapping file (--map), as {\"" + source.names[0] + "\": \"" +
                           rest.skeleton.names[0] + "\"}");
    }
    ClipMaker maker(character, motion, rest, *start, anatomy, matching);
    Retargeted out;
    out.clip = maker.make();
    out.warnings.push_back(start->assumption);
    const std::vector<int> still = worth_naming(rest.skeleton, matching.unmatched_targets);
    const std::vector<int> unused = worth_naming(source, matching.unmatched_sources);
    if (!still.empty())
        out.warnings.push_back("joints of \"" + character.name +
                               "\" that nothing moves: " + list_of(rest.skeleton, still));
    if (!unused.empty())
        out.warnings.push_back("joints of \"" + motion.name + "\" that move nothing: " + list_of(source, unused));
    if (anatomy.by_shape || start->anatomy.by_shape)
        out.warnings.push_back("joint names of \"" + (anatomy.by_shape ? character.name : motion.name) +
                               "\" say nothing: arms and legs were found by their place");
    if (maker.refused_frames() > 0)
        out.warnings.push_back(std::to_string(maker.refused_frames()) + " frames of \"" + motion.name +
                               "\" have numbers that are not finite; the frame before is held");
    return out;
}

}  // namespace fascia
