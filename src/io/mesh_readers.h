// Static meshes from memory. Each reader makes one part and leaves missing normals to load_mesh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia::io {

Result<Mesh> parse_obj(std::string_view text, const std::string& name);
Result<Mesh> parse_ply(std::string_view bytes, const std::string& name);
Result<Mesh> parse_off(std::string_view text, const std::string& name);
/// All meshes of a glTF's default scene in scene space.
Result<Mesh> parse_gltf_mesh(std::span<const std::uint8_t> bytes, const std::string& name, const std::string& base_dir);

/// A polygon as a fan of triangles, appended.
void append_polygon(std::span<const std::uint32_t> corners, std::vector<std::uint32_t>& triangles);

/// Computes missing normals and makes one part of everything; refuses a mesh without triangles.
Result<Mesh> finish_mesh(Mesh&& mesh, const std::string& name);

}  // namespace fascia::io
