// A glTF document as plain structs: what the readers need of its JSON. Every list has one entry per object of the file,
// and required members are present; indices may still point nowhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fascia/result.h"
#include "io/kept_json.h"

namespace fascia::gltf {

/// OpenGL's numbers for the types of components and primitives.
enum Component : int { byte = 5120, unsigned_byte, short_, unsigned_short, unsigned_int = 5125, float_ };
enum Mode : int { triangles = 4, triangle_strip, triangle_fan };

struct Buffer {
    std::vector<std::uint8_t> data;
};

struct BufferView {
    int buffer = -1;
    std::size_t byte_offset = 0, byte_length = 0;
    std::size_t byte_stride = 0;  ///< 0: packed
    io::KeptJson extensions;
};

/// Some elements of an accessor, replaced.
struct Sparse {
    std::int64_t count = 0;
    int indices_view = -1, indices_type = 0, values_view = -1;
    std::size_t indices_offset = 0, values_offset = 0;
};

struct Accessor {
    std::string name, type;  ///< type: "SCALAR", "VEC3", ...
    int components = 0;      ///< of that type
    int component_type = 0;  ///< a Component if the file is valid
    int buffer_view = -1;
    std::size_t byte_offset = 0, count = 0;
    bool normalized = false;
    std::optional<Sparse> sparse;
};

struct Image {
    std::string name, mime, uri;
    int buffer_view = -1;
};

using Attributes = std::map<std::string, int>;  ///< semantic to accessor

struct Primitive {
    Attributes attributes;
    std::vector<Attributes> targets;
    int indices = -1, material = -1, mode = triangles;
    io::KeptJson extensions, extras;
};

struct Mesh {
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<double> weights;
    io::KeptJson extensions, extras;
};

struct Node {
    std::string name;
    std::vector<int> children;
    int mesh = -1, skin = -1;
    std::vector<double> matrix, translation, rotation, scale, weights;  ///< empty: not given
};

struct Skin {
    std::string name;
    std::vector<int> joints;
    int inverse_binds = -1;
};

struct Sampler {
    int input = -1, output = -1;
    std::string interpolation;
};
struct Channel {
    int sampler = -1, node = -1;
    std::string path;
};
struct Animation {
    std::string name;
    std::vector<Sampler> samplers;
    std::vector<Channel> channels;
};

struct Scene {
    std::vector<int> nodes;
};

struct Model {
    std::vector<Buffer> buffers;
    std::vector<BufferView> buffer_views;
    std::vector<Accessor> accessors;
    std::vector<Image> images;
    std::vector<Mesh> meshes;
    std::vector<Node> nodes;
    std::vector<Skin> skins;
    std::vector<Animation> animations;
    std::vector<Scene> scenes;
    int default_scene = -1;
    io::KeptJson
        source;  ///< the file's JSON, without what moved into the lists of binary data, meshes, skins and clips
};

/// All but buffers and images. `document` moves into `Model::source`; `name` begins the sentence of an error.
Result<Model> read_model(io::KeptJson&& document, const std::string& name);

}  // namespace fascia::gltf
