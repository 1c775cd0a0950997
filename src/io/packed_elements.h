// A copy of a source accessor for a file that we write: its elements without gaps, repaired where the source breaks the
// rules of the format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/gltf_model.h"

namespace fascia::io {

struct PackedElements {
    std::vector<std::uint8_t> bytes;
    std::size_t count = 0, width = 0, component_bytes = 0;
    int component = 0;
    std::string type;
    bool normalized = false;

    /// Component i, counted over all elements, as stored.
    double value(std::size_t i) const;
};

/// The bytes of a buffer view; none if it does not lie inside its buffer.
std::span<const std::uint8_t> view_bytes(const gltf::Model& model, int view);

/// No value if there is no such accessor, or it does not fit into its buffer view.
std::optional<PackedElements> pack(const gltf::Model& model, int accessor);

/// Whether the format allows such elements for this attribute (in a morph target if `target` is set).
bool is_allowed(const std::string& attribute, const PackedElements& elements, bool target);
/// Whether only KHR_mesh_quantization allows them.
bool needs_quantization(const std::string& attribute, const PackedElements& elements);

/// NaN and infinity become 0; normals and tangents get unit length, colours the range 0..1. Displacements in a morph
/// target may have any size.
void repair(const std::string& attribute, bool target, PackedElements& elements);

/// Whether these can be indices into this many vertices.
bool are_indices(const PackedElements& elements, std::size_t vertices);

/// Bounds of the stored numbers, which the format requires of positions.
void find_bounds(const PackedElements& elements, std::vector<double>& low, std::vector<double>& high);

}  // namespace fascia::io
