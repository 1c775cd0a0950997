// Surfaces in an engine's own memory: any layout, nothing beside it touched, nothing of it read.
#include "fascia/vertex_buffers.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/pose.h"
#include "support/small_character.h"
#include "support/write_only_memory.h"

namespace fascia {
namespace {

/// The tube with tangents, a little into its bend.
class Posed {
public:
    explicit Posed(const std::string& method, bool rectify = false, int threads = 1,
                   Character body = *bundled_character("tube"))
        : work(threads), character(with_tangents(std::move(body))) {
        Flesh flesh = *preset("default");
        if (method == "layers" || method == "lattice" || method == "particles") {
            EXPECT_TRUE(set_field(flesh, "resolution", "10").ok());
        }
        BindInputs inputs;
        inputs.rectify = rectify;
        rig = *fascia::bind(character, method, flesh, inputs);
        state = make_state(*rig);
        const Clip* bend = *find_clip(character, "bend");
        for (int k = 0; k <= 12; ++k) {
            evaluate(character, bend, k / 30.0, pose);
            if (k == 0) reset(*rig, pose.joints, state, work);
            advance(*rig, pose.joints, 1 / 60.0, state, work);
        }
        positions.resize(rig->vertex_count());
        normals.resize(rig->vertex_count());
        tangents.resize(rig->vertex_count());
        EXPECT_EQ(embed(*rig, state, {positions, normals, tangents}, work), Verdict::fine);
    }
    std::size_t vertices() const { return rig->vertex_count(); }

    Workspace work;
    Character character;
    RigPtr rig;
    State state;
    Pose pose;
    std::vector<Vec3> positions, normals;  ///< as plain embed writes them
    std::vector<Vec4> tangents;

private:
    static Character with_tangents(Character out) {
        for (const Vec3 n : out.mesh.normals) {
            const Vec3 t = normalized(cross(n, Vec3{0.3f, 0.5f, -0.8f}), {1, 0, 0});
            out.mesh.tangents.push_back({t.x, t.y, t.z, out.mesh.tangents.size() % 3 == 0 ? -1.0f : 1.0f});
        }
        return out;
    }
};

struct Kind {
    const char* name;
    const char* method;
    bool rectify;
};
const Kind kinds[] = {{"lbs", "lbs", false},
                      {"dqs", "dqs", false},
                      {"blending", "bones-blending", false},
                      {"layers", "layers", false},
                      {"lattice", "lattice", false},
                      {"particles", "particles", false},
                      {"rectified", "lbs", true},
                      {"hull", "volumetric-dqs", false},
                      {"arap", "volumetric-arap", false}};

/// An engine's vertex of 46 bytes, at an odd address, with marks between its parts.
struct Interleaved {
    static constexpr std::size_t stride = 46, position_at = 1, normal_at = 15, tangent_at = 28;
    std::vector<unsigned char> bytes;
    VertexBuffers buffers;

    Interleaved(std::size_t vertices, unsigned char mark) : bytes(vertices * stride, mark) {
        buffers.positions = {bytes.data() + position_at, stride, vertices, NumberType::f32};
        buffers.normals = {bytes.data() + normal_at, stride, vertices, NumberType::f32};
        buffers.tangents = {bytes.data() + tangent_at, stride, vertices, NumberType::f32};
    }
    template <class T>
    T at(std::size_t vertex, std::size_t offset) const {
        T out;
        std::memcpy(&out, bytes.data() + vertex * stride + offset, sizeof out);
        return out;
    }
};

TEST(VertexBuffers, AnyStrideAndOffsetAndNothingBesideIt) {
    for (const Kind& kind : kinds)
        for (const int threads : {1, 2}) {
            Posed body(kind.method, kind.rectify, threads);
            for (const unsigned char mark : {0x00, 0xff}) {
                Interleaved out(body.vertices(), mark);
                const Embedded done = embed_into(*body.rig, body.state, out.buffers, body.work);
                EXPECT_EQ(done.verdict, Verdict::fine);
                EXPECT_TRUE(done.written);
                for (std::size_t v = 0; v < body.vertices(); ++v) {
                    ASSERT_EQ(out.at<Vec3>(v, Interleaved::position_at), body.positions[v]) << kind.name << v;
                    ASSERT_EQ(out.at<Vec3>(v, Interleaved::normal_at), body.normals[v]) << kind.name << v;
                    const Vec4 t = out.at<Vec4>(v, Interleaved::tangent_at), as = body.tangents[v];
                    ASSERT_TRUE(t.x == as.x && t.y == as.y && t.z == as.z && t.w == as.w) << kind.name << v;
                    for (const std::size_t gap : {0, 13, 14, 27, 44, 45})
                        ASSERT_EQ(out.bytes[v * Interleaved::stride + gap], mark) << kind.name << v;
                }
            }
        }
}

TEST(VertexBuffers, PositionsAloneAndPacked) {
    Posed body("layers");
    std::vector<Vec3> packed(body.vertices());
    VertexBuffers out;
    out.positions = {packed.data(), 0, packed.size(), NumberType::f32};
    EXPECT_TRUE(embed_into(*body.rig, body.state, out, body.work).written);
    EXPECT_EQ(packed, body.positions);
}

TEST(VertexBuffers, SixteenBitsInABox) {
    Posed body("layers");
    struct Packed {
        std::uint16_t position[3];
        std::int16_t normal[3], tangent[4];
    };
    std::vector<Packed> vertices(body.vertices());
    const std::size_t n = vertices.size();
    VertexBuffers out;
    out.low = {-10, -20, -30};
    out.high = {10, 12, 14};
    out.positions = {&vertices[0].position, sizeof(Packed), n, NumberType::unorm16};
    out.normals = {&vertices[0].normal, sizeof(Packed), n, NumberType::snorm16};
    out.tangents = {&vertices[0].tangent, sizeof(Packed), n, NumberType::snorm16};
    Embedded done = embed_into(*body.rig, body.state, out, body.work);
    EXPECT_EQ(done.verdict, Verdict::fine);
    EXPECT_EQ(done.clamped, 0u);
    for (std::size_t v = 0; v < n; ++v) {
        const Packed& p = vertices[v];
        const double units[3] = {20.0 / 65535, 32.0 / 65535, 44.0 / 65535}, low[3] = {-10, -20, -30};
        const float *exact = &body.positions[v].x, *normal = &body.normals[v].x, *tangent = &body.tangents[v].x;
        for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(low[k] + p.position[k] * units[k], exact[k], 0.51 * units[k]) << v;
            ASSERT_NEAR(p.normal[k] / 32767.0, normal[k], 0.51 / 32767) << v;
            ASSERT_NEAR(p.tangent[k] / 32767.0, tangent[k], 0.51 / 32767) << v;
        }
        ASSERT_EQ(p.tangent[3], body.tangents[v].w * 32767) << v;
    }
    // A box that cuts the body: vertices stay on its sides, and are counted.
    out.low = {0, -20, -30};
    done = embed_into(*body.rig, body.state, out, body.work);
    std::size_t outside = 0;
    for (std::size_t v = 0; v < n; ++v)
        if (body.positions[v].x < -1e-3f) {
            ++outside;
            ASSERT_EQ(vertices[v].position[0], 0) << v;
        }
    EXPECT_GT(outside, 10u);
    EXPECT_NEAR(double(done.clamped), double(outside), 2);
}

TEST(VertexBuffers, OffsetsFromTheSkinnedSurface) {
    for (const Kind& kind : kinds) {
        Posed body(kind.method, kind.rectify);
        std::vector<Vec3> skinned(body.vertices()), offsets(body.vertices());
        embed_skinned(*body.rig, body.state, {.positions = skinned}, body.work);
        VertexBuffers out;
        out.positions = {offsets.data(), 0, offsets.size(), NumberType::f32};
        out.offsets = true;
        EXPECT_TRUE(embed_into(*body.rig, body.state, out, body.work).written);
        float most = 0;
        for (std::size_t v = 0; v < body.vertices(); ++v) {
            ASSERT_EQ(offsets[v], body.positions[v] - skinned[v]) << kind.name;
            most = std::max(most, length(offsets[v]));
        }
        const bool simulates = body.rig->live() != nullptr;
        EXPECT_EQ(most > 0, simulates) << kind.name;
    }
}

TEST(VertexBuffers, NothingWhereNothingHasMoved) {
    Posed body("layers");
    std::vector<Vec3> ring[3];
    for (auto& buffer : ring) buffer.assign(body.vertices(), Vec3{7, 7, 7});
    int skipped = 0, frames = 0;
    for (; frames < 900 && skipped < 5; ++frames) {
        advance(*body.rig, body.pose.joints, 1 / 60.0, body.state, body.work);
        VertexBuffers out;
        out.positions = {ring[frames % 3].data(), 0, body.vertices(), NumberType::f32};
        out.skip_after_still_frames = 3;
        skipped += !embed_into(*body.rig, body.state, out, body.work).written;
    }
    EXPECT_EQ(skipped, 5) << "it fell asleep";
    embed(*body.rig, body.state, {.positions = body.positions}, body.work);
    for (const auto& buffer : ring) EXPECT_EQ(buffer, body.positions);
    body.pose.joints[0].m[0][3] += 0.01;
    advance(*body.rig, body.pose.joints, 1 / 60.0, body.state, body.work);
    VertexBuffers out;
    out.positions = {ring[0].data(), 0, body.vertices(), NumberType::f32};
    out.skip_after_still_frames = 1;
    EXPECT_TRUE(embed_into(*body.rig, body.state, out, body.work).written);
}

#ifdef NDEBUG
TEST(VertexBuffers, WhatCannotBeWrittenIsTold) {
    Posed body("lbs");
    std::vector<Vec3> memory(body.vertices(), Vec3{7, 7, 7});
    const auto verdict = [&](auto&& change) {
        VertexBuffers out;
        out.positions = {memory.data(), 0, memory.size(), NumberType::f32};
        out.low = {-1, -1, -1};
        out.high = {1, 1, 1};
        change(out);
        const Embedded done = embed_into(*body.rig, body.state, out, body.work);
        EXPECT_FALSE(done.written);
        return done.verdict;
    };
    EXPECT_EQ(verdict([](VertexBuffers& b) { b.positions.vertices -= 1; }), Verdict::short_output);
    EXPECT_EQ(verdict([](VertexBuffers& b) { b.positions.stride = 11; }), Verdict::bad_output);
    EXPECT_EQ(verdict([](VertexBuffers& b) { b.positions.type = NumberType::f64; }), Verdict::bad_output);
    EXPECT_EQ(verdict([](VertexBuffers& b) { b.positions.type = NumberType::snorm16; }), Verdict::bad_output);
    EXPECT_EQ(verdict([](VertexBuffers& b) { b.positions.type = NumberType::unorm16, b.high.y = -1; }),
              Verdict::bad_output);
    body.state.rig ^= 1;
    EXPECT_EQ(verdict([](VertexBuffers&) {}), Verdict::foreign);
    EXPECT_EQ(memory[0], (Vec3{7, 7, 7}));
}
#endif

/// Whatever lay there before, the same bits lie there afterwards.
TEST(Embed, TwoPoisonsGiveTheSameBits) {
    for (const Kind& kind : kinds) {
        Posed body(kind.method, kind.rectify);
        std::vector<Vec3> positions[2], normals[2], skinned[2];
        std::vector<Vec4> tangents[2];
        for (int k = 0; k < 2; ++k) {
            const float poison = k == 0 ? std::nanf("") : 1e30f;
            positions[k].assign(body.vertices(), Vec3{poison, poison, poison});
            normals[k] = skinned[k] = positions[k];
            tangents[k].assign(body.vertices(), Vec4{poison, poison, poison, poison});
            EXPECT_EQ(embed(*body.rig, body.state, {positions[k], normals[k], tangents[k]}, body.work), Verdict::fine);
            EXPECT_EQ(embed_skinned(*body.rig, body.state, {.positions = skinned[k]}, body.work), Verdict::fine);
        }
        const auto same = [](const auto& a, const auto& b) {
            return std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
        };
        EXPECT_TRUE(same(positions[0], positions[1])) << kind.name;
        EXPECT_TRUE(same(normals[0], normals[1])) << kind.name;
        EXPECT_TRUE(same(tangents[0], tangents[1])) << kind.name;
        EXPECT_TRUE(same(skinned[0], skinned[1])) << kind.name;
        EXPECT_TRUE(same(positions[0], body.positions)) << kind.name;
    }
}

#ifdef FASCIA_HAS_WRITE_ONLY_MEMORY
/// Write-combined memory is slow to read: embed does not, not even what it has just written.
TEST(Embed, NeverReadsWhatItWrites) {
    for (const Kind& kind : kinds) {
        // Few vertices: every access costs two signals.
        Posed body(kind.method, kind.rectify, 1, test::small_character());
        const std::size_t n = body.vertices();
        test::WriteOnlyMemory memory(n * 40);
        const Surface out{{reinterpret_cast<Vec3*>(memory.data()), n},
                          {reinterpret_cast<Vec3*>(memory.data() + 12 * n), n},
                          {reinterpret_cast<Vec4*>(memory.data() + 24 * n), n}};
        memory.watch([&] { embed(*body.rig, body.state, out, body.work); });
        EXPECT_EQ(memory.reads, 0u) << kind.name;
        EXPECT_GT(memory.writes, n / 16) << kind.name;
        EXPECT_TRUE(std::equal(out.positions.begin(), out.positions.end(), body.positions.begin())) << kind.name;

        VertexBuffers buffers;
        buffers.positions = {memory.data() + 4, 40, n, NumberType::f32};
        buffers.normals = {memory.data() + 20, 40, n, NumberType::snorm16};
        memory.watch([&] { embed_into(*body.rig, body.state, buffers, body.work); });
        EXPECT_EQ(memory.reads, 0u) << kind.name;
        EXPECT_GE(memory.writes, n) << kind.name;
    }
    // Does the trap itself work? This reads.
    test::WriteOnlyMemory memory(64);
    memory.watch([&] {
        volatile unsigned char* const byte = memory.data();
        byte[0] = 1;
        byte[1] = byte[0];
    });
    EXPECT_EQ(memory.reads, 1u);
    EXPECT_EQ(memory.writes, 2u);
}
#endif

}  // namespace
}  // namespace fascia
