#include "rows.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace fascia::experiments {

double frame_ms(const Character& character, const Rig& rig, const std::string& clip) {
    using clock = std::chrono::steady_clock;
    double least = 1e300;
    for (int round = 0; round < 4; ++round) {
        const auto start = clock::now();
        play(character, rig, clip, {1, 60, {}}, {});
        least = std::min(least, std::chrono::duration<double>(clock::now() - start).count() / 60);
    }
    return 1000 * least;
}

double secondary(const Character& character, const Rig& rig, const std::string& clip, double seconds) {
    double sum = 0;
    int frames = 0;
    const double size = character.size();
    play(character, rig, clip, {seconds, 60, {}}, [&](const Frame& frame) {
        const double rms = surface_offset(frame.positions, frame.skinned, size).rms;
        sum += rms * rms;
        ++frames;
    });
    return 100 * std::sqrt(sum / frames);
}

void compare(const Character& character, const std::string& clip, const std::vector<double>& times,
             const std::vector<Row>& rows, const std::string& picture) {
    compare(character, clip, times, rows, picture, {view_of_clip(character, clip, times.back())});
}

void compare(const Character& character, const std::string& clip, const std::vector<double>& times,
             const std::vector<Row>& rows, const std::string& picture, const Framing& framing) {
    ContactSheet sheet(int(times.size()), framing.width, framing.height);
    for (const Row& row : rows) {
        std::printf("%-34s flesh adds %.2f %% of the size (RMS)\n", row.label.c_str(),
                    secondary(character, *row.rig, clip, times.back()));
        if (!picture.empty()) add_row(sheet, row.label, character, *row.rig, clip, times, framing);
    }
    if (!picture.empty()) must(write_png(picture, sheet.finish()));
}

PartOffset::PartOffset(const Character& character, const std::string& joint)
    : vertices_(vertices_of(character, joint)), size_(character.size()) {}

double PartOffset::operator()(const Frame& frame) const {
    double y = 0;
    for (const std::size_t v : vertices_) y += double(frame.positions[v].y - frame.skinned[v].y);
    return y * 100 / size_ / double(vertices_.size());
}

std::string in(const std::string& folder, const std::string& name) {
    return folder.empty() ? std::string() : folder + "/" + name;
}

}  // namespace fascia::experiments
