#include "io/gltf_decode.h"

#include <algorithm>
#include <cmath>

namespace fascia::io {

int append_buffer_view(std::vector<unsigned char>&& bytes, tinygltf::Model& model) {
    tinygltf::BufferView view;
    view.buffer = static_cast<int>(model.buffers.size());
    view.byteLength = bytes.size();
    tinygltf::Buffer buffer;
    buffer.data = std::move(bytes);
    model.buffers.push_back(std::move(buffer));
    model.bufferViews.push_back(std::move(view));
    return static_cast<int>(model.bufferViews.size()) - 1;
}

void forget_extension(const std::string& extension, tinygltf::Model& model) {
    for (std::vector<std::string>* list : {&model.extensionsUsed, &model.extensionsRequired}) {
        list->erase(std::remove(list->begin(), list->end(), extension), list->end());
    }
}

std::int64_t integer_of(const tinygltf::Value& object, const char* key, std::int64_t fallback) {
    if (!object.IsObject() || !object.Has(key)) return fallback;
    const tinygltf::Value& value = object.Get(key);
    if (!value.IsNumber()) return fallback;
    const double number = value.GetNumberAsDouble();
    return std::abs(number) < 9e15 ? static_cast<std::int64_t>(number) : fallback;
}

}  // namespace fascia::io
