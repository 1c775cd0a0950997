#include "io/gltf_document.h"

#include <nlohmann/json.hpp>

#include "io/glb_container.h"
#include "io/gltf_buffers.h"
#include "io/gltf_decode.h"
#include "io/gltf_extensions.h"
#include "io/gltf_model_size.h"
#include "io/json_guard.h"

namespace fascia::io {

using nlohmann::json;

Result<std::shared_ptr<SourceDocument>> read_gltf_document(std::span<const std::uint8_t> bytes, const std::string& name,
                                                           const std::string& base_dir, MemoryBudget& budget,
                                                           Remarks& remarks) {
    auto chunks = split_glb(bytes, name);
    if (!chunks) return chunks.error();
    auto parsed = parse_json(chunks->json, name, budget);
    if (!parsed) return parsed.error();
    json& gltf = **parsed;
    if (!gltf.is_object() || !gltf.contains("asset"))
        return input_error(name + ": this JSON is not a glTF: it has no asset.");
    if (auto status = check_required_extensions(gltf, name); !status) return status.error();
    if (auto status = take_model_size(gltf, name, budget); !status) return status.error();

    // Buffers and images may be texts of many megabytes, which nothing needs once they are read.
    KeptJson binaries(json::object());
    for (const char* key : {"buffers", "images"}) {
        json& kept = (*binaries)[key];  // before anything is moved: a tree being moved has no owner
        if (gltf.contains(key)) kept = std::move(gltf[key]);
        erase_member(gltf, key);
    }
    auto read = gltf::read_model(std::move(*parsed), name);
    if (!read) return read.error();
    auto document = std::make_shared<SourceDocument>(SourceDocument{std::move(*read)});
    gltf::Model& model = document->model;

    const GltfPlace place{name, base_dir};
    if (auto status = read_buffers(binaries, *chunks, place, budget, model); !status) return status.error();
    if (auto status = read_images(binaries, place, budget, remarks, model); !status) return status.error();
    if (auto status = decode_meshopt(name, budget, model); !status) return status.error();
    if (auto status = decode_draco(name, budget, model); !status) return status.error();
    if (auto status = make_accessors_plain(name, budget, model); !status) return status.error();
    return document;
}

}  // namespace fascia::io
