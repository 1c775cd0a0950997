// Points that carry a surface: the kernels against the plain twin.
#include "skin/carriers.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "embed/trilinear.h"
#include "skin/skinned_surface.h"

namespace fascia {
namespace {

constexpr std::size_t stride = 96, places = 83, slots = 8;

/// Points at random places with random offsets and turns, and what the plain twin makes of the same.
struct Points {
    explicit Points(bool fades) {
        std::mt19937 random(5);
        std::uniform_real_distribution<float> unit(-1, 1);
        for (auto* channels : {&driven, &before, &positions, &velocities}) channels->resize(3 * stride);
        for (auto* channels : {&driven_turns, &fitted, &turns}) channels->resize(4 * stride);
        from.resize(3 * stride), to.resize(3 * stride), turn.resize(stride), shown.resize(stride, 1.0f);
        for (std::size_t i = 0; i < places; ++i) {
            turn[i] = 0.5f + 0.5f * std::abs(unit(random));
            if (fades) shown[i] = std::abs(unit(random));
            const Quat q = normalized(Quat{unit(random), unit(random), unit(random), unit(random)});
            const Quat r = normalized(Quat{-1, 0.3 * unit(random), 0.3 * unit(random), 0.3 * unit(random)});
            put(driven_turns, i, q), put(fitted, i, r);
            const double share = shown[i] * turn[i];
            put(turns, i,
                q * normalized(Quat{1 - share - share * r.w, -share * r.x, -share * r.y, -share * r.z}) * conjugate(q));
            for (std::size_t k = i; k < 3 * stride; k += stride) {
                driven[k] = unit(random), before[k] = unit(random), velocities[k] = unit(random);
                positions[k] = before[k] + 0.1f * unit(random);
                from[k] = scale * driven[k];
                to[k] = scale * (driven[k] + shown[i] * (positions[k] - before[k] - back * velocities[k]));
            }
        }
    }

    static void put(Floats& channels, std::size_t i, Quat q) {
        const double values[4] = {q.w, q.x, q.y, q.z};
        for (std::size_t k = 0; k < 4; ++k) channels[k * stride + i] = float(values[k]);
    }

    CarrierTask task(const Carriers& carriers, std::span<const float> shown_rows, std::span<float> rows) const {
        CarrierTask out;
        out.first = carriers.first.data();
        out.row_of = carriers.row_of.data();
        out.pairs = carriers.first.size() / 2;
        out.far = true;
        for (std::size_t k = 0; k < 4; ++k) {
            out.driven_turns[k] = &driven_turns[k * stride], out.fitted[k] = &fitted[k * stride];
            if (k == 3) continue;
            out.driven[k] = &driven[k * stride], out.driven_before[k] = &before[k * stride];
            out.positions[k] = &positions[k * stride], out.velocities[k] = &velocities[k * stride];
        }
        out.turn = turn.data();
        out.shown = shown_rows.empty() ? nullptr : shown_rows.data();
        out.scale = scale, out.back = back;
        out.rows = rows.data();
        return out;
    }

    static constexpr float scale = 1.5f, back = 0.003f;
    Floats driven, before, positions, velocities, driven_turns, fitted, turn, shown;
    Floats from, to, turns;  ///< of the twin
};

/// Vertices of one joint at rest, so that skinning leaves them where they are.
struct Sheet {
    explicit Sheet(std::size_t count) {
        std::mt19937 random(9);
        std::uniform_real_distribution<float> unit(-1, 1);
        for (std::size_t v = 0; v < count; ++v) {
            positions.push_back({unit(random), unit(random), unit(random)});
            normals.push_back(normalized(Vec3{unit(random), unit(random), unit(random)}));
            const std::size_t used = 1 + random() % slots, near = v / 5 % (places - slots);
            float sum = 0;
            for (std::size_t k = 0; k < slots; ++k) {
                bound.points.push_back(std::uint32_t(near + (k < used ? slots - 1 - k : 0)));
                bound.weights.push_back(k < used ? 0.1f + std::abs(unit(random)) : 0.0f);
                sum += bound.weights.back();
            }
            for (std::size_t k = v * slots; k < (v + 1) * slots; ++k) bound.weights[k] /= sum;
        }
        joints.assign(count, 0);
        weights.assign(count, 1.0f);
    }
    SkinSource source() const { return {positions, normals, {}, joints, weights, 1}; }

    std::vector<Vec3> positions, normals;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    embedding::Trilinear bound;
};

template <class SurfaceKind>
void expect_twin(bool fades) {
    const Points points(fades);
    const Sheet sheet(1003);
    const Carriers carriers = pack_carriers(sheet.bound.points, sheet.bound.weights, slots);
    Floats rows(carriers.rows * carrier_floats), shown;
    if (fades)
        for (std::size_t lane = 0; lane < carriers.lanes(); ++lane) shown.push_back(points.shown[carriers.place(lane)]);
    FASCIA_DISPATCH(carrier_rows)(points.task(carriers, shown, rows), 0, carriers.first.size() / 2);

    const std::vector<Affine> rest(1);
    std::vector<Vec3> moved(sheet.positions.size()), turned(moved.size()), expected(moved), expected_normals(moved);
    const Carry carry{carriers.surface.view(), rows.data(), {10, 20, -30}};
    Workspace work(2);
    const Surface out{.positions = moved, .normals = turned, .tangents = {}};
    if constexpr (std::is_same_v<SurfaceKind, DqsSurface>)
        SurfaceKind(sheet.source(), rest).skin(rest, out, work, {}, &carry);
    else
        SurfaceKind(sheet.source(), rest).skin(rest, out, work, &carry);

    const embedding::Carriers twin{stride, points.from, points.to, points.turns};
    embedding::carry_positions_reference(sheet.bound, twin, sheet.positions, expected);
    embedding::carry_directions_reference(sheet.bound, twin, sheet.normals, expected_normals);
    for (std::size_t v = 0; v < moved.size(); ++v) {
        EXPECT_LT(length(moved[v] - expected[v] - Vec3{10, 20, -30}), 1e-5f) << v;
        EXPECT_LT(length(turned[v] - expected_normals[v]), 3e-6f) << v;
    }
}

TEST(Carriers, ASkinnedSurfaceIsCarriedAsByThePlainTwin) {
    expect_twin<DqsSurface>(false);
    expect_twin<LbsSurface>(false);
}

TEST(Carriers, ShowAShareOfTheirMotion) {
    expect_twin<DqsSurface>(true);
}

TEST(Carriers, AreReadInGroupsAndOnlyThoseThatCarryHaveARow) {
    const std::vector<std::uint32_t> points{44, 3, 44, 44, 44, 100, 1, 17};
    const std::vector<float> weights{0.75f, 0.25f, 1, 0, 1, 0, 0.5f, 0.5f};
    const Carriers carriers = pack_carriers(points, weights, 2);
    EXPECT_EQ(carriers.first, (std::vector<std::uint32_t>{0, 16, 40, 40})) << "100 carries nothing; an even number";
    EXPECT_EQ(carriers.rows, 5u);
    std::vector<std::uint32_t> expected(32, 4);
    expected[1] = 0, expected[3] = 1, expected[8 + 1] = 2, expected[16 + 4] = 3;
    EXPECT_EQ(carriers.row_of, expected);
    EXPECT_EQ(carriers.surface.vertices, 4u);
}

TEST(Carriers, ThreadsShareNoRow) {
    std::vector<std::uint32_t> points;  // every third place, so that each group has idle ones
    for (std::uint32_t place = 0; place < 5000; place += 3) points.push_back(place);
    const Carriers carriers = pack_carriers(points, std::vector<float>(points.size(), 1.0f), 1);
    const std::size_t range = 2 * carrier_grain * carrier_group;
    ASSERT_GT(carriers.lanes(), 2 * range);
    std::vector<std::size_t> writer(carriers.rows, carriers.lanes());
    for (std::size_t lane = 0; lane < carriers.lanes(); ++lane) {
        std::size_t& range_of_row = writer[carriers.row_of[lane]];
        if (range_of_row == carriers.lanes()) range_of_row = lane / range;
        EXPECT_EQ(range_of_row, lane / range) << "row " << carriers.row_of[lane];
    }
}

}  // namespace
}  // namespace fascia
