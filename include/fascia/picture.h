// Pictures without a display: a small software renderer for contact sheets and previews.
//
//     Appearance looks(character);
//     View view = view_of(positions);
//     write_png("x.png", render(looks.shot(positions, normals), view, 600, 800));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/output.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// 8-bit sRGB, row by row from the top.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

class Appearance;

/// The surface at one moment. The spans must stay valid while `render` runs.
struct Shot {
    std::span<const Vec3> positions;           ///< [vertices] triangles with a non-finite vertex are skipped
    std::span<const Vec3> normals;             ///< [vertices]; empty: computed from the triangles
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    std::span<const Vec4> colors;              ///< [vertices] linear; override `appearance`. Without either: clay
    const Appearance* appearance = nullptr;    ///< `triangles` must be the first of its triangles
};

/// How a character looks, prepared once: materials, decoded textures and vertex colours of Character::mesh followed by
/// Character::rigid, in the order in which frames are written. Cheap to copy.
class Appearance {
public:
    explicit Appearance(const Character& character);

    /// [triangles * 3] of Character::mesh, then of Character::rigid, whose vertices follow those of the mesh.
    std::span<const std::uint32_t> triangles() const;
    /// A shot of all vertices; `normals` may be empty.
    Shot shot(std::span<const Vec3> positions, std::span<const Vec3> normals) const;

    struct FASCIA_INSIDE Data;
    const Data& data() const { return *data_; }

private:
    std::shared_ptr<const Data> data_;
};

/// Where the camera looks, and from how far.
struct Aim {
    Vec3d target;
    double distance = 1;
};

/// The distance from which a picture shows this much from top to bottom.
double distance_to_see(double height);

/// A camera that frames a box from a direction.
struct View {
    Vec3d box_min, box_max;  ///< the box around the figure, which is framed and casts shadows
    double yaw = 0.6;        ///< radians around y; 0 looks at the character's front (+z), pi/2 at its left side (+x)
    double pitch = 0.18;     ///< radians down
    bool ground = true;      ///< a ground plane at `ground_y` with a soft shadow
    double ground_y = 0;
    double ground_lines = 0;      ///< distance between lines on the ground, fixed in the world; 0 draws none
    std::optional<Aim> aim = {};  ///< empty: the camera frames the box
};

/// A view that frames the finite points, with the ground at the lowest of them.
View view_of(std::span<const Vec3> positions);
/// Widens the view so that it also holds `positions`, to frame a whole motion; the ground stays where it is.
void include_in_view(View& view, std::span<const Vec3> positions);

/// What the camera needs to know about one moment of a motion.
struct Moment {
    double time = 0;
    std::vector<Vec3> points;  ///< on the surface of what is framed: the figure, or part of it
    Vec3d box_min, box_max;    ///< of the whole figure
    bool shown = true;         ///< becomes a picture; other moments only show where the figure goes
};

/// A camera for a whole motion. It stands still while the figure stays in place and follows one that travels. Zoom and
/// direction never change: the smallest silhouette of the shown moments fills three quarters of the picture's width or
/// height, unless the largest would then fill more than nine tenths.
class MotionView {
public:
    /// `moments` in order of time, at least one; `look` gives direction and ground.
    MotionView(std::vector<Moment> moments, const View& look, int width, int height);
    View at(double seconds) const;

private:
    struct Track {
        double time;
        Vec3d target;      ///< what the camera looks at
        Vec3d box_center;  ///< of the whole figure
    };
    View look_;
    double distance_ = 1;
    Vec3d half_box_;
    std::vector<Track> track_;
};

/// Height of the lowest points of a surface, ignoring strays: a single vertex does not count.
double lowest_height(std::span<const Vec3> points);

/// Height of the ground on which a figure moves, from the heights of its lowest points over time. If the figure stands
/// on 0 in its rest pose (`rest`: its lowest point there) and comes down to it, the ground is at 0 or close to it;
/// otherwise where the figure comes to rest most often. Jumps do not raise it, and limbs that dip below it for a moment
/// do not lower it. Under a figure that never rests on anything (it flies or swims) the ground lies a little below the
/// whole motion.
double ground_height(std::span<const double> times, std::span<const double> lowest, double size, double rest);

/// Vertices of Character::mesh that follow the joints whose names match `pattern` (*, ?, [abc]). The error suggests the
/// nearest joint.
Result<std::vector<std::uint32_t>> vertices_around(const Character& character, const std::string& pattern);

/// Renders one shot: smooth shading, anti-aliased, ground and soft shadow. The same picture for any number of threads.
Image render(const Shot& shot, const View& view, int width, int height, int threads = 1);

/// Writes a line of text into each upper corner of a picture.
void label_corners(Image& image, const std::string& left, const std::string& right);

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

/// Writes to a temporary file and renames it, so that `path` is either complete or unchanged.
Status write_png(const std::string& path, const Image& image);
/// The same without putting it in place yet.
Result<std::unique_ptr<Output>> stage_png(const std::string& path, const Image& image);

/// Encodes frames to .mp4 or .webp with ffmpeg; the error says what to install if it is missing.
class VideoWriter : public Output {
public:
    static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, int width, int height, double fps);
    virtual Status frame(const Image& image) = 0;
};

/// Linear RGBA of every vertex from the character's materials, textures and vertex colours.
std::vector<Vec4> vertex_colors(const Character& character, const Mesh& mesh);

/// Maps a value in [0, 1] to a readable heat colour (linear), for strain and offset.
Vec4 heat_color(float value);
/// For what does not swing, beside heat colours for what does.
Vec4 stiff_color();
/// Distinct, colour-blind-safe colours for joints and parts (linear).
Vec4 index_color(int index);
/// As in the publication: "bone" white, "muscle" red, "fat" green, "skin" pink. Any other name gets a colour of its
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
FASCIA_API_END
