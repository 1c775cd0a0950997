// One motion of one character with one method, frame by frame: posed, advanced, carried to the surface, measured,
// handed on. No frame is kept after all sinks have seen it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fascia/fascia.h"
#include "frame_measures.h"
#include "frame_times.h"
#include "loop_fade.h"
#include "plain_skinning.h"

namespace fascia::cli {

/// What the sinks see of a frame.
struct BakedFrame {
    std::size_t index;
    double time;
    std::span<const Vec3> positions, normals;  ///< [skinned + rigid + attached vertices], scene space
    std::span<const Vec4> tangents;            ///< [skinned vertices], or empty if no sink wants them
    std::span<const Vec3> surface;             ///< the skinned part of `positions`
    std::span<const Vec3> fully_skinned;       ///< the same without simulation
    const Pose& pose;
    const World* world;                 ///< the world around it, or null
    std::span<const Vec3> points = {};  ///< inside the body, or empty if no sink wants them or there are none
};

class FrameSink {
public:
    virtual ~FrameSink() = default;
    virtual Status frame(const BakedFrame& frame) = 0;
    /// What it writes, to be put in place once everything else has been written; null if it writes nothing.
    virtual Output* output() { return nullptr; }
    virtual std::unique_ptr<Output> take_output() { return nullptr; }
    virtual bool wants_tangents() const { return false; }
    virtual bool wants_points() const { return false; }
};
using FrameSinks = std::vector<std::unique_ptr<FrameSink>>;

/// The measurements of a run, for the report.
struct BakeMeasures {
    std::uint64_t state_hash = 0;
    Counters counters;
    std::uint64_t steps = 0;  ///< after settling
    StageTimes stages;
    FrameClock clock;
    QualityMeasures quality;
    std::vector<JointVolume> joint_volumes;  ///< after the last frame
    std::vector<std::string> warnings;
};

struct SessionSettings {
    double settle = 0;  ///< further seconds in the first pose before frame 0
    bool loop = false;
    int threads = 1;
    bool quiet = false;
    const AttachedMesh* clothes = nullptr;  ///< moves Character::attached
    bool penetration = false;               ///< measured for a report
    const WorldScene* world = nullptr;      ///< what it moves among
};

class BakeSession {
public:
    /// All references must outlive the session.
    BakeSession(const Character& character, const Rig& rig, const Clip& clip, FrameTimes times,
                SessionSettings settings);

    /// Shows every frame to every sink, then seals what they write. Stops with an error on Ctrl-C; what is not
    /// published leaves no files behind.
    Result<BakeMeasures> run(const FrameSinks& sinks);

private:
    void pose_at(double time);
    void put_world();
    void settle_pose();
    void advance_frame();
    void run_ahead();
    void hold();
    void run_in();
    void rehearse();
    void close_seam(std::size_t index);
    void start(BakeMeasures& out);
    void advance(BakeMeasures& out);
    void embed(BakeMeasures& out);
    void embed_frame();
    void place_rigid();
    void place_attached();
    Status show(std::size_t index, const FrameSinks& sinks);

    const Character& character_;
    const Rig& rig_;
    const Clip& clip_;
    FrameTimes times_;
    SessionSettings settings_;
    Workspace work_;
    State state_;
    Pose pose_;
    double time_ = 0;  ///< of the pose
    std::optional<World> world_;
    PlainSkinning plain_;
    std::unique_ptr<LoopFade> loop_;  ///< only with --loop
    bool fades_ = false;              ///< the ends differ
    std::vector<Vec3> positions_, normals_, skinned_;
    std::vector<Vec4> tangents_;  ///< [skinned vertices], or empty if no sink wants them
    std::vector<Vec3> points_;    ///< inside the body, or empty if no sink wants them
    std::vector<Vec3> seam_;      ///< [skinned vertices] the gap that a loop's flesh has at its end; empty if it closes
    std::vector<std::string> warnings_;
};

}  // namespace fascia::cli
