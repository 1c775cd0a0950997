// What JavaScript holds by pointer. Texts and bytes returned by a call stay valid until the next call.
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

/// A rig, its state and the arrays that JavaScript reads. The character must outlive it.
struct InstanceHandle {
    InstanceHandle(const CharacterHandle& from, fascia::RigPtr bound, int threads);

    const CharacterHandle& character;
    fascia::RigPtr rig;
    fascia::State state;
    fascia::Workspace work;
    fascia::Pose pose;                             ///< used by reset and advance
    std::vector<fascia::Vec3> positions, normals;  ///< [vertices] written by embed
    std::vector<fascia::Vec3> skinned;             ///< [vertices] written by embed_skinned
    std::vector<fascia::Vec3> points;              ///< [points]
    std::vector<std::uint8_t> point_layers;        ///< [points]
    fascia::PointParts parts;                      ///< [points]
    std::vector<std::uint32_t> cells;              ///< [cells * 8]
    fascia::SurfaceCarriers carriers;              ///< empty where the method carries the surface itself
    std::vector<float> strain;                     ///< [vertices]
    std::vector<double> numbers;                   ///< a list of numbers returned by a call
};

namespace fascia_wasm {

/// Keeps an error message for fascia_error; returns null so that `return fail(...)` reads well.
std::nullptr_t fail(const std::string& message);
/// Keeps a text and returns it for JavaScript.
const char* text(std::string value);
/// A character for JavaScript to hold; an error message if it could not be made.
CharacterHandle* keep_character(fascia::Result<fascia::Character> made);
/// Keeps bytes for fascia_bytes.
void keep_bytes(std::vector<std::uint8_t> value);
/// Moves a written file into the kept bytes and removes it.
bool keep_file(const std::string& path);

/// Runs `body`; an exception (out of memory) becomes an error message and `failed`.
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
