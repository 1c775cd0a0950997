// A surface straight into the memory of an engine: its own vertex layout, floats or 16 bits, mapped or not.
#pragma once

#include "fascia/api.h"
#include "fascia/arrays.h"
#include "fascia/method.h"

FASCIA_API_BEGIN
namespace fascia {

/// Where one attribute of every vertex is written: once, from the first vertex to the last. It is never read, so
/// write-combined memory will do.
struct VertexArray {
    void* data = nullptr;      ///< the first vertex's attribute, offset included; null: not wanted
    std::size_t stride = 0;    ///< bytes from vertex to vertex; 0: one after the other
    std::size_t vertices = 0;  ///< how many there is room for
    NumberType type = NumberType::f32;
};

struct VertexBuffers {
    VertexArray positions;  ///< 3 numbers per vertex: f32, or unorm16 in the box
    VertexArray normals;    ///< 3: f32 or snorm16
    VertexArray tangents;   ///< 4: f32 or snorm16
    Vec3 low, high;         ///< the box for positions in 16 bits
    bool offsets = false;   ///< positions are offsets from those of embed_skinned
    /// Writes nothing once the surface has been exactly the same for this many frames: 1 with one buffer, 3 in a ring
    /// of three; 0: always writes.
    std::uint64_t skip_after_still_frames = 0;
};

struct Embedded {
    Verdict verdict = Verdict::fine;
    bool written = false;     ///< false if nothing had moved, or for the reason in the verdict
    std::size_t clamped = 0;  ///< vertices outside the box
};

/// Carries the points to the surface, in scene space, through memory of the workspace.
Embedded embed_into(const Rig& rig, const State& state, const VertexBuffers& out, Workspace& work);

}  // namespace fascia
FASCIA_API_END
