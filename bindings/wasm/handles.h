// What JavaScript holds by pointer. Texts and bytes that a call returns live in one place each until the next call.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <emscripten/emscripten.h>

#include "fascia/fascia.h"

#define FASCIA_WASM extern "C" EMSCRIPTEN_KEEPALIVE

struct CharacterHandle {
    fascia::Character value;
    std::shared_ptr<const fascia::SurfaceMeter> meter;
};

/// A rig, its state and the arrays that JavaScript looks at. The character must outlive it.
struct InstanceHandle {
    InstanceHandle(const CharacterHandle& from, fascia::RigPtr bound, int threads);

    const CharacterHandle& character;
    fascia::RigPtr rig;
    fascia::State state;
    fascia::Workspace work;
    fascia::Pose pose;                             ///< what reset and advance take
    std::vector<fascia::Vec3> positions, normals;  ///< [vertices] written by embed
    std::vector<fascia::Vec3> skinned;             ///< [vertices] written by embed_skinned
    std::vector<fascia::Vec3> points;              ///< [points]
    std::vector<std::uint8_t> point_layers;        ///< [points]
    fascia::PointParts parts;                      ///< [points]
    std::vector<std::uint32_t> cells;              ///< [cells * 8]
    std::vector<float> strain;                     ///< [vertices]
    std::vector<double> numbers;                   ///< what a call returns as a list of numbers
};

namespace fascia_wasm {

/// Keeps a sentence for fascia_error; returns null so that `return fail(...)` reads well.
std::nullptr_t fail(const std::string& message);
/// Keeps a text and returns it for JavaScript.
const char* text(std::string value);
/// Keeps bytes for fascia_bytes.
void keep_bytes(std::vector<std::uint8_t> value);
/// Moves a written file into the kept bytes and removes it.
bool keep_file(const std::string& path);

/// Runs `body`; what it throws (no memory) becomes a sentence and `failed`.
template <class Value, class Body>
Value guarded(Value failed, Body&& body) {
    try {
        return body();
    } catch (const std::exception& problem) {
        fail(std::string("Fascia ran out of memory: ") + problem.what() + ".");
        return failed;
    }
}

}  // namespace fascia_wasm
