// Animations become clips: playable channels are kept, the others are counted.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

std::optional<Channel::Path> path_of(const std::string& path) {
    if (path == "translation") return Channel::Path::translation;
    if (path == "rotation") return Channel::Path::rotation;
    if (path == "scale") return Channel::Path::scale;
    return std::nullopt;
}

std::optional<Channel::Interpolation> interpolation_of(const std::string& name) {
    if (name == "LINEAR" || name.empty()) return Channel::Interpolation::linear;
    if (name == "STEP") return Channel::Interpolation::step;
    if (name == "CUBICSPLINE") return Channel::Interpolation::cubic;
    return std::nullopt;
}

bool ascending(const std::vector<float>& times) {
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (!std::isfinite(times[k]) || times[k] < 0 || (k > 0 && times[k] < times[k - 1])) return false;
    }
    return !times.empty();
}

bool all_finite(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/// A zero quaternion is not a rotation and becomes the identity; cubic tangents are not rotations and stay.
void repair_rotations(Channel& channel) {
    const bool cubic = channel.interpolation == Channel::Interpolation::cubic;
    const std::size_t keys = channel.times.size(), step = cubic ? 12 : 4, at = cubic ? 4 : 0;
    for (std::size_t k = 0; k < keys; ++k) {
        float* q = &channel.values[k * step + at];
        const double l =
            std::sqrt(double(q[0]) * q[0] + double(q[1]) * q[1] + double(q[2]) * q[2] + double(q[3]) * q[3]);
        if (l < 1e-6) {
            q[0] = q[1] = q[2] = 0;
            q[3] = 1;
        }
    }
}

/// Reads times and values; false if the channel cannot be played.
bool read_keys(const GltfContext& context, const gltf::Sampler& sampler, Channel& channel) {
    const int n = channel.path == Channel::Path::rotation ? 4 : 3;
    auto input = view_accessor(context.model, sampler.input, 1, "animation");
    auto output = view_accessor(context.model, sampler.output, n, "animation");
    if (!input || !output) return false;
    const std::size_t per_key = channel.interpolation == Channel::Interpolation::cubic ? 3 : 1;
    if (input->count == 0 || output->count / per_key < input->count) return false;
    const std::uint64_t numbers = input->count * (1 + per_key * static_cast<std::size_t>(n));
    if (!context.budget.take(numbers, sizeof(float), "animation")) return false;
    output->count = input->count * per_key;
    channel.times = read_floats(*input);
    channel.values = read_floats(*output);
    if (!ascending(channel.times) || !all_finite(channel.values)) return false;
    if (n == 4) repair_rotations(channel);
    return true;
}

/// No value if the channel cannot be played.
std::optional<Channel> read_channel(const GltfContext& context, const SceneNodes& scene,
                                    const gltf::Animation& animation, const gltf::Channel& source) {
    const auto path = path_of(source.path);
    const bool known_node = source.node >= 0 && static_cast<std::size_t>(source.node) < scene.of_source.size();
    const bool known_sampler =
        source.sampler >= 0 && static_cast<std::size_t>(source.sampler) < animation.samplers.size();
    if (!path || !known_node || !known_sampler) return std::nullopt;
    const gltf::Sampler& sampler = animation.samplers[static_cast<std::size_t>(source.sampler)];
    const auto interpolation = interpolation_of(sampler.interpolation);
    if (!interpolation) return std::nullopt;
    Channel channel;
    channel.node = scene.of_source[static_cast<std::size_t>(source.node)];
    channel.path = *path;
    channel.interpolation = *interpolation;
    if (!read_keys(context, sampler, channel)) return std::nullopt;
    return channel;
}

}  // namespace

std::vector<Clip> read_clips(const GltfContext& context, const SceneNodes& scene) {
    std::vector<Clip> clips;
    for (const gltf::Animation& animation : context.model.animations) {
        Clip clip;
        clip.name = animation.name.empty() ? fmt::format("clip_{}", clips.size()) : short_name(animation.name);
        for (const gltf::Channel& source : animation.channels) {
            if (source.path == "weights") {
                context.remarks.add("morph-animation-ignored",
                                    "Animated morph weights are ignored: morph targets stay at their defaults.");
                continue;
            }
            auto channel = read_channel(context, scene, animation, source);
            if (!channel) {
                context.remarks.add(
                    "channels-ignored",
                    fmt::format("Clip '{}' has channels that cannot be played; they were left out.", clip.name));
                continue;
            }
            clip.duration = std::max(clip.duration, static_cast<double>(channel->times.back()));
            clip.channels.push_back(std::move(*channel));
        }
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace fascia::io
