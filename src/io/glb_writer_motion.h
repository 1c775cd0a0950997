// The motion of the nodes during a bake as translations, rotations and scales. It makes the skeleton and rigid parts
// move with the baked surface, wherever the motion came from.
#pragma once

#include <vector>

#include "fascia/pose.h"
#include "io/glb_writer_scene.h"

namespace fascia::io {

class NodeMotion {
public:
    NodeMotion() = default;
    explicit NodeMotion(const Character& character);

    /// Bytes of a clip of this many frames in which every node moves.
    std::size_t largest_size(std::size_t frames) const { return nodes_.size() * frames * 10 * sizeof(float); }

    void add_frame(const Pose& pose);

    /// Adds a channel for all that moved, except on nodes of `still` (indices in the file).
    void add_channels(GlbScene& scene, GlbData& data, const std::vector<int>& still, int times,
                      nlohmann::json& animation) const;

private:
    struct Track {
        int parent = -1;
        Affine rest;  ///< the file's default pose, local
        Vec3d translation, scale;
        Quat rotation;
        bool movable = true;  ///< false for a sheared node, which cannot be split like that
        bool translates = false, rotates = false, scales = false;
        Quat last;
        std::vector<float> translations, rotations, scales_over_time;  ///< [frames * 3], [frames * 4], [frames * 3]
    };
    void add_local(Track& track, const Affine& local);

    std::vector<Track> nodes_;
    double unit_ = 1;  ///< a length that is small for the character
};

}  // namespace fascia::io
