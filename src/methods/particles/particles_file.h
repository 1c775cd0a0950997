// The part of a rig file that belongs to `particles`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "embed/trilinear.h"
#include "fascia/settings.h"
#include "methods/particles/particles_blueprint.h"

namespace fascia {

/// What a rig of `particles` is made of, besides its settings. Everything else follows from it, bit for bit.
struct SavedParticles {
    std::shared_ptr<const ParticlesBlueprint> blueprint;
    embedding::Trilinear bound;  ///< the surface, by number of point
    double calibration = 1;
    std::vector<std::string> warnings;  ///< about the body
};

/// See Rig::fingerprint.
std::uint64_t fingerprint_of(const ParticlesBlueprint& plan);

void write_particles(const SavedParticles& saved, ByteWriter& out);
/// Checks every size, index and number: what is accepted can be run. The error does not name the file.
Result<SavedParticles> read_particles(const ParticlesSettings& settings, ByteReader& in);

}  // namespace fascia
