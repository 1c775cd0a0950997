// One function per method; each lives in a file of its own and knows nothing of the others.
#pragma once

#include "base/bytes.h"
#include "fascia/method.h"

namespace fascia {

Result<RigPtr> bind_lbs(const Character& character);
Result<RigPtr> bind_dqs(const Character& character);
Result<RigPtr> bind_bones_blending(const Character& character, const BonesBlendingSettings& settings);
Result<RigPtr> bind_lattice(const Character& character, const LatticeSettings& settings);
Result<RigPtr> bind_layers(const Character& character, const LayersSettings& settings);

/// The same from what Rig::save_content wrote; the error does not name the file.
Result<RigPtr> load_lbs(ByteReader& in);
Result<RigPtr> load_dqs(ByteReader& in);
Result<RigPtr> load_bones_blending(ByteReader& in);
Result<RigPtr> load_lattice(ByteReader& in);
Result<RigPtr> load_layers(ByteReader& in);

}  // namespace fascia
