// Every level of the vector kernels against the scalar reference: the same bits, on every code path for a block.
#include "skin/skin_kernels.h"

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "skin/packed_skin.h"
#include "skin/skin_reference.h"

namespace fascia {
namespace {

struct Case {
    const char* name;
    std::size_t vertices;
    int influences, joints;
    double sharing;  ///< how readily blocks are shared: 0 never, 100 always
    bool coherent;   ///< neighbours have the same joints
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

class Surface16 {
public:
    explicit Surface16(const Case& c) : joints_(c.joints) {
        std::mt19937 random(17);
        std::uniform_real_distribution<float> unit(-1, 1);
        std::vector<std::uint16_t> joints;
        std::vector<float> weights;
        for (std::size_t v = 0; v < c.vertices; ++v) {
            positions.push_back({unit(random), unit(random), unit(random)});
            directions.push_back(normalized(Vec3{unit(random), unit(random), unit(random)}));
            if (v % 37 == 0) directions.back() = {1, 0, 0};  // products that are zero
            const int used = 1 + static_cast<int>(random() % static_cast<unsigned>(c.influences));
            for (int k = 0; k < c.influences; ++k) {
                const unsigned joint =
                    c.coherent ? static_cast<unsigned>(v / 24 + static_cast<std::size_t>(k)) : random();
                joints.push_back(static_cast<std::uint16_t>(joint % static_cast<unsigned>(c.joints)));
                weights.push_back(k < used ? 0.05f + std::abs(unit(random)) : 0.0f);
            }
        }
        bound = bind_weights({positions, {}, {}, joints, weights, c.influences});
        std::vector<Affine> maps(static_cast<std::size_t>(c.joints)), phase1(maps.size());
        for (Affine& m : maps) {
            const Quat q = normalized(Quat{unit(random), unit(random), unit(random), unit(random)});
            m = compose({unit(random), unit(random), unit(random)}, q, {1, 1, 1});
        }
        maps[0] = {};  // an identity gives exact zeros
        rows.resize(maps.size() * row_floats);
        duals.resize(maps.size() * dual_floats);
        matrix_rows(maps, rows);
        split_rigid(maps, std::vector<Vec3d>(maps.size()), duals, phase1);
    }

    int joints_;
    std::vector<Vec3> positions, directions;
    BoundWeights bound;
    Floats rows, duals;
};

void expect_same_bits(std::span<const Vec3> expected, const Floats& got, const char* what) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(std::memcmp(&expected[i], got.data() + 3 * i, sizeof(Vec3)), 0)
            << what << ", vertex " << i << ": " << expected[i].x << " " << expected[i].y << " " << expected[i].z
            << " against " << got[3 * i] << " " << got[3 * i + 1] << " " << got[3 * i + 2];
}

class Kernels : public ::testing::TestWithParam<Case> {};

void expect_reference_lbs(const Case& with, bool onto) {
    const Surface16 s(with);
    const PackedBlocks blocks =
        pack_blocks(s.bound, joint_entries(s.bound), row_floats, with.sharing, onto ? carrier_slots : 1);
    const Floats positions = onto ? pack_for_dqs(s.positions) : pack_for_lbs(s.positions, blocks, 1);
    const Floats directions = onto ? pack_for_dqs(s.directions) : pack_for_lbs(s.directions, blocks, 0);
    std::vector<Vec3> expected(s.positions.size()), expected_directions(s.positions.size());
    const Vec3 origin{0.25f, -3, 1e-3f};
    lbs_reference(s.rows, s.bound, s.positions, origin, expected, onto);
    lbs_directions_reference(s.rows, s.bound, s.directions, expected_directions, onto);

    ASSERT_FALSE(skin_kernels().empty());
    for (const SkinKernels& kernels : skin_kernels()) {
        for (const int mode : {1, 2, 3}) {
            Floats out(48 * blocks.blocks.size()), out_directions(48 * blocks.blocks.size());
            LbsTask task;
            task.blocks = blocks.view();
            task.rows = s.rows.data();
            task.onto = onto;
            task.origin[0] = origin.x, task.origin[1] = origin.y, task.origin[2] = origin.z;
            if (mode & 1) task.positions = positions.data(), task.out_positions = out.data();
            if (mode & 2) task.directions = directions.data(), task.out_directions = out_directions.data();
            kernels.lbs_blocks(task, 0, blocks.blocks.size());
            if (mode & 1) expect_same_bits(expected, out, isa_name(kernels.isa));
            if (mode & 2) expect_same_bits(expected_directions, out_directions, isa_name(kernels.isa));
        }
    }
}

TEST_P(Kernels, LbsGivesTheBitsOfTheReference) {
    expect_reference_lbs(GetParam(), false);
}

TEST_P(Kernels, LbsOntoGivesTheBitsOfTheReference) {
    expect_reference_lbs(GetParam(), true);
}

TEST_P(Kernels, DqsGivesTheBitsOfTheReference) {
    const Surface16 s(GetParam());
    const PairEntries pairs = pair_entries(s.bound, static_cast<std::size_t>(s.joints_));
    const PackedBlocks blocks = pack_blocks(s.bound, pairs.entries, dual_floats, GetParam().sharing);
    Floats duals(pairs.pairs.size() * dual_floats);
    signed_duals(pairs.pairs, s.duals, duals);
    const Floats positions = pack_for_dqs(s.positions), directions = pack_for_dqs(s.directions);
    std::vector<Vec3> expected(s.positions.size()), expected_directions(s.positions.size());
    const Vec3 origin{0.25f, -3, 1e-3f};
    dqs_reference(s.duals, s.bound, s.positions, 1.5f, origin, expected);
    dqs_directions_reference(s.duals, s.bound, s.directions, expected_directions);

    for (const SkinKernels& kernels : skin_kernels()) {
        for (const int mode : {1, 2, 3}) {
            Floats out(48 * blocks.blocks.size()), out_directions(48 * blocks.blocks.size());
            DqsTask task;
            task.blocks = blocks.view();
            task.duals = duals.data();
            task.scale = 1.5f;
            task.origin[0] = origin.x, task.origin[1] = origin.y, task.origin[2] = origin.z;
            if (mode & 1) task.positions = positions.data(), task.out_positions = out.data();
            if (mode & 2) task.directions = directions.data(), task.out_directions = out_directions.data();
            kernels.dqs_blocks(task, 0, blocks.blocks.size());
            if (mode & 1) expect_same_bits(expected, out, isa_name(kernels.isa));
            if (mode & 2) expect_same_bits(expected_directions, out_directions, isa_name(kernels.isa));
        }
    }
}

TEST_P(Kernels, StartInTheMiddle) {
    const Surface16 s(GetParam());
    const PackedBlocks blocks = pack_blocks(s.bound, joint_entries(s.bound), row_floats, GetParam().sharing);
    const Floats positions = pack_for_lbs(s.positions, blocks, 1);
    std::vector<Vec3> expected(s.positions.size());
    lbs_reference(s.rows, s.bound, s.positions, {}, expected);
    const std::size_t middle = blocks.blocks.size() / 3;
    for (const SkinKernels& kernels : skin_kernels()) {
        Floats out(48 * blocks.blocks.size());
        LbsTask task;
        task.blocks = blocks.view();
        task.rows = s.rows.data();
        task.positions = positions.data();
        task.out_positions = out.data();
        kernels.lbs_blocks(task, 0, middle);
        task.out_positions = out.data() + 48 * middle;
        kernels.lbs_blocks(task, middle, blocks.blocks.size());
        expect_same_bits(expected, out, isa_name(kernels.isa));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Kernels,
    ::testing::Values(Case{"own1", 500, 1, 40, 0, false}, Case{"own2", 500, 2, 40, 0, false},
                      Case{"own3", 500, 3, 40, 0, false}, Case{"own4", 1003, 4, 40, 0, false},
                      Case{"own5", 500, 5, 40, 0, false}, Case{"own6", 500, 6, 40, 0, false},
                      Case{"own7", 500, 7, 40, 0, false}, Case{"own8", 1003, 8, 40, 0, false},
                      Case{"shared4", 1003, 4, 40, 100, false}, Case{"shared8", 500, 8, 200, 100, false},
                      Case{"coherent4", 1003, 4, 40, 2.2, true}, Case{"coherent8", 1003, 8, 40, 1.2, true},
                      Case{"mixed", 2000, 4, 9, 1.8, false}, Case{"one vertex", 1, 4, 3, 2, false},
                      Case{"one joint", 40, 4, 1, 2, false}, Case{"many joints", 3000, 4, 3000, 2, false}));

TEST(PackedSkin, SharesWhereItPays) {
    BoundWeights w;
    w.influences = 2;
    for (int v = 0; v < 32; ++v) {
        const int first = v < 16 ? 0 : v;  // 16 vertices on the same two joints, then 16 on different joints
        w.joints.insert(w.joints.end(), {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(first + 50)});
        w.weights.insert(w.weights.end(), {0.5f, 0.5f});
        w.pivots.push_back(static_cast<std::uint16_t>(first));
    }
    const PackedBlocks blocks = pack_blocks(w, joint_entries(w), row_floats, 2);
    ASSERT_EQ(blocks.blocks.size(), 2u);
    EXPECT_EQ(blocks.blocks[0].shared, 1u);
    EXPECT_EQ(blocks.blocks[0].count, 2u);
    EXPECT_EQ(blocks.blocks[1].shared, 0u);
    EXPECT_EQ(blocks.blocks[1].count, 2u);
}

TEST(PackedSkin, LeavesOutUnusedSlots) {
    BoundWeights w;
    w.influences = 4;
    for (int v = 0; v < 16; ++v) {
        const auto j = static_cast<std::uint16_t>(3 * v);
        w.joints.insert(w.joints.end(), {j, static_cast<std::uint16_t>(j + 1), static_cast<std::uint16_t>(j + 1), j});
        w.weights.insert(w.weights.end(), {0.5f, 0.5f, 0, 0});
        w.pivots.push_back(j);
    }
    const PackedBlocks blocks = pack_blocks(w, joint_entries(w), row_floats, 1);
    EXPECT_EQ(blocks.blocks[0].count, 2u);
    EXPECT_EQ(blocks.weights.size(), 32u);
}

}  // namespace
}  // namespace fascia
