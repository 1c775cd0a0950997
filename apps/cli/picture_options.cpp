#include "picture_options.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fascia/picture.h"
#include "fascia/settings.h"
#include "option_values.h"

namespace fascia::cli {

namespace {

constexpr int smallest_side = 64, largest_side = 4096;

const std::vector<std::pair<std::string, double>>& named_angles() {
    static const std::vector<std::pair<std::string, double>> list{
        {"front", 0}, {"side", 90}, {"back", 180}, {"three-quarter", 35}};
    return list;
}

double angle_of(const std::string& text) {
    std::vector<std::string> names;
    for (const auto& [name, angle] : named_angles()) {
        if (name == text) return angle;
        names.push_back(name);
    }
    if (const std::optional<double> degrees = parse_number(text))
        return number_between("--camera", text, -360, 360, false);
    throw CLI::ValidationError(
        fmt::format("--camera does not know '{}'; did you mean '{}'? It takes {} or an angle in degrees", text,
                    nearest_name(text, names), fmt::join(names, ", ")));
}

PictureSize size_of(const std::string& text) {
    const std::size_t cross = text.find('x');
    const auto side = [&](const std::string& number) {
        const std::optional<double> value = parse_number(number);
        if (!value || *value < smallest_side || *value > largest_side || *value != static_cast<int>(*value))
            throw CLI::ValidationError(
                fmt::format("--size must be pixels such as 480 or 640x360, each from {} to {}, not '{}'", smallest_side,
                            largest_side, text));
        return static_cast<int>(*value);
    };
    if (cross == std::string::npos) return {side(text), side(text)};
    return {side(text.substr(0, cross)), side(text.substr(cross + 1))};
}

}  // namespace

void add_picture_options(CLI::App& app, PictureOptions& o) {
    app.add_option_function<std::string>(
           "--camera", [&o](const std::string& text) { o.angle = angle_of(text); },
           "Where pictures are taken from; degrees: 0 front, 90 its left side (default: three-quarter)")
        ->type_name("front|side|back|three-quarter|ANGLE");
    app.add_option("--close", o.close, "Pictures show the flesh around a joint; * and ? match any letters")
        ->type_name("JOINT");
    app.add_option_function<std::string>(
           "--size", [&o](const std::string& text) { o.size = size_of(text); },
           "Pixels of each cell of a sheet (default: 320x360) or of a film (default: 720); one number is a square")
        ->type_name("N|WxH");
}

Status check_close(const PictureOptions& options, const Character& character) {
    if (options.close.empty()) return ok_status();
    const auto vertices = vertices_around(character, options.close);
    if (!vertices) return usage_error("--close " + options.close + ": " + vertices.error().message);
    return ok_status();
}

}  // namespace fascia::cli
