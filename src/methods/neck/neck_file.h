// What a rig file of method `neck` holds: the surface and the scene it was bound with.
#pragma once

#include "base/bytes.h"
#include "fascia/result.h"
#include "methods/neck/neck_body.h"

namespace fascia {

void write_neck(const NeckBlueprint& blueprint, ByteWriter& out);
Result<NeckBlueprint> read_neck(ByteReader& in);

/// Whether every body and joint that a scene names exists, and every index is within its array.
Status check_scene(const AnatomyScene& scene, const std::vector<Joint>& joints);

}  // namespace fascia
