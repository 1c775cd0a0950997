// Pictures without a display: a small software renderer for contact sheets and previews.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// 8-bit RGB, row by row from the top.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

/// The surface at one moment. Colours are linear, [vertices].
struct Shot {
    std::span<const Vec3> positions, normals;
    std::span<const std::uint32_t> triangles;
    std::span<const Vec4> colors;
};

/// A camera that frames a box from a direction.
struct View {
    Vec3d box_min, box_max;  ///< what must be seen over the whole motion
    double yaw = 0.6;        ///< radians around y; 0 looks at the character's front (+z)
    double pitch = 0.18;     ///< radians down
    bool ground = true;      ///< a ground plane at `ground_y` with a soft shadow
    double ground_y = 0;
};

/// Renders one shot: smooth shading, anti-aliased, ground and soft shadow.
Image render(const Shot& shot, const View& view, int width, int height);

/// Collects frames and writes them as one labelled sheet: one row per method, one column per time.
class ContactSheet {
public:
    ContactSheet(int columns, int cell_width, int cell_height);
    void title(std::string text);
    void begin_row(std::string label);
    void cell(Image image, std::string caption);
    Image finish() const;

private:
    struct Cell {
        Image image;
        std::string caption;
    };
    struct Row {
        std::string label;
        std::vector<Cell> cells;
    };
    int columns_, cell_width_, cell_height_;
    std::string title_;
    std::vector<Row> rows_;
};

Status write_png(const std::string& path, const Image& image);

/// Encodes frames to .mp4 or .webp through ffmpeg; the error says what to install when it is missing.
class VideoWriter {
public:
    static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, int width, int height, double fps);
    virtual ~VideoWriter() = default;
    virtual Status frame(const Image& image) = 0;
    virtual Status finish() = 0;
};

/// Linear RGBA of every vertex as the character's materials, textures and vertex colours give it.
std::vector<Vec4> vertex_colors(const Character& character, const Mesh& mesh);

/// Maps a value in [0, 1] to a readable heat colour (linear), for strain and offset.
Vec4 heat_color(float value);
/// Distinct, colour-blind-safe colours for joints and parts (linear).
Vec4 index_color(int index);

}  // namespace fascia
