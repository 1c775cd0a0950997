// The consumers of a bake's frames: files, contact sheets, films.
#pragma once

#include <memory>
#include <string>

#include "bake_options.h"
#include "bake_session.h"
#include "fascia/fascia.h"
#include "layers_cut.h"
#include "picture_options.h"

namespace fascia::cli {

/// A file that takes every `stride`-th frame.
Result<std::unique_ptr<FrameSink>> open_file_sink(const std::string& path, const Character& character,
                                                  const BakeOptions& options, const FrameTimes& times,
                                                  std::size_t stride);

constexpr std::size_t sheet_columns = 6;

/// Frames spread evenly over the motion, the first and the last among them.
std::vector<std::size_t> spread_frames(const FrameTimes& times, std::size_t most);

/// What pictures need: the look of the character, the camera, the size, and what the colours mean.
class Painter {
public:
    /// `color`: empty for the character's own colours, otherwise layers, weights, strain, offset, parts or contact.
    Painter(const Character& character, MotionView camera, PictureSize size, const std::string& color, int threads);
    /// The rig whose frames are painted next: `parts` shows what it considers stiff and soft, `layers` what is inside.
    void show(const Rig& rig);
    bool wants_points() const { return cut_.has_value(); }
    Image paint(const BakedFrame& frame);
    Image paint(const BakedFrame& frame, const View& view);
    const MotionView& camera() const { return camera_; }
    PictureSize size() const { return size_; }

private:
    void color_by_weights();
    void color_by_strain(const BakedFrame& frame);
    void color_by_offset(const BakedFrame& frame);
    void color_by_contact(const BakedFrame& frame);
    void start_scene(const BakedFrame& frame);
    void add_colliders(const BakedFrame& frame);

    const Character& character_;
    Appearance appearance_;
    MotionView camera_;
    PictureSize size_;
    std::string color_;
    int threads_;
    float character_size_ = 0;  ///< if colours stand for a value
    std::optional<SurfaceMeter> meter_;
    std::vector<Vec4> colors_;  ///< [skinned + rigid + attached vertices] if colours stand for a value
    std::vector<float> values_;
    std::optional<LayersCut> cut_;  ///< only for `layers`, and methods that have some
    PaintedScene scene_;
};

/// Checks that what a method has inside can be shown in this colour.
Status check_color(const std::string& color, const Rig& rig);

/// Adds some frames to rows of `sheet`; the caller writes the file.
std::unique_ptr<FrameSink> make_sheet_rows(ContactSheet& sheet, Painter& painter, const std::string& label,
                                           std::vector<std::size_t> frames);
ContactSheet make_sheet(const FrameTimes& times, PictureSize cell);

/// .mp4 or .webp, with the label and the time in every picture.
Result<std::unique_ptr<FrameSink>> open_film_sink(const std::string& path, Painter& painter, const std::string& label,
                                                  const FrameTimes& times);

}  // namespace fascia::cli
