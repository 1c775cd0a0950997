#include "picture_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion_survey.h"

namespace fascia::cli {

namespace {

constexpr double default_angle = 35;  // degrees: between the front and the left side

/// Times at which the figure is sampled: those of the pictures, and enough others to see where it goes and stands.
std::vector<double> survey_times(const FrameTimes& times, const std::vector<double>& shown) {
    constexpr double per_second = 30, most = 600;
    const double last = times.at(times.count - 1);
    const double steps = std::clamp(std::ceil((last - times.from) * per_second), 1.0, most);
    std::vector<double> out = shown;
    for (int i = 0; i <= static_cast<int>(steps); ++i) out.push_back(times.from + (last - times.from) * i / steps);
    std::sort(out.begin(), out.end());
    const auto same = [](double a, double b) { return b - a < 1e-6; };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    return out;
}

bool is_near(const std::vector<double>& sorted, double time) {
    const auto after = std::lower_bound(sorted.begin(), sorted.end(), time - 1e-6);
    return after != sorted.end() && *after <= time + 1e-6;
}

}  // namespace

MotionView plan_pictures(const Character& character, const Clip& clip, const FrameTimes& times,
                         const std::vector<std::size_t>& shown, const PictureOptions& options, PictureSize size,
                         Zoom zoom) {
    std::vector<std::uint32_t> framed;
    if (!options.close.empty())
        if (auto vertices = vertices_around(character, options.close)) framed = std::move(*vertices);
    std::vector<double> shown_times;
    for (const std::size_t frame : shown) shown_times.push_back(times.at(frame));
    MotionSurvey survey = survey_motion(character, clip, survey_times(times, shown_times), framed);
    for (Moment& moment : survey.moments) moment.shown = is_near(shown_times, moment.time);

    View look;
    look.yaw = survey.heading + options.angle.value_or(default_angle) * std::numbers::pi / 180;
    look.ground_y = survey.ground;
    look.ground_lines = 0.5 * survey.size;
    return {std::move(survey.moments), look, size.width, size.height, zoom};
}

}  // namespace fascia::cli
