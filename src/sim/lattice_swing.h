// Secondary motion of particles by shape matching (docs/formulas.md D6, D7), pass by pass.
//
// Channels of `stride` floats; lengths in cells. Legend: a is where the skeleton carries a particle, x the particle, u
// = x - a its offset, y = a + delta u what is fitted and shown, g the mean of its regions' goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "sim/ball_regions.h"
#include "sim/motion.h"
#include "sim/segments.h"

namespace fascia::sim {

/// The particles in each particle's region: [particles + 1] and the lists, ascending. Membership is mutual.
struct RegionLists {
    std::span<const std::uint32_t> first, members;
};

/// The layout of particles in channels, and their regions.
struct SwingRegions {
    int radius = 2;
    SegmentLayout layout;
    std::vector<std::uint32_t> own;  ///< [segments] place of lane 0
    std::vector<float> mass;         ///< [stride] 1 / number of regions that hold a particle, 0 in empty places
    std::vector<float> present;      ///< [stride] 1 where a particle is
    std::vector<float> soft;         ///< [stride] 1 at a particle that is not bone, 0 elsewhere
    std::vector<RowReach> ball;
    std::vector<BallConstants> constants;  ///< [segments]
    std::vector<std::uint32_t> corrected;  ///< [segments + 1]
    std::vector<BallCorrection> corrections;
    std::vector<std::uint32_t> first, members;  ///< the lists, by particle; members as places

    std::size_t stride() const { return layout.stride; }
    std::size_t segments() const { return own.size(); }
};
/// Sites must be distinct. radius: steps along the axes that the lists were made with. bone: [particles]
SwingRegions make_swing_regions(std::span<const Site> sites, const RegionLists& lists, int radius,
                                std::span<const std::uint8_t> bone);

struct SwingTuning {
    float dt = 1.0f / 240;
    float alpha = 0.05f;       ///< share of the distance to the goal that becomes velocity
    float keep = 1;            ///< share of the velocity relative to the skeleton that is kept per step
    float region_damping = 0;  ///< kappa: share of the velocity within regions that is lost per step
    bool unbiased = false;     ///< goals are corrected so that the skeleton's own pose is at rest
    std::vector<float> delta;  ///< [stride]
    std::vector<float> drive;  ///< [stride] share of the skeleton's acceleration that is felt; 0 for bone
    std::vector<float> pull;   ///< [stride] share of the goal's offset from the driven place
    std::vector<float> limit;  ///< [stride] farthest |u|
};

/// Arrays of one step. Places without a particle hold zeros and stay zero.
struct SwingArrays {
    std::span<const float> driven;    ///< [3 * stride] a, now
    std::span<const float> turned;    ///< [4 * stride] rotation of the skeleton there
    std::span<float> last_driven;     ///< [3 * stride]
    std::span<float> last_speed;      ///< [3 * stride]
    std::span<float> positions;       ///< [3 * stride] x
    std::span<float> velocities;      ///< [3 * stride] of u
    std::span<float> rotations;       ///< [4 * stride] of the regions, relative to `turned`
    float felt[3] = {0, 0, 0};        ///< change of velocity by gravity in one step
    std::span<const float> push;      ///< [3 * stride] further change of velocity, or empty
    std::span<float> mixed;           ///< [3 * stride] scratch: y
    std::span<float> goals;           ///< [3 * stride] scratch
    std::span<float> fits;            ///< [12 * stride] scratch
    std::span<float> base_goals;      ///< [3 * stride] scratch, for unbiased and region damping
    std::span<float> base_rotations;  ///< [4 * stride] scratch, for unbiased
};

/// v -= drive (a'' - gravity);  v += alpha (pull (g - a) - u) / dt;  v *= keep;  region damping;  u += dt v
Motion swing(const SwingRegions& regions, const SwingTuning& tuning, SwingArrays& arrays, ThreadPool& pool);

/// Where one fit of all regions reads and writes.
struct SwingFit {
    std::span<const float> from;    ///< [3 * stride] y
    std::span<const float> turned;  ///< [4 * stride]
    std::span<float> rotations;     ///< [4 * stride]
    std::span<float> fits;          ///< [12 * stride] scratch
    std::span<float> goals;         ///< [3 * stride] (g - y) times the number of regions
};
void fit_swing(const SwingRegions& regions, const SwingFit& arrays, ThreadPool& pool);

/// Velocities move towards the rigid motion of their regions (docs/formulas.md 0.4). Preserves linear and angular
/// momentum. scratch: [3 * stride]
void damp_regions(const SwingRegions& regions, std::span<const float> positions, float kappa,
                  std::span<float> velocities, std::span<float> scratch);

}  // namespace fascia::sim
