#include <variant>

#include "methods/shared/methods.h"

namespace fascia {

namespace {

struct Binder {
    const Character& character;
    Result<RigPtr> operator()(const LbsSettings&) const { return bind_lbs(character); }
    Result<RigPtr> operator()(const DqsSettings&) const { return bind_dqs(character); }
    Result<RigPtr> operator()(const BonesBlendingSettings& settings) const {
        return bind_bones_blending(character, settings);
    }
    Result<RigPtr> operator()(const LayersSettings& settings) const { return bind_layers(character, settings); }
    Result<RigPtr> operator()(const LatticeSettings& settings) const { return bind_lattice(character, settings); }
};

}  // namespace

Result<RigPtr> bind(const Character& character, const Settings& settings) {
    return std::visit(Binder{character}, settings);
}

}  // namespace fascia
