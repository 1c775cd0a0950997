// A figure cut open, so that pictures show the layers inside it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fascia/fascia.h"

namespace fascia::cli {

/// The figure and what is drawn around it or inside it.
struct PaintedScene {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> own_colors, colors;
    std::vector<std::uint32_t> triangles;
};

/// Half of the body is taken away: the left, right, front or back one at rest, whichever the viewer of the first
/// picture looks at most squarely. What is left shows its points as cubes.
class LayersCut {
public:
    LayersCut(const Character& character, const Rig& rig);
    /// Removes triangles of the near half from a scene that begins with the figure, and adds the points behind them.
    void open(const Pose& pose, std::span<const Vec3> points, double yaw, PaintedScene& scene);

private:
    void choose_side(const Pose& pose, double yaw);
    /// The margin keeps points of a symmetric body that lie in its middle plane together.
    bool is_near(Vec3d rest) const { return dot(rest - middle_, to_viewer_) > 0.5 * double(half_); }
    void add_cube(Vec3 at, Vec4 color, PaintedScene& scene) const;

    const Character& character_;
    std::vector<Vec3> rest_;   ///< [points]
    std::vector<Vec4> color_;  ///< [points]
    float half_ = 0;           ///< edge of a cube
    Vec3d middle_;
    bool chosen_ = false;
    Vec3d to_viewer_;  ///< an axis of the rest pose
};

}  // namespace fascia::cli
