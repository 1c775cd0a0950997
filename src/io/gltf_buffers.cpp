#include "io/gltf_buffers.h"

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_decode.h"
#include "io/json_fields.h"
#include "io/picture_type.h"
#include "io/uri.h"

namespace fascia::io {

namespace {

/// A buffer that is only a fallback for readers without EXT_meshopt_compression has no bytes.
bool is_fallback(const nlohmann::json& buffer) {
    const auto extensions = buffer.find("extensions");
    return extensions != buffer.end() && extensions->is_object() && extensions->contains("EXT_meshopt_compression");
}

Status take_binary_chunk(std::span<const std::uint8_t> chunk, std::uint64_t length, const std::string& what,
                         MemoryBudget& budget, std::vector<std::uint8_t>& out) {
    if (length > chunk.size()) {
        return input_error(fmt::format("{} should have {} bytes, but the file holds {}; it is cut short or damaged.",
                                       what, length, chunk.size()));
    }
    // Several buffers may claim the same chunk: each copy counts.
    if (auto status = budget.take(length, 1, what); !status) return status;
    out.assign(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(length));
    return ok_status();
}

Status take_uri(const std::string& uri, std::uint64_t length, const std::string& what, const GltfPlace& place,
                MemoryBudget& budget, std::vector<std::uint8_t>& out) {
    auto read = read_uri(uri, place.base_dir, what);
    if (!read) return read.error();
    if (read->bytes.size() < length) {
        return input_error(
            fmt::format("{} should have {} bytes, but only {} are there; the file is cut short or damaged.", what,
                        length, read->bytes.size()));
    }
    if (read->from_file) budget.add_input(read->bytes.size());
    if (auto status = budget.take(read->bytes.size(), 1, what); !status) return status;
    out = std::move(read->bytes);
    return ok_status();
}

}  // namespace

Status read_buffers(const nlohmann::json& gltf, const GltfChunks& chunks, const GltfPlace& place, MemoryBudget& budget,
                    gltf::Model& model) {
    for (const nlohmann::json& entry : array_field(gltf, "buffers")) {
        const std::string what = fmt::format("{}: buffer {}", place.name, model.buffers.size());
        if (!entry.is_object()) return input_error(what + " is not an object; export the file again.");
        const std::int64_t length = integer_field(entry, "byteLength", -1);
        if (length < 0) return input_error(what + " has no byteLength; export the file again.");
        gltf::Buffer buffer;
        const std::string uri = string_field(entry, "uri");
        Status status = ok_status();
        if (!uri.empty()) {
            status = take_uri(uri, static_cast<std::uint64_t>(length), what, place, budget, buffer.data);
        } else if (!is_fallback(entry)) {
            status = take_binary_chunk(chunks.binary, static_cast<std::uint64_t>(length), what, budget, buffer.data);
        }
        if (!status) return status;
        model.buffers.push_back(std::move(buffer));
    }
    return ok_status();
}

Status read_images(const nlohmann::json& gltf, const GltfPlace& place, MemoryBudget& budget, Remarks& remarks,
                   gltf::Model& model) {
    for (const nlohmann::json& entry : array_field(gltf, "images")) {
        const std::string what = fmt::format("{}: image {}", place.name, model.images.size());
        gltf::Image image;
        if (!entry.is_object()) return input_error(what + " is not an object; export the file again.");
        image.name = string_field(entry, "name");
        image.mime = string_field(entry, "mimeType");
        image.uri = string_field(entry, "uri");
        image.buffer_view = index_field(entry, "bufferView");
        if (!image.uri.empty() && image.buffer_view < 0) {
            auto read = read_uri(image.uri, place.base_dir, what);
            if (!read) {
                remarks.add("image-missing",
                            fmt::format("{} The character is shown without it.", read.error().message));
            } else {
                if (read->from_file) budget.add_input(read->bytes.size());
                if (auto status = budget.take(read->bytes.size(), 1, what); !status) return status;
                image.mime = picture_type(read->bytes, image.mime.empty() ? read->mime : image.mime);
                image.buffer_view = append_buffer_view(std::move(read->bytes), model);
                image.uri.clear();
            }
        } else if (auto bytes = buffer_view_bytes(model, image.buffer_view, what); !bytes) {
            remarks.add("image-missing", bytes.error().message);
            image.buffer_view = -1;
        } else {
            image.mime = picture_type({bytes->data, bytes->size}, image.mime);
        }
        if (image.mime == "image/ktx2")
            remarks.add("image-ktx2", "KTX2 pictures are left out of previews; a baked GLB keeps them.");
        model.images.push_back(std::move(image));
    }
    return ok_status();
}

}  // namespace fascia::io
