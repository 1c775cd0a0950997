#include "methods/shared/body_ends.h"

#include "character/anatomy.h"

namespace fascia {

namespace {

JointTree skeleton_of(const std::vector<Joint>& joints) {
    JointTree out;
    for (const Joint& joint : joints) {
        out.names.push_back(joint.name);
        out.parents.push_back(joint.parent);
        out.positions.push_back(translation_of(joint.rest));
    }
    return out;
}

}  // namespace

std::vector<BodyEnd> find_body_ends(const std::vector<Joint>& joints) {
    const JointTree skeleton = skeleton_of(joints);
    std::vector<BodyEnd> out(joints.size(), BodyEnd::none);
    if (joints.empty()) return out;
    const Anatomy anatomy = find_anatomy(skeleton);
    if (!anatomy.has_arms() && !anatomy.has_legs()) return out;
    // Joints below a head may be an ear, a trunk or a beard; only the skull itself is certain.
    for (const int joint : anatomy.neck) out[std::size_t(joint)] = BodyEnd::neck;
    if (anatomy.head >= 0) out[std::size_t(anatomy.head)] = BodyEnd::head;
    const auto set_below = [&](int top, BodyEnd end) {
        for (int j = 0; top >= 0 && j < skeleton.size(); ++j)
            if (skeleton.is_above(top, j)) out[std::size_t(j)] = end;
    };
    for (std::size_t side = 0; side < 2; ++side) {
        set_below(anatomy.arms[side][limb_end], BodyEnd::hand);
        set_below(anatomy.legs[side][limb_end], BodyEnd::foot);
    }
    return out;
}

double amount_of(BodyEnd end) {
    switch (end) {
        case BodyEnd::head:
        case BodyEnd::neck: return 0.3;
        case BodyEnd::hand:
        case BodyEnd::foot: return 0.2;
        case BodyEnd::none: break;
    }
    return 1;
}

}  // namespace fascia
