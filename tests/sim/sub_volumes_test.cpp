// Volumes of parts: closed, adding up, gradients by differences, and what corrections leave.
#include "sim/sub_volumes.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

/// A closed tube along x with `rings` rings; the ends are closed by one vertex each.
struct Tube {
    static constexpr std::uint32_t rings = 24, sides = 12;
    std::vector<Vec3d> positions;
    std::vector<std::uint32_t> triangles, part;

    explicit Tube(bool open = false) {
        for (std::uint32_t k = 0; k < rings; ++k)
            for (std::uint32_t s = 0; s < sides; ++s) {
                const double a = 6.283185307179586 * s / sides, r = 1 + 0.2 * std::sin(0.7 * k);
                positions.push_back({0.4 * k, r * std::cos(a), r * std::sin(a)});
            }
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t p) {
            triangles.insert(triangles.end(), {a, b, c});
            part.push_back(p);
        };
        for (std::uint32_t k = 0; k + 1 < rings; ++k)
            for (std::uint32_t s = 0; s < sides; ++s) {
                const std::uint32_t a = k * sides + s, b = k * sides + (s + 1) % sides;
                // A border that is no straight ring.
                const std::uint32_t p = k + s % 3 < 8 ? 0 : k < 16 ? 1 : 2;
                add(a, b, b + sides, p);
                add(a, b + sides, a + sides, p);
            }
        const auto first = std::uint32_t(positions.size());
        positions.push_back({0, 0, 0});
        positions.push_back({0.4 * (rings - 1), 0, 0});
        for (std::uint32_t s = 0; s < sides; ++s) {
            const std::uint32_t t = (s + 1) % sides, last = (rings - 1) * sides;
            if (!open) add(t, s, first, 0);
            add(last + s, last + t, first + 1, 2);
        }
    }
    DividedSurface surface() const { return {positions, triangles, part, 3}; }
    SubVolumes divided() const {
        return divide_volume(surface(), [&](const std::vector<std::uint32_t>& border) {
            Vec3d sum;
            for (const std::uint32_t v : border) sum += positions[v];
            return SubVolumes::Apex{sum * (1 / double(border.size())) + Vec3d{0.3, 0.1, 0}, 0};
        });
    }
    double whole() const {
        double out = 0;
        for (std::size_t t = 0; t < triangles.size(); t += 3)
            out += dot(positions[triangles[t]], cross(positions[triangles[t + 1]], positions[triangles[t + 2]])) / 6;
        return out;
    }
};

struct Measured {
    std::vector<float> channels;
    std::vector<Vec3> apexes, gradients;
    std::vector<double> volume;
    std::size_t stride;

    Measured(const SubVolumes& volumes, const std::vector<Vec3d>& positions) : stride(positions.size()) {
        for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z})
            for (const Vec3d& p : positions) channels.push_back(float(p.*axis));
        for (const auto& apex : volumes.apexes) apexes.push_back(to_float(apex.rest));
        gradients.resize(volumes.entries.size());
        volume.resize(volumes.parts());
        measure(volumes);
    }
    void measure(const SubVolumes& volumes) {
        ThreadPool pool(1);
        measure_volumes(volumes, {channels.data(), stride, apexes}, state(), pool);
    }
    VolumeState state() { return {volume, gradients}; }
};

TEST(SubVolumes, EveryEdgeHasItsOpposite) {
    for (const bool open : {false, true}) {
        const SubVolumes volumes = Tube(open).divided();
        for (std::size_t p = 0; p < volumes.parts(); ++p) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
            for (std::uint32_t k = volumes.first_corner[p]; k < volumes.first_corner[p + 1]; k += 3)
                for (std::uint32_t c = 0; c < 3; ++c)
                    ++uses[{volumes.corners[k + c], volumes.corners[k + (c + 1) % 3]}];
            for (const auto& [edge, count] : uses) EXPECT_EQ(count, (uses[{edge.second, edge.first}]));
            EXPECT_GT(volumes.rest_volume[p], 0);
        }
    }
}

TEST(SubVolumes, PartsAddUpToTheWhole) {
    const Tube tube;
    const SubVolumes volumes = tube.divided();
    double sum = 0;
    for (const double v : volumes.rest_volume) sum += v;
    EXPECT_NEAR(sum, tube.whole(), 1e-9 * tube.whole());
    EXPECT_EQ(volumes.apexes.size(), 2u) << "one fan between parts 0 and 1, one between 1 and 2";
    Measured measured(volumes, tube.positions);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(measured.volume[p], volumes.rest_volume[p], 1e-5);
}

TEST(SubVolumes, GradientsByDifferences) {
    const Tube tube;
    const SubVolumes volumes = tube.divided();
    Measured measured(volumes, tube.positions);
    for (std::size_t e = 0; e < volumes.entries.size(); e += 7) {
        const std::uint32_t v = volumes.entries[e];
        if (v >= SubVolumes::is_apex) continue;
        for (const std::size_t axis : {0u, 1u, 2u}) {
            constexpr float by = 0.05f;
            double volume[2];
            for (const int side : {0, 1}) {
                Measured moved(volumes, tube.positions);
                moved.channels[axis * moved.stride + v] += side ? by : -by;
                moved.measure(volumes);
                volume[side] = moved.volume[volumes.part_of[e]];
            }
            const float g = axis == 0   ? measured.gradients[e].x
                            : axis == 1 ? measured.gradients[e].y
                                        : measured.gradients[e].z;
            EXPECT_NEAR((volume[1] - volume[0]) / (2 * double(by)), double(g), 2e-4);
        }
    }
}

TEST(SubVolumes, CorrectionsConvergeAfterASquash) {
    const Tube tube;
    const SubVolumes volumes = tube.divided();
    std::vector<Vec3d> squashed = tube.positions;
    for (Vec3d& p : squashed) p.y *= 0.9;
    Measured measured(volumes, squashed);
    std::vector<float> weights(tube.positions.size(), 1);
    weights[5] = 0;
    std::vector<double> scratch(3);
    EXPECT_LT(measured.volume[1], 0.95 * volumes.rest_volume[1]);
    const float held = measured.channels[5];
    for (int k = 0; k < 6; ++k) {
        correct_volumes(volumes, measured.state(), weights, 1, scratch, measured.channels.data(), measured.stride);
        measured.measure(volumes);
    }
    for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(measured.volume[p] / volumes.rest_volume[p], 1, 1e-4);
    EXPECT_EQ(measured.channels[5], held);
}

TEST(SubVolumes, SpeedsFreeOfDivergence) {
    const Tube tube;
    const SubVolumes volumes = tube.divided();
    Measured measured(volumes, tube.positions);
    std::vector<float> weights(tube.positions.size(), 1), speeds(3 * measured.stride);
    for (std::size_t k = 0; k < speeds.size(); ++k) speeds[k] = float(std::sin(double(k)) + 0.5);
    const std::vector<Vec3> fans(2, Vec3{0.1f, 0, 0});
    const auto growth = [&](std::size_t p) {
        double sum = 0;
        for (std::uint32_t e = volumes.first_entry[p]; e < volumes.first_entry[p + 1]; ++e) {
            const std::uint32_t v = volumes.entries[e];
            const Vec3 speed = v >= SubVolumes::is_apex
                                   ? fans[v - SubVolumes::is_apex]
                                   : Vec3{speeds[v], speeds[measured.stride + v], speeds[2 * measured.stride + v]};
            sum += double(dot(measured.gradients[e], speed));
        }
        return sum;
    };
    const double before = std::abs(growth(1));
    EXPECT_GT(before, 0.01);
    std::vector<double> scratch(3);
    for (int k = 0; k < 4; ++k)
        remove_divergence(volumes, measured.state(), weights, fans, scratch, speeds.data(), measured.stride);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_LT(std::abs(growth(p)), 1e-4 * before);
}

}  // namespace
}  // namespace fascia::sim
