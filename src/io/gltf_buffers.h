// Buffers and images of a glTF, whose declared sizes are not trusted.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fascia/result.h"
#include "io/glb_container.h"
#include "io/gltf_model.h"
#include "io/memory_budget.h"
#include "io/remarks.h"

namespace fascia::io {

struct GltfPlace {
    std::string name, base_dir;
};

/// Fills model.buffers from the JSON's "buffers".
Status read_buffers(const nlohmann::json& gltf, const GltfChunks& chunks, const GltfPlace& place, MemoryBudget& budget,
                    gltf::Model& model);

/// Fills model.images; bytes from URIs become a buffer and a bufferView of their own, so that every image found has a
/// bufferView. A missing file is a remark, not an error.
Status read_images(const nlohmann::json& gltf, const GltfPlace& place, MemoryBudget& budget, Remarks& remarks,
                   gltf::Model& model);

}  // namespace fascia::io
