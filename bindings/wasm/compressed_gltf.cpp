// Compressed glTF is unpacked in JavaScript (unpack_gltf.js) before it comes here; what comes packed is refused by
// name.
#include "io/gltf_decode.h"

namespace fascia::io {

namespace {

Error unpack_first(const std::string& name, const char* extension) {
    return input_error(name + " is compressed by " + extension + "; pass it through unpackGltf first.");
}

}  // namespace

Status decode_draco(const std::string& name, MemoryBudget&, tinygltf::Model& model) {
    for (const tinygltf::Mesh& mesh : model.meshes)
        for (const tinygltf::Primitive& primitive : mesh.primitives)
            if (primitive.extensions.count("KHR_draco_mesh_compression") > 0)
                return unpack_first(name, "KHR_draco_mesh_compression");
    return ok_status();
}

Status decode_meshopt(const std::string& name, MemoryBudget&, tinygltf::Model& model) {
    for (const tinygltf::BufferView& view : model.bufferViews)
        if (view.extensions.count("EXT_meshopt_compression") > 0) return unpack_first(name, "EXT_meshopt_compression");
    return ok_status();
}

}  // namespace fascia::io
