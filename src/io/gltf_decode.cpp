#include "io/gltf_decode.h"

namespace fascia::io {

int append_buffer_view(std::vector<std::uint8_t>&& bytes, gltf::Model& model) {
    gltf::BufferView view;
    view.buffer = static_cast<int>(model.buffers.size());
    view.byte_length = bytes.size();
    model.buffers.push_back({std::move(bytes)});
    model.buffer_views.push_back(std::move(view));
    return static_cast<int>(model.buffer_views.size()) - 1;
}

}  // namespace fascia::io
