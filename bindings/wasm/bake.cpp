// Bakes frame by frame into a file in memory, so that a page can show progress and cancel.
#include "handles.h"

namespace {

struct Bake {
    InstanceHandle& instance;
    std::string path;
    std::unique_ptr<fascia::FrameWriter> writer;
    std::vector<fascia::Vec3> positions, normals;  ///< [vertices + rigid vertices]
    std::vector<fascia::Vec4> tangents;            ///< [vertices] if the file keeps them, otherwise empty
};

}  // namespace

/// extension: "glb", "pc2", "mdd" or "usda".
FASCIA_WASM Bake* fascia_bake_open(InstanceHandle* instance, const char* extension, double fps, std::size_t frames) {
    return fascia_wasm::guarded<Bake*>(nullptr, [&]() -> Bake* {
        const fascia::Character& character = instance->character.value;
        const std::string path = std::string("/bake.") + extension;
        const bool tangents = std::string(extension) == "glb" && !character.mesh.tangents.empty();
        auto writer = fascia::open_writer(path, character, {.fps = fps, .frames = frames, .tangents = tangents});
        if (!writer) return fascia_wasm::fail(writer.error().message);
        const std::size_t vertices = character.mesh.vertex_count() + character.rigid.vertex_count();
        return new Bake{*instance,
                        path,
                        std::move(*writer),
                        std::vector<fascia::Vec3>(vertices),
                        std::vector<fascia::Vec3>(vertices),
                        std::vector<fascia::Vec4>(tangents ? character.mesh.vertex_count() : 0)};
    });
}

/// Writes the instance's surface as it is now; 0 on success.
FASCIA_WASM int fascia_bake_frame(Bake* bake) {
    return fascia_wasm::guarded(1, [&] {
        InstanceHandle& instance = bake->instance;
        const std::size_t n = instance.rig->vertex_count();
        instance.rig->embed(instance.state,
                            {.positions = {bake->positions.data(), n},
                             .normals = {bake->normals.data(), n},
                             .tangents = bake->tangents},
                            instance.work);
        fascia::place_rigid_parts(instance.character.value.rigid, instance.pose, std::span(bake->positions).subspan(n),
                                  std::span(bake->normals).subspan(n));
        const fascia::Status status =
            bake->writer->frame({bake->positions, bake->normals, bake->tangents}, instance.pose);
        if (!status) return fascia_wasm::fail(status.error().message), 1;
        return 0;
    });
}

/// On success (0) the file's bytes are in fascia_bytes.
FASCIA_WASM int fascia_bake_finish(Bake* bake) {
    return fascia_wasm::guarded(1, [&] {
        const fascia::Status status = bake->writer->finish();
        if (!status) return fascia_wasm::fail(status.error().message), 1;
        return fascia_wasm::keep_file(bake->path) ? 0 : 1;
    });
}

/// Also cancels: an unfinished file leaves nothing behind.
FASCIA_WASM void fascia_bake_free(Bake* bake) {
    delete bake;
}
