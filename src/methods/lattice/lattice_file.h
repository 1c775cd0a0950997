// The part of a rig file that belongs to `lattice`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "embed/trilinear.h"
#include "fascia/settings.h"
#include "methods/lattice/lattice_blueprint.h"

namespace fascia {

/// What a rig of `lattice` is made of, besides its settings. Everything else follows from it, bit for bit.
struct SavedLattice {
    std::shared_ptr<const LatticeBlueprint> blueprint;
    embedding::Trilinear bound;         ///< the surface; points are particles
    std::vector<std::string> warnings;  ///< about the body
};

/// See Rig::fingerprint.
std::uint64_t fingerprint_of(const LatticeBlueprint& plan);

void write_lattice(const SavedLattice& saved, ByteWriter& out);
/// Checks every size, index and number: what is accepted can be run. The error does not name the file.
Result<SavedLattice> read_lattice(const LatticeSettings& settings, ByteReader& in);

}  // namespace fascia
