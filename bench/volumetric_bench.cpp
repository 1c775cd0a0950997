// Voxels that stay as rigid as they can, and surfaces carried by domains: one core, no tool beside it. libigl's figures
// for as many nodes were taken on another day on a machine of the same kind.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "base/portable_math.h"
#include "embed/in_cells.h"
#include "embed/point_embedding.h"
#include "machine.h"
#include "sim/grid_arap.h"

namespace fascia::bench {
namespace {

/// A box of voxels whose ends are held, bent by a quarter turn.
struct Box {
    std::vector<std::array<int, 3>> places;
    std::vector<std::uint32_t> ends;
    std::vector<std::uint8_t> held;

    Box(int nx, int n) {
        const auto at = [&](int x, int y, int z) { return std::uint32_t((z * n + y) * nx + x); };
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < nx; ++x) {
                    places.push_back({x, y, z});
                    held.push_back(x < 2 || x >= nx - 2);
                    const int own[3] = {x, y, z}, most[3] = {nx, n, n};
                    for (int side = 0; side < 6; ++side) {
                        int q[3] = {x, y, z};
                        q[side / 2] += side % 2 == 1 ? 1 : -1;
                        const bool there = q[side / 2] >= 0 && q[side / 2] < most[side / 2];
                        ends.push_back(there ? at(q[0], q[1], q[2]) : at(own[0], own[1], own[2]));
                    }
                }
    }
};

void solver_row(int nx, int n) {
    const Box box(nx, n);
    sim::GridArap arap;
    const double setting_up = best_seconds(3, [&] { arap = sim::GridArap({box.places, box.ends, box.held}); });
    std::vector<float> places(sim::arap_places(box.places.size()), 0), turns(4 * arap.stride(), 0);
    for (std::size_t p = 0; p < box.places.size(); ++p) {
        const auto [x, y, z] = box.places[p];
        const double angle = 1.5 * double(x) / nx, radius = nx / 1.5;
        places[sim::arap_floats * p] = float((radius - y) * portable::sine(angle));
        places[sim::arap_floats * p + 1] = float(radius - (radius - y) * portable::cosine(angle));
        places[sim::arap_floats * p + 2] = float(z);
    }
    for (std::size_t k = 0; k < arap.stride(); ++k) turns[k] = 1;
    sim::ArapScratch scratch;
    ThreadPool pool(1);
    for (int k = 0; k < 3; ++k) arap.iterate(places, turns, 1, scratch, pool);
    const double local = best_seconds(30, [&] { arap.fit(places, turns, scratch, pool); });
    const double global = best_seconds(30, [&] { arap.relax(places, 1, scratch, pool); });
    const double volume = best_seconds(30, [&] { arap.restore_volume(places, turns, 1, scratch, pool); });
    // From the solution to that of a pose a little further on, as from frame to frame.
    std::vector<float> start = places;
    for (std::size_t p = 0; p < box.places.size(); ++p) start[sim::arap_floats * p + 1] *= box.held[p] ? 1.02f : 1.0f;
    const std::vector<float> start_turns = turns;
    const double newton = best_seconds(30, [&] {
        std::copy(start.begin(), start.end(), places.begin());
        std::copy(start_turns.begin(), start_turns.end(), turns.begin());
        arap.newton(places, turns, scratch, pool);
    });
    const double more = double(arap.bytes()) / 1e6;
    std::printf("%8zu %8zu %10.2f %10.3f %10.3f %10.3f %10.3f %10.3f %9.1f %9.0f\n", box.places.size(),
                arap.free_count(), 1e3 * setting_up, 1e3 * local, 1e3 * global, 1e3 * (local + global), 1e3 * volume,
                1e3 * newton, more, 1e6 * more / double(arap.free_count()));
}

/// A tube of 5,103 vertices whose weights follow so many bones.
void surface_row(int bones) {
    constexpr int rings = 189, around = 27;
    std::vector<Vec3> positions, normals;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint16_t> joints;
    for (int r = 0; r < rings; ++r)
        for (int a = 0; a < around; ++a) {
            const double angle = 2 * portable::pi * a / around, x = 12.0 * r / (rings - 1);
            const Vec3d out{0, portable::cosine(angle), portable::sine(angle)};
            positions.push_back(to_float(out + Vec3d{x, 0, 0}));
            normals.push_back(to_float(out));
            joints.push_back(std::uint16_t(std::min(bones - 1, bones * r / rings)));
            if (r + 1 == rings) continue;
            const auto at = [&](int ring, int k) { return std::uint32_t(ring * around + k % around); };
            for (const std::uint32_t v :
                 {at(r, a), at(r, a + 1), at(r + 1, a), at(r + 1, a), at(r, a + 1), at(r + 1, a + 1)})
                triangles.push_back(v);
        }
    std::vector<Vec3d> points, lower;
    std::vector<std::uint32_t> corners, homes;
    constexpr int nx = 27, n = 6;
    constexpr double h = 0.5;
    const Vec3d origin{-0.2, -1.3, -1.35};
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < nx; ++x) {
                points.push_back(origin + Vec3d{double(x), double(y), double(z)} * h);
                if (x + 1 == nx || y + 1 == n || z + 1 == n) continue;
                lower.push_back(points.back());
                for (int k = 0; k < 8; ++k)
                    corners.push_back(std::uint32_t(((z + (k >> 2)) * n + y + (k >> 1 & 1)) * nx + x + (k & 1)));
            }
    for (const Vec3 p : positions) {
        const Vec3d t = (to_double(p) - origin) * (1 / h);
        homes.push_back(std::uint32_t((int(t.z) * (n - 1) + int(t.y)) * (nx - 1) + int(t.x)));
    }
    const embedding::Trilinear bound = embedding::bind_in_cells({lower, corners, h, positions, homes});
    embedding::EmbeddingInput input;
    input.positions = positions, input.normals = normals, input.triangles = triangles, input.joints = joints;
    input.bound = &bound, input.points = points;
    std::unique_ptr<const embedding::PointEmbedding> carried;
    const double setting_up = best_seconds(10, [&] { carried = embedding::make_embedding(input); });
    std::vector<Vec3> moved, out(positions.size()), out_normals(positions.size());
    for (const Vec3d p : points) {
        const double angle = 0.1 * p.x, radius = 10;
        moved.push_back(
            to_float({(radius - p.y) * portable::sine(angle), radius - (radius - p.y) * portable::cosine(angle), p.z}));
    }
    embedding::EmbeddingScratch scratch;
    ThreadPool pool(1);
    const double frame = best_seconds(100, [&] { carried->place(moved, {out, out_normals, {}}, scratch, pool); });
    const double places = best_seconds(100, [&] { carried->place(moved, {out, {}, {}}, scratch, pool); });
    std::printf("%8d %8zu %10zu %10.2f %10.3f %10.3f\n", bones, positions.size(), carried->sample_places().size(),
                1e3 * setting_up, 1e3 * places, 1e3 * frame);
}

}  // namespace
}  // namespace fascia::bench

int main() {
    using namespace fascia::bench;
    std::puts("volumetric-arap, ms (libigl, 5,070 nodes: 4.6 per iteration by spokes, 12.9 by elements)");
    std::puts(
        "   nodes     free     set-up      local     global  iteration     volume     newton factor MB  per node");
    solver_row(20, 16);
    solver_row(52, 31);
    std::puts("domains, ms");
    std::puts("   bones vertices    samples     set-up  positions  + normals");
    for (const int bones : {1, 3, 18}) surface_row(bones);
    return 0;
}
