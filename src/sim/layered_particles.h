// Oriented particles in layers of one surface (docs/formulas.md E3 to E5): the passes of a step, eight particles at a
// time, and shape matching over rings and siblings by prefix sums along paths.
//
// A particle's place in a channel is layer * padded + vertex; vertices are numbered along paths (path_order.h). A
// region belongs to each particle: the ring of its vertex on its own layer, and the particles of the same vertex on the
// layers above and below. Membership is mutual, so that one list of runs serves both ways: from particles to regions,
// and from regions to goals. Sums are in double: differences of long prefix sums, about the common origin, lose nothing
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "fascia/method.h"
#include "sim/motion.h"
#include "sim/path_order.h"
#include "sim/segment_step.h"

namespace fascia::sim {

/// Doubles of one record. Of a particle: m x, then m x x0^T + A by columns; of a region: T, then R by columns, for the
/// map x0 -> R x0 + T. Every fourth double is unused.
inline constexpr std::size_t particle_record = 16;

using Doubles = std::vector<double, AlignedAllocator<double>>;

/// The regions of a body; everything that does not change.
struct ParticleRegions {
    std::size_t vertices = 0, padded = 0, layers = 0, stride = 0;  ///< padded: to a multiple of eight
    RingRuns rings;
    Doubles weights;  ///< [stride * 4] m, m x0: mass shares of the particles, times their rest place
    Floats moments;   ///< [6 * stride] xx yy zz xy xz yz of (m/5) Q diag(radii^2) Q^T: the ellipsoids
    Doubles centers;  ///< [stride * 4] 1/M, then the centre of mass of each region at rest
    Doubles rest;     ///< [stride * 4] 1 / number of regions that hold a particle, then its rest place
    Floats spread;    ///< [stride] mean variance of a region's rest shape along its widest two axes

    std::size_t blocks() const { return (padded + RingRuns::block - 1) / RingRuns::block; }
    std::size_t items() const { return layers * blocks(); }  ///< of work in a pass
    /// Records of one layer, and doubles of all layers.
    std::size_t layer_records() const { return blocks() * (RingRuns::block + 1); }
    std::size_t doubles() const { return layers * layer_records() * particle_record; }
};

/// What the regions need to know about a body. Places as in ParticleRegions.
struct ParticleShape {
    std::size_t vertices = 0, layers = 0;
    Links edges;                   ///< of the vertices
    std::span<const Vec3d> rest;   ///< [layers * vertices]
    std::span<const double> mass;  ///< [layers * vertices]
    /// [layers * vertices] unit normal of the layer, and radii along it and across it
    struct Ellipsoid {
        Vec3d normal;
        double across = 1, along = 1;
    };
    std::span<const Ellipsoid> ellipsoids;
};
ParticleRegions make_particle_regions(const ParticleShape& shape, int rings);

/// One fit of all regions, and the way to the goals.
struct ParticleMatch {
    const ParticleRegions* regions = nullptr;
    const float* turned = nullptr;  ///< 4 channels of `padded` floats: driven rotation of each vertex
    const float* match = nullptr;   ///< channel: share of the way to the goal that is taken
    float* positions = nullptr;     ///< 3 channels
    float* rotations = nullptr;     ///< 4 channels, relative to the driven rotation; layer 0 is bone and keeps its own
    double* sums = nullptr;         ///< ParticleRegions::doubles
    double* maps = nullptr;         ///< the same
};
/// Over items of work: prefix sums of the particles.
FASCIA_DECLARE_KERNEL(void sum_particles(const ParticleMatch& match, std::size_t begin, std::size_t end))
/// Rotations and rigid maps of the regions, and their prefix sums.
FASCIA_DECLARE_KERNEL(void fit_particles(const ParticleMatch& match, std::size_t begin, std::size_t end))
/// x += s (g - x), where g is the mean of x0 mapped by the regions that hold x.
FASCIA_DECLARE_KERNEL(void move_particles(const ParticleMatch& match, std::size_t begin, std::size_t end))
void match_particles(const ParticleMatch& match, ThreadPool& pool);

/// Where the skeleton carries vertices on all layers: dual quaternion blending. Over groups of eight vertices.
struct ParticleDrive {
    std::size_t padded = 0, layers = 0, stride = 0;
    const std::uint32_t* first = nullptr;  ///< [groups + 1] into joints
    const std::uint16_t* joints = nullptr;
    const float* weights = nullptr;  ///< [8 per joint]
    const float* duals = nullptr;    ///< [joints * 8]
    bool linear = false;             ///< positions by linear blending, as published
    const float* rest = nullptr;     ///< 3 channels
    float* positions = nullptr;      ///< 3 channels
    float* turned = nullptr;         ///< 4 channels of `padded` floats
};
FASCIA_DECLARE_KERNEL(void drive_particles(const ParticleDrive& drive, std::size_t begin, std::size_t end))
void drive_all_particles(const ParticleDrive& drive, ThreadPool& pool);

/// What one step does to each particle on its own. Channels.
struct ParticleStep {
    std::size_t stride = 0;
    std::size_t groups = 0;        ///< of eight particles
    const float* there = nullptr;  ///< 3 channels: where the skeleton carries it at the end of the step
    float *driven = nullptr, *driven_speed = nullptr;   ///< 3 channels each: in the last step, then in this one
    float *positions = nullptr, *velocities = nullptr;  ///< 3 channels each
    float* offsets = nullptr;                           ///< 3 channels: u before the step
    const float* push = nullptr;                        ///< 3 channels of velocity, or null
    const float *alpha = nullptr, *beta = nullptr,
                *drive = nullptr;  ///< p = a + alpha u + beta (v - drive (a'' - g) dt)
    const float* limit = nullptr;  ///< farthest |u|
    float rate = 240;
    float felt[3] = {0, 0, 0};
};
/// Over groups of eight particles.
FASCIA_DECLARE_KERNEL(void predict_particles(const ParticleStep& step, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void update_particles(const ParticleStep& step, std::size_t begin, std::size_t end,
                                            RangeMotion& motion))
void predict_all_particles(const ParticleStep& step, ThreadPool& pool);
Motion update_all_particles(const ParticleStep& step, ThreadPool& pool);

}  // namespace fascia::sim
