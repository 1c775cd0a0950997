// What is measured on each frame of a bake, and summed up at the end.
#pragma once

#include <optional>
#include <span>

#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/penetration.h"
#include "plain_skinning.h"

namespace fascia::cli {

struct Extremes {
    double min = 0, max = 0, last = 0;
};

/// Where the surface passes through itself but did not at rest; each value is the worst of the frames examined.
struct Penetration {
    double twice_volume = 0;
    std::size_t pairs = 0, vertices_inside = 0;
    double depth = 0;
    std::optional<std::size_t> forced;  ///< pairs where the motion drives bone into bone; no value without weights
};

/// The quality part of the report.
struct QualityMeasures {
    bool finite = true;
    std::optional<Extremes> volume_ratio;  ///< no value if the closed components enclose next to nothing
    Extremes secondary_rms, flipped_triangles;
    double max_offset = 0;                      ///< from the method's own skinned surface, over the size
    std::optional<double> max_offset_from_lbs;  ///< from plain skinning, over the size; no value without weights
    double edge_strain_p99 = 0, edge_strain_max = 0, rest_jitter = 0;
    std::optional<Penetration> penetration;  ///< no value if not measured
};

class FrameMeasures {
public:
    /// `penetration`: also measures where the surface passes through itself, which can take longer than the frame
    /// itself.
    FrameMeasures(const Character& character, bool penetration);
    /// `plain`: by plain skinning, or empty. `resting`: the pose is the same as in the previous frame.
    void frame(std::span<const Vec3> surface, std::span<const Vec3> fully_skinned, std::span<const Vec3> plain,
               bool resting);
    /// Are crossings counted in this frame? In every one at a low frame rate, in some at a high one.
    bool looks_at_penetration(std::size_t frame, double fps) const;
    void penetration(std::span<const Vec3> surface, const Pose& pose);
    QualityMeasures result() const;

private:
    /// The two bodies checked for crossings: the surface, and the surface of the bones under it.
    struct PenetrationMeters {
        CrossingMeter surface;
        OverlapMeter overlap;
        BoneCrossings bones;
        PlainSkinning bones_at;
    };
    SurfaceMeter meter_;
    JitterMeter jitter_;
    std::optional<PenetrationMeters> penetration_;
    QualityMeasures quality_;
    bool first_ = true;
};

/// Time spent, frame by frame.
class FrameClock {
public:
    void advanced(double seconds, std::uint64_t steps);
    void embedded(double seconds, std::size_t vertices);
    /// Median and 99th percentile of the times per step; no value if no step ran.
    std::optional<double> step_us(double quantile) const;
    double embed_ns_per_vertex() const;
    double ms_per_frame() const;

private:
    std::vector<double> step_us_, embed_ns_, frame_ms_;
    double pending_ = 0;
};

/// The value below which this share of them lies; 0 if there are none.
double quantile(std::vector<double> values, double share);

}  // namespace fascia::cli
