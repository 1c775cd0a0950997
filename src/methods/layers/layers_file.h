// The part of a rig file that belongs to `layers`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "embed/trilinear.h"
#include "fascia/settings.h"
#include "methods/layers/layers_blueprint.h"

namespace fascia {

/// What a rig of `layers` is made of, besides its settings. Everything else follows from it, bit for bit.
struct SavedLayers {
    std::shared_ptr<const LayersBlueprint> blueprint;
    embedding::Trilinear bound;         ///< the surface; points are nodes
    double calibration = 1;             ///< found at bind, see calibrate()
    std::vector<std::string> warnings;  ///< about the body
};

/// See Rig::fingerprint.
std::uint64_t fingerprint_of(const LayersBlueprint& plan);

void write_layers(const SavedLayers& saved, ByteWriter& out);
/// Checks every size, index and number: what is accepted can be run. The error does not name the file.
Result<SavedLayers> read_layers(const LayersSettings& settings, ByteReader& in);

}  // namespace fascia
