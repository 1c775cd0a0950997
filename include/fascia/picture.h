// Pictures without a display: a small software renderer for contact sheets and previews.
//
//     Appearance looks(character);
//     View view = view_of(positions);
//     write_png("x.png", render(looks.shot(positions, normals), view, 600, 800));
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// 8-bit sRGB, row by row from the top.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

class Appearance;

/// The surface at one moment. Spans are looked at only while `render` runs.
struct Shot {
    std::span<const Vec3> positions;           ///< [vertices] triangles with a vertex that is not finite are left out
    std::span<const Vec3> normals;             ///< [vertices], or empty: made from the triangles
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    std::span<const Vec4> colors;            ///< [vertices] linear; instead of what `appearance` says. Both empty: clay
    const Appearance* appearance = nullptr;  ///< its triangles must begin with `triangles`
};

/// How a character looks, prepared once: materials, decoded textures and vertex colours of Character::mesh followed by
/// Character::rigid, the order in which frames are written. Cheap to copy.
class Appearance {
public:
    explicit Appearance(const Character& character);

    /// Triangles of Character::mesh, then of Character::rigid with their vertices counted on. [triangles * 3]
    std::span<const std::uint32_t> triangles() const;
    /// A shot of all vertices; `normals` may be empty.
    Shot shot(std::span<const Vec3> positions, std::span<const Vec3> normals) const;

    struct Data;
    const Data& data() const { return *data_; }

private:
    std::shared_ptr<const Data> data_;
};

/// A camera that frames a box from a direction.
struct View {
    Vec3d box_min, box_max;  ///< what must be seen over the whole motion
    double yaw = 0.6;        ///< radians around y; 0 looks at the character's front (+z), pi/2 at its left side (+x)
    double pitch = 0.18;     ///< radians down
    bool ground = true;      ///< a ground plane at `ground_y` with a soft shadow
    double ground_y = 0;
};

/// A view of the finite points, standing on the lowest of them.
View view_of(std::span<const Vec3> positions);
/// Widens the view so that it also holds `positions`, for framing a whole motion; the ground stays where it is.
void include_in_view(View& view, std::span<const Vec3> positions);

/// Renders one shot: smooth shading, anti-aliased, ground and soft shadow. The same picture for any number of threads.
Image render(const Shot& shot, const View& view, int width, int height, int threads = 1);

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

/// Writes beside `path` and renames: whole or not at all.
Status write_png(const std::string& path, const Image& image);

/// Encodes frames to .mp4 or .webp through ffmpeg; the error says what to install when it is missing.
class VideoWriter {
public:
    static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, int width, int height, double fps);
    virtual ~VideoWriter() = default;  ///< without finish(): nothing is written, an old file stays
    virtual Status frame(const Image& image) = 0;
    virtual Status finish() = 0;
};

/// Linear RGBA of every vertex as the character's materials, textures and vertex colours give it.
std::vector<Vec4> vertex_colors(const Character& character, const Mesh& mesh);

/// Maps a value in [0, 1] to a readable heat colour (linear), for strain and offset.
Vec4 heat_color(float value);
/// Distinct, colour-blind-safe colours for joints and parts (linear).
Vec4 index_color(int index);
/// "bone" white, "muscle" red, "fat" green, "skin" pink, as the publication has them; any other name a colour of its
/// own.
Vec4 layer_color(std::string_view layer);

/// Small cubes that stand for voxels or points, with their own colours.
struct Cubes {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> colors;
    std::vector<std::uint32_t> triangles;

    void add(Vec3 center, float half_size, Vec4 color);
    /// A shot of the cubes; valid until the next `add`.
    Shot shot() const;
};

}  // namespace fascia
