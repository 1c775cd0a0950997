#include "io/gltf_document.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/glb_container.h"
#include "io/gltf_buffers.h"
#include "io/gltf_decode.h"
#include "io/gltf_extensions.h"
#include "io/gltf_model_size.h"
#include "io/json_fields.h"
#include "io/json_guard.h"

namespace fascia::io {

namespace {

using nlohmann::json;

/// tinygltf refuses indices without a bufferView, which Draco files have: they are taken out and put back.
struct HeldIndices {
    std::size_t mesh, primitive;
    int accessor;
};

bool is_object_array(const json& gltf, const char* key) {
    for (const json& entry : array_field(gltf, key))
        if (!entry.is_object()) return false;
    return true;
}

/// An object of accessor numbers.
bool has_attributes(const json& primitive) {
    if (!primitive.is_object()) return false;
    const auto attributes = primitive.find("attributes");
    return attributes != primitive.end() && attributes->is_object() &&
           std::all_of(attributes->begin(), attributes->end(), [](const json& a) { return a.is_number_integer(); });
}

Status check_primitives(const json& gltf, const std::string& name) {
    if (!is_object_array(gltf, "meshes"))
        return input_error(name + ": a mesh is not an object; export the file again.");
    std::size_t index = 0;
    for (const json& mesh : array_field(gltf, "meshes")) {
        for (const json& primitive : array_field(mesh, "primitives")) {
            // tinygltf drops such a primitive without a word, and the ones behind it would change their number.
            if (!has_attributes(primitive)) {
                return input_error(
                    fmt::format("{}: mesh {} has a primitive without attributes; export the file again.", name, index));
            }
        }
        ++index;
    }
    return ok_status();
}

std::vector<HeldIndices> hold_indices(json& gltf) {
    std::vector<HeldIndices> held;
    const json& accessors = array_field(gltf, "accessors");
    const auto has_view = [&](std::int64_t index) {
        if (index < 0 || static_cast<std::size_t>(index) >= accessors.size()) return false;
        const json& accessor = accessors[static_cast<std::size_t>(index)];
        return accessor.is_object() && integer_field(accessor, "bufferView", -1) >= 0;
    };
    if (!gltf.contains("meshes") || !gltf["meshes"].is_array()) return held;
    std::size_t m = 0;
    for (json& mesh : gltf["meshes"]) {
        std::size_t p = 0;
        if (mesh.contains("primitives") && mesh["primitives"].is_array()) {
            for (json& primitive : mesh["primitives"]) {
                const std::int64_t index = integer_field(primitive, "indices", -1);
                if (primitive.contains("indices") && !has_view(index)) {
                    primitive.erase("indices");
                    const bool fits = index >= 0 && index <= INT32_MAX;
                    held.push_back({m, p, fits ? static_cast<int>(index) : INT32_MAX});
                }
                ++p;
            }
        }
        ++m;
    }
    return held;
}

/// tinygltf's messages come in lines; ours are one sentence.
std::string one_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text.empty() ? "a part of it has the wrong form" : text.substr(0, 200);
}

Status parse_with_tinygltf(const std::string& text, const std::string& name, tinygltf::Model& model) {
    if (text.size() > UINT32_MAX) return input_error(name + ": the JSON is larger than 4 GB.");
    std::string error, warning;
    try {
        tinygltf::TinyGLTF reader;
        if (reader.LoadASCIIFromString(&model, &error, &warning, text.data(), static_cast<unsigned>(text.size()), "")) {
            return ok_status();
        }
    } catch (const std::exception& e) {
        error = e.what();
    }
    return input_error(fmt::format("{}: not a valid glTF ({}); export the file again.", name, one_line(error)));
}

}  // namespace

Result<std::shared_ptr<SourceDocument>> read_gltf_document(std::span<const std::uint8_t> bytes, const std::string& name,
                                                           const std::string& base_dir, MemoryBudget& budget,
                                                           Remarks& remarks) {
    auto chunks = split_glb(bytes, name);
    if (!chunks) return chunks.error();
    if (auto status = guard_json(chunks->json, name, budget); !status) return status.error();
    json gltf = json::parse(chunks->json.begin(), chunks->json.end(), nullptr, false);
    if (!gltf.is_object() || !gltf.contains("asset"))
        return input_error(name + ": this JSON is no glTF, it has no asset.");
    if (auto status = check_required_extensions(gltf, name); !status) return status.error();
    if (auto status = check_primitives(gltf, name); !status) return status.error();
    if (auto status = take_model_size(gltf, name, budget); !status) return status.error();

    // What tinygltf would load carelessly is taken out first and read by us.
    json taken = json::object();
    for (const char* key : {"buffers", "images"}) {
        if (gltf.contains(key)) taken[key] = std::move(gltf[key]);
        gltf.erase(key);
    }
    const std::vector<HeldIndices> held = hold_indices(gltf);
    std::string text = gltf.dump(-1, ' ', false, json::error_handler_t::replace);
    gltf = json();

    auto document = std::make_shared<SourceDocument>();
    tinygltf::Model& model = document->model;
    if (auto status = parse_with_tinygltf(text, name, model); !status) return status.error();
    text = {};
    for (const HeldIndices& one : held) model.meshes[one.mesh].primitives[one.primitive].indices = one.accessor;

    const GltfPlace place{name, base_dir};
    if (auto status = read_buffers(taken, *chunks, place, budget, model); !status) return status.error();
    if (auto status = read_images(taken, place, budget, remarks, model); !status) return status.error();
    if (auto status = decode_meshopt(name, budget, model); !status) return status.error();
    if (auto status = decode_draco(name, budget, model); !status) return status.error();
    if (auto status = make_accessors_plain(name, budget, model); !status) return status.error();
    return document;
}

}  // namespace fascia::io
