#include "frame_sinks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output_paths.h"

namespace fascia::cli {

namespace {

class FileSink final : public FrameSink {
public:
    FileSink(std::unique_ptr<FrameWriter> writer, std::size_t stride, bool tangents)
        : writer_(std::move(writer)), stride_(stride), tangents_(tangents) {}
    Status frame(const BakedFrame& frame) override {
        if (frame.index % stride_ != 0) return ok_status();
        return writer_->frame({frame.positions, frame.normals, tangents_ ? frame.tangents : std::span<const Vec4>()},
                              frame.pose);
    }
    Output* output() override { return writer_.get(); }
    std::unique_ptr<Output> take_output() override { return std::move(writer_); }
    bool wants_tangents() const override { return tangents_; }

private:
    std::unique_ptr<FrameWriter> writer_;
    std::size_t stride_;
    bool tangents_;
};

class SheetRows final : public FrameSink {
public:
    SheetRows(ContactSheet& sheet, Painter& painter, std::string label, std::vector<std::size_t> frames)
        : sheet_(sheet), painter_(painter), label_(std::move(label)), frames_(std::move(frames)) {}
    Status frame(const BakedFrame& frame) override {
        if (std::find(frames_.begin(), frames_.end(), frame.index) == frames_.end()) return ok_status();
        if (shown_ % sheet_columns == 0) sheet_.begin_row(shown_ == 0 ? label_ : "");
        ++shown_;
        sheet_.cell(painter_.paint(frame), fmt::format("{:.2f} s", frame.time));
        return ok_status();
    }
    bool wants_points() const override { return painter_.wants_points(); }

private:
    ContactSheet& sheet_;
    Painter& painter_;
    std::string label_;
    std::vector<std::size_t> frames_;
    std::size_t shown_ = 0;
};

class FilmSink final : public FrameSink {
public:
    FilmSink(std::unique_ptr<VideoWriter> writer, Painter& painter, std::string label, std::size_t stride)
        : writer_(std::move(writer)), painter_(painter), label_(std::move(label)), stride_(stride) {}
    Status frame(const BakedFrame& frame) override {
        if (frame.index % stride_ != 0) return ok_status();
        Image image = painter_.paint(frame);
        label_corners(image, label_, fmt::format("{:.2f} s", frame.time));
        return writer_->frame(image);
    }
    bool wants_points() const override { return painter_.wants_points(); }
    Output* output() override { return writer_.get(); }
    std::unique_ptr<Output> take_output() override { return std::move(writer_); }

private:
    std::unique_ptr<VideoWriter> writer_;
    Painter& painter_;
    std::string label_;
    std::size_t stride_;
};

}  // namespace

Result<std::unique_ptr<FrameSink>> open_file_sink(const std::string& path, const Character& character,
                                                  const BakeOptions& options, const FrameTimes& times,
                                                  std::size_t stride) {
    const std::string extension = extension_of(path);
    BakeInfo info;
    info.fps = times.fps / static_cast<double>(stride);
    info.frames = (times.count - 1) / stride + 1;
    info.split = options.split;
    info.tangents = extension == ".glb" && !character.mesh.tangents.empty();
    // GLB and USD state themselves which way is up.
    info.blender_axes = options.axes == "blender" && extension != ".glb" && extension != ".usda";
    Result<std::unique_ptr<FrameWriter>> writer = open_writer(path, character, info);
    if (!writer) return writer.error();
    return std::unique_ptr<FrameSink>(std::make_unique<FileSink>(std::move(*writer), stride, info.tangents));
}

Status check_color(const std::string& color, const Rig& rig) {
    if (color == "layers" && rig.inside() == nullptr)
        return usage_error(fmt::format(
            "method '{}' has no layers inside the body to show; try --color weights, strain, offset or contact, or "
            "--method layers",
            rig.method()));
    return ok_status();
}

std::vector<std::size_t> spread_frames(const FrameTimes& times, std::size_t most) {
    const std::size_t count = std::min(most, times.count);
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < count; ++i) frames.push_back(count < 2 ? 0 : i * (times.count - 1) / (count - 1));
    return frames;
}

Painter::Painter(const Character& character, MotionView camera, PictureSize size, const std::string& color, int threads)
    : character_(character),
      appearance_(character),
      camera_(std::move(camera)),
      size_(size),
      color_(color),
      threads_(threads) {
    if (color_.empty() || color_ == "layers") return;
    const std::size_t skinned = character.mesh.vertex_count();
    colors_.assign(skinned + character.rigid.vertex_count() + character.attached.vertex_count(),
                   Vec4{0.5f, 0.5f, 0.5f, 1});
    values_.resize(skinned);
    if (color_ == "weights") color_by_weights();
    character_size_ = static_cast<float>(character.size());
    if (color_ == "strain") meter_.emplace(character.mesh.positions, character.mesh.triangles, character.size());
}

void Painter::color_by_weights() {
    const SkinWeights& weights = character_.weights;
    const auto influences = static_cast<std::size_t>(weights.influences);
    for (std::size_t v = 0; v < values_.size(); ++v) {
        Vec4 mixed{0, 0, 0, 1};
        for (std::size_t k = v * influences; k < (v + 1) * influences; ++k) {
            const Vec4 color = index_color(weights.joints[k]);
            mixed.x += weights.weights[k] * color.x;
            mixed.y += weights.weights[k] * color.y;
            mixed.z += weights.weights[k] * color.z;
        }
        colors_[v] = mixed;
    }
}

void Painter::show(const Rig& rig) {
    if (color_ == "layers") {
        cut_.reset();
        if (rig.inside()) cut_.emplace(character_, rig);
    }
    if (color_ != "parts") return;
    constexpr float stiff = 0.02f;
    const std::vector<float> softness = rig.inside() ? rig.inside()->vertex_softness() : std::vector<float>();
    for (std::size_t v = 0; v < values_.size(); ++v)
        colors_[v] = v < softness.size() && softness[v] > stiff ? heat_color(softness[v]) : stiff_color();
}

void Painter::color_by_strain(const BakedFrame& frame) {
    constexpr float full = 0.5f;  // the hottest colour means half as long again
    meter_->vertex_strain(frame.surface, values_);
    for (std::size_t v = 0; v < values_.size(); ++v) colors_[v] = heat_color(std::min(values_[v] / full, 1.0f));
}

void Painter::color_by_offset(const BakedFrame& frame) {
    const float full = 0.05f * character_size_;
    for (std::size_t v = 0; v < values_.size(); ++v)
        colors_[v] = heat_color(std::min(length(frame.surface[v] - frame.fully_skinned[v]) / full, 1.0f));
}

namespace {

/// From where a collider is defined to where it is drawn: it may move with a joint.
Affine carried_by(const Character& character, const Collider& collider, const Pose& pose) {
    for (std::size_t j = 0; j < character.joints.size() && !collider.joint.empty(); ++j)
        if (character.joints[j].name == collider.joint) return pose.joints[j] * inverse(character.joints[j].rest);
    return {};
}

/// Level planes are not drawn: pictures show the ground anyway.
bool is_level(const World& world, std::size_t k) {
    return world.collider(k).shape == ColliderShape::plane && rotate(world.turn(k), Vec3d{0, 1, 0}).y > 0.999;
}

}  // namespace

/// Hottest where the surface is in something solid, cooler where it only touches.
void Painter::color_by_contact(const BakedFrame& frame) {
    const double touches = 0.004 * double(character_size_);
    std::fill(values_.begin(), values_.end(), 0.0f);
    for (std::size_t k = 0; frame.world != nullptr && k < frame.world->collider_count(); ++k) {
        const Affine back = inverse(carried_by(character_, frame.world->collider(k), frame.pose));
        for (std::size_t v = 0; v < values_.size(); ++v) {
            const double gap = frame.world->distance(k, transform_point(back, to_double(frame.surface[v])));
            const double heat = gap > touches ? 0 : std::clamp(0.6 - 0.4 * gap / touches, 0.0, 1.0);
            values_[v] = std::max(values_[v], float(heat));
        }
    }
    for (std::size_t v = 0; v < values_.size(); ++v)
        colors_[v] = values_[v] > 0 ? heat_color(values_[v]) : Vec4{0.5f, 0.5f, 0.5f, 1};
}

void Painter::start_scene(const BakedFrame& frame) {
    if (scene_.own_colors.empty())
        for (const Mesh* mesh : {&character_.mesh, &character_.rigid, &character_.attached})
            if (mesh->vertex_count() > 0) {
                const std::vector<Vec4> colors = vertex_colors(character_, *mesh);
                scene_.own_colors.insert(scene_.own_colors.end(), colors.begin(), colors.end());
            }
    scene_.positions.assign(frame.positions.begin(), frame.positions.end());
    scene_.normals.assign(frame.normals.begin(), frame.normals.end());
    scene_.colors = colors_.empty() ? scene_.own_colors : colors_;
    const auto own = appearance_.triangles();
    scene_.triangles.assign(own.begin(), own.end());
}

void Painter::add_colliders(const BakedFrame& frame) {
    const World& world = *frame.world;
    const Vec3d about = frame.pose.joints.empty() ? Vec3d{} : translation_of(frame.pose.joints[0]);
    for (std::size_t k = 0; k < world.collider_count(); ++k) {
        if (is_level(world, k)) continue;
        const Affine carry = carried_by(character_, world.collider(k), frame.pose);
        const ColliderSurface surface = surface_of(world, k, 1.5 * character_.size(), about);
        const auto first = std::uint32_t(scene_.positions.size());
        for (const Vec3 p : surface.positions)
            scene_.positions.push_back(to_float(transform_point(carry, to_double(p))));
        for (const Vec3 n : surface.normals)
            scene_.normals.push_back(
                to_float(normalized(transform_point(carry, to_double(n)) - transform_point(carry, {}))));
        for (const std::uint32_t t : surface.triangles) scene_.triangles.push_back(first + t);
        scene_.colors.resize(scene_.positions.size(), Vec4{0.25f, 0.3f, 0.36f, 1});
    }
}

Image Painter::paint(const BakedFrame& frame) {
    return paint(frame, camera_.at(frame.time));
}

Image Painter::paint(const BakedFrame& frame, const View& view) {
    if (color_ == "strain") color_by_strain(frame);
    if (color_ == "offset") color_by_offset(frame);
    if (color_ == "contact") color_by_contact(frame);
    const bool cut = cut_ && !frame.points.empty();
    if (cut || frame.world != nullptr) {
        start_scene(frame);
        if (cut) cut_->open(frame.pose, frame.points, view.yaw, scene_);
        if (frame.world != nullptr) add_colliders(frame);
        return render({scene_.positions, scene_.normals, scene_.triangles, scene_.colors}, view, size_.width,
                      size_.height, threads_);
    }
    Shot shot = appearance_.shot(frame.positions, frame.normals);
    shot.colors = colors_;
    return render(shot, view, size_.width, size_.height, threads_);
}

ContactSheet make_sheet(const FrameTimes& times, PictureSize cell) {
    return ContactSheet(static_cast<int>(std::min(sheet_columns, times.count)), cell.width, cell.height);
}

std::unique_ptr<FrameSink> make_sheet_rows(ContactSheet& sheet, Painter& painter, const std::string& label,
                                           std::vector<std::size_t> frames) {
    return std::make_unique<SheetRows>(sheet, painter, label, std::move(frames));
}

Result<std::unique_ptr<FrameSink>> open_film_sink(const std::string& path, Painter& painter, const std::string& label,
                                                  const FrameTimes& times) {
    // Screens show no more than this many per second, and rendering is the slow part.
    constexpr double most_fps = 60;
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(times.fps / most_fps)));
    Result<std::unique_ptr<VideoWriter>> writer =
        VideoWriter::open(path, painter.size().width, painter.size().height, times.fps / static_cast<double>(stride));
    if (!writer) return writer.error();
    return std::unique_ptr<FrameSink>(std::make_unique<FilmSink>(std::move(*writer), painter, label, stride));
}

}  // namespace fascia::cli
