// Compressed glTF is unpacked in JavaScript (unpack_gltf.js) before it gets here; data still compressed is refused by
// name.
#include "io/gltf_decode.h"

namespace fascia::io {

namespace {

Error unpack_first(const std::string& name, const char* extension) {
    return input_error(name + " is compressed by " + extension + "; pass it through unpackGltf first.");
}

}  // namespace

Status decode_draco(const std::string& name, MemoryBudget&, gltf::Model& model) {
    for (const gltf::Mesh& mesh : model.meshes)
        for (const gltf::Primitive& primitive : mesh.primitives)
            if (primitive.extensions->contains("KHR_draco_mesh_compression"))
                return unpack_first(name, "KHR_draco_mesh_compression");
    return ok_status();
}

Status decode_meshopt(const std::string& name, MemoryBudget&, gltf::Model& model) {
    for (const gltf::BufferView& view : model.buffer_views)
        if (view.extensions->contains("EXT_meshopt_compression")) return unpack_first(name, "EXT_meshopt_compression");
    return ok_status();
}

}  // namespace fascia::io
