#include "fascia/vertex_buffers.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstring>

#include "methods/shared/handover.h"
#include "methods/shared/surface_scratch.h"

namespace fascia {

namespace {

constexpr std::size_t vertex_grain = 2048;  ///< vertices that one thread takes at a time

std::size_t bytes_of(NumberType type) {
    return type == NumberType::f32 ? sizeof(float) : sizeof(std::uint16_t);
}

std::size_t stride_of(const VertexArray& array, std::size_t numbers) {
    return array.stride != 0 ? array.stride : numbers * bytes_of(array.type);
}

/// Which type an array may have besides f32.
bool is_writable(const VertexArray& array, std::size_t numbers, NumberType packed) {
    if (array.data == nullptr) return true;
    const bool known = array.type == NumberType::f32 || array.type == packed;
    return known && (array.stride == 0 || array.stride >= numbers * bytes_of(array.type));
}

bool has_a_box(const VertexBuffers& out) {
    if (out.positions.data == nullptr || out.positions.type == NumberType::f32) return true;
    const auto good = [](float low, float high) { return std::isfinite(low) && std::isfinite(high) && low < high; };
    return good(out.low.x, out.high.x) && good(out.low.y, out.high.y) && good(out.low.z, out.high.z);
}

/// Writes whole items in order, each once: nothing of the caller's memory is read.
template <class Item, class Make>
void write_items(const VertexArray& to, std::size_t numbers, std::size_t begin, std::size_t end, Make&& make) {
    const std::size_t stride = stride_of(to, numbers);
    auto* at = static_cast<unsigned char*>(to.data) + begin * stride;
    for (std::size_t v = begin; v < end; ++v, at += stride) {
        const Item item = make(v);
        std::memcpy(at, &item, sizeof item);
    }
}

struct Three16 {
    std::uint16_t v[3];
};
struct Four16 {
    std::uint16_t v[4];
};

/// NaN becomes 0.
std::uint16_t snorm(float v) {
    const float bounded = v > -1 ? (v < 1 ? v : 1.0f) : v <= -1 ? -1.0f : 0.0f;
    return std::uint16_t(std::int16_t(std::lrint(bounded * 32767.0f)));
}

/// Shares of the box in 16 bits.
class BoxPacker {
public:
    BoxPacker(Vec3 low, Vec3 high)
        : low_(low), scale_{65535.0f / (high.x - low.x), 65535.0f / (high.y - low.y), 65535.0f / (high.z - low.z)} {}
    Three16 pack(Vec3 p, std::size_t& clamped) const {
        bool inside = true;
        const auto one = [&](float v) {
            const float bounded = v > 0 ? (v < 65535.0f ? v : 65535.0f) : 0.0f;
            // Half a unit is rounding, not leaving the box.
            inside = inside && std::abs(v - bounded) <= 0.5f;
            return std::uint16_t(std::lrint(bounded));
        };
        const Three16 out{
            {one((p.x - low_.x) * scale_.x), one((p.y - low_.y) * scale_.y), one((p.z - low_.z) * scale_.z)}};
        clamped += !inside;
        return out;
    }

private:
    Vec3 low_, scale_;
};

std::size_t write_positions(const VertexBuffers& out, const Surface& from, std::size_t begin, std::size_t end) {
    std::size_t clamped = 0;
    if (out.positions.type == NumberType::f32) {
        write_items<Vec3>(out.positions, 3, begin, end, [&](std::size_t v) { return from.positions[v]; });
    } else {
        const BoxPacker box(out.low, out.high);
        write_items<Three16>(out.positions, 3, begin, end,
                             [&](std::size_t v) { return box.pack(from.positions[v], clamped); });
    }
    return clamped;
}

void write_normals(const VertexArray& to, const Surface& from, std::size_t begin, std::size_t end) {
    if (to.type == NumberType::f32)
        return write_items<Vec3>(to, 3, begin, end, [&](std::size_t v) { return from.normals[v]; });
    write_items<Three16>(to, 3, begin, end, [&](std::size_t v) {
        const Vec3 n = from.normals[v];
        return Three16{{snorm(n.x), snorm(n.y), snorm(n.z)}};
    });
}

void write_tangents(const VertexArray& to, const Surface& from, std::size_t begin, std::size_t end) {
    if (to.type == NumberType::f32)
        return write_items<Vec4>(to, 4, begin, end, [&](std::size_t v) { return from.tangents[v]; });
    write_items<Four16>(to, 4, begin, end, [&](std::size_t v) {
        const Vec4 t = from.tangents[v];
        return Four16{{snorm(t.x), snorm(t.y), snorm(t.z), snorm(t.w)}};
    });
}

Verdict verdict_of(const Rig& rig, const State& state, const VertexBuffers& out) {
    if (state.rig != rig.fingerprint()) return Verdict::foreign;
    if (!is_writable(out.positions, 3, NumberType::unorm16) || !is_writable(out.normals, 3, NumberType::snorm16) ||
        !is_writable(out.tangents, 4, NumberType::snorm16) || !has_a_box(out))
        return Verdict::bad_output;
    for (const VertexArray* array : {&out.positions, &out.normals, &out.tangents})
        if (array->data != nullptr && array->vertices < rig.vertex_count()) return Verdict::short_output;
    const bool absent =
        (out.normals.data != nullptr && !rig.has_normals()) || (out.tangents.data != nullptr && !rig.has_tangents());
    return absent ? Verdict::absent_array : Verdict::fine;
}

/// From positions to their offsets from the skinned surface.
void subtract_skinned(const Rig& rig, const State& state, std::span<Vec3> positions, Workspace& work) {
    const Surface skinned = scratch_surface(work, 1, rig.vertex_count(), {.positions = true});
    rig.embed_skinned(state, skinned, work);
    for (std::size_t v = 0; v < positions.size(); ++v) positions[v] -= skinned.positions[v];
}

}  // namespace

Embedded embed_into(const Rig& rig, const State& state, const VertexBuffers& out, Workspace& work) {
    Embedded done;
    done.verdict = verdict_of(rig, state, out);
    const bool possible = done.verdict == Verdict::fine || done.verdict == Verdict::absent_array;
    assert(possible);
    if (!possible) return done;
    if (out.skip_after_still_frames != 0 && state.still_frames >= out.skip_after_still_frames) return done;

    const std::size_t n = rig.vertex_count();
    const Surface own = scratch_surface(work, 0, n,
                                        {.positions = out.positions.data != nullptr,
                                         .normals = out.normals.data != nullptr && rig.has_normals(),
                                         .tangents = out.tangents.data != nullptr && rig.has_tangents()});
    rig.embed(state, own, work);
    show_handover(rig, state, own, work);
    if (out.offsets) subtract_skinned(rig, state, own.positions, work);
    std::atomic<std::size_t> clamped{0};
    work.impl().pool.for_ranges(n, vertex_grain, [&](std::size_t begin, std::size_t end, int) {
        if (!own.positions.empty()) clamped += write_positions(out, own, begin, end);
        if (!own.normals.empty()) write_normals(out.normals, own, begin, end);
        if (!own.tangents.empty()) write_tangents(out.tangents, own, begin, end);
    });
    done.clamped = clamped;
    done.written = true;
    return done;
}

}  // namespace fascia
