// Undoing compression: after these three steps every accessor of a model is plain.
#pragma once

#include <string>

#include "fascia/result.h"
#include "io/gltf_model.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// EXT_meshopt_compression: each compressed bufferView gets a buffer with its decoded bytes.
Status decode_meshopt(const std::string& name, MemoryBudget& budget, gltf::Model& model);

/// KHR_draco_mesh_compression: the accessors of each compressed primitive get decoded bytes.
Status decode_draco(const std::string& name, MemoryBudget& budget, gltf::Model& model);

/// Applies sparse values, and gives accessors without any bytes their zeros.
Status make_accessors_plain(const std::string& name, MemoryBudget& budget, gltf::Model& model);

/// Adds `bytes` as a buffer with one bufferView over all of it; returns the bufferView.
int append_buffer_view(std::vector<std::uint8_t>&& bytes, gltf::Model& model);

}  // namespace fascia::io
