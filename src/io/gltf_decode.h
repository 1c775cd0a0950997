// Undoing compression: after these three steps every accessor of a model is plain.
#pragma once

#include <string>

#include <tiny_gltf.h>

#include "fascia/result.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// EXT_meshopt_compression: each compressed bufferView gets a buffer with its decoded bytes.
Status decode_meshopt(const std::string& name, MemoryBudget& budget, tinygltf::Model& model);

/// KHR_draco_mesh_compression: the accessors of each compressed primitive get decoded bytes.
Status decode_draco(const std::string& name, MemoryBudget& budget, tinygltf::Model& model);

/// Applies sparse values, and writes out accessors that have no bytes at all (zeros).
Status make_accessors_plain(const std::string& name, MemoryBudget& budget, tinygltf::Model& model);

/// Adds `bytes` as a buffer with one bufferView over all of it; returns the bufferView.
int append_buffer_view(std::vector<unsigned char>&& bytes, tinygltf::Model& model);

/// Takes an extension out of extensionsUsed and extensionsRequired.
void forget_extension(const std::string& extension, tinygltf::Model& model);

/// A whole number that an extension's object has under `key`, else `fallback`.
std::int64_t integer_of(const tinygltf::Value& object, const char* key, std::int64_t fallback);

}  // namespace fascia::io
