// Image to PNG.
#include <algorithm>

#include "fascia/picture.h"

// A private copy of the encoder: none of its symbols are visible outside this file.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace fascia {
namespace {

std::vector<std::uint8_t> encode_png(const Image& image) {
    std::vector<std::uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        const auto* p = static_cast<const std::uint8_t*>(data);
        auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
        out.insert(out.end(), p, p + size);
    };
    stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), image.width * 3);
    return bytes;
}

}  // namespace

Result<std::unique_ptr<Output>> stage_png(const std::string& path, const Image& image) {
    const std::size_t expected =
        static_cast<std::size_t>(std::max(image.width, 0)) * static_cast<std::size_t>(std::max(image.height, 0)) * 3;
    if (expected == 0 || image.rgb.size() != expected)
        return output_error("cannot write " + path + ": the picture is empty; give it a width and a height");
    const std::vector<std::uint8_t> bytes = encode_png(image);
    if (bytes.empty()) return output_error("cannot write " + path + ": not enough memory to encode the picture");
    return stage_file(path, bytes);
}

Status write_png(const std::string& path, const Image& image) {
    const Result<std::unique_ptr<Output>> file = stage_png(path, image);
    if (!file) return file.error();
    return (*file)->publish();
}

}  // namespace fascia
