// Secondary motion of particles by shape matching (docs/formulas.md D6, D7), pass by pass.
//
// Channels of `stride` floats; lengths in cells. Legend: a where the skeleton carries a particle, x the particle,
// u = x - a, y = a + delta u what is fitted and shown, g the mean of the goals of its regions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "sim/lattice_step.h"
#include "sim/listed_regions.h"

namespace fascia::sim {

/// Regions as sorted lists of particles around each one; `places` are integer grid places, x fastest.
struct SwingRegions {
    ListedRegions listed;
    std::vector<float> mass;  ///< [stride] 1 / number of regions that hold a particle
};
/// first, members: [particles + 1], mutual. The stride goes on for eight places beyond the last particle. rest: [3 *
/// stride] in cells. soft: 1 where a particle is not bone.
SwingRegions make_swing_regions(std::span<const std::uint32_t> first, std::span<const std::uint32_t> members,
                                std::span<const float> rest, std::size_t stride, std::span<const std::uint8_t> bone);

struct SwingTuning {
    float dt = 1.0f / 240;
    float alpha = 0.05f;       ///< share of the way to the goal that becomes velocity
    float keep = 1;            ///< of the velocity against the skeleton, per step
    float region_damping = 0;  ///< kappa: share of the velocity within regions that is lost per step
    float limit = 8;           ///< farthest |u|
    bool unbiased = false;     ///< goals are corrected so that the skeleton's own pose is at rest
    std::vector<float> delta;  ///< [stride]
    std::vector<float> drive;  ///< [stride] share of the skeleton's acceleration that is felt; 0 for bone
};

struct SwingArrays {
    std::span<const float> driven;    ///< [3 * stride] a now
    std::span<const float> turned;    ///< [4 * stride] rotation of the skeleton there
    std::span<float> last_driven;     ///< [3 * stride]
    std::span<float> last_speed;      ///< [3 * stride]
    std::span<float> positions;       ///< [3 * stride] x
    std::span<float> velocities;      ///< [3 * stride] of u
    std::span<float> rotations;       ///< [4 * stride] of the regions against `turned`
    float felt[3] = {0, 0, 0};        ///< change of velocity by gravity in one step
    std::span<float> mixed;           ///< [3 * stride] scratch: y
    std::span<float> goals;           ///< [3 * stride] scratch
    std::span<float> base_goals;      ///< [3 * stride] scratch, for unbiased
    std::span<float> base_rotations;  ///< [4 * stride] scratch, for unbiased
    std::span<double> records;        ///< [regions * ListedRegions::record] scratch
};

/// v -= drive (a'' - gravity);  v += alpha (g - x) / dt;  v *= keep;  region damping;  u += dt v
Motion swing(const SwingRegions& regions, std::span<const float> rest, std::span<const std::uint8_t> bone,
             const SwingTuning& tuning, SwingArrays& arrays, ThreadPool& pool);

/// (g - y) times the number of regions, and the rotations: one fit of all regions to `from`.
void fit_swing(const SwingRegions& regions, std::span<const float> rest, std::span<const float> from,
               std::span<const float> turned, std::span<float> rotations, std::span<float> goals,
               std::span<double> records, ThreadPool& pool);

/// Velocities move towards the rigid motion of their regions (docs/formulas.md 0.4). Keeps linear and angular momentum.
/// scratch: [3 * stride]
void damp_regions(const SwingRegions& regions, std::span<const float> positions, float kappa,
                  std::span<float> velocities, std::span<float> scratch);

}  // namespace fascia::sim
