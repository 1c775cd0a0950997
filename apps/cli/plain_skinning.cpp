#include "plain_skinning.h"

namespace fascia::cli {

PlainSkinning::PlainSkinning(const Character& character) {
    Result<RigPtr> rig = fascia::bind(character, LbsSettings{});
    if (!rig) return;
    rig_ = std::move(*rig);
    state_ = make_state(*rig_);
    positions_.resize(character.mesh.vertex_count());
}

std::span<const Vec3> PlainSkinning::at(const Pose& pose) {
    if (!rig_) return {};
    rig_->advance(pose.joints, 0, state_, work_);
    rig_->embed(state_, {positions_, {}, {}}, work_);
    return positions_;
}

}  // namespace fascia::cli
