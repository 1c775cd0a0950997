#include "option_values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "fascia/settings.h"

namespace fascia::cli {

double number_between(const std::string& name, const std::string& text, double min, double max, bool whole) {
    const std::optional<double> value = parse_number(text);
    if (!value || *value < min || *value > max || (whole && *value != std::floor(*value)))
        throw CLI::ValidationError(
            fmt::format("{} must be a {}number from {} to {}, not '{}'", name, whole ? "whole " : "", min, max, text));
    return *value;
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target, double min, double max,
                        const std::string& description) {
    return app
        .add_option_function<std::string>(
            name, [=, &target](const std::string& text) { target = number_between(name, text, min, max, false); },
            description)
        ->type_name("N");
}

CLI::Option* add_count(CLI::App& app, const std::string& name, int& target, int min, int max,
                       const std::string& description) {
    return app
        .add_option_function<std::string>(
            name,
            [=, &target](const std::string& text) {
                target = static_cast<int>(number_between(name, text, min, max, true));
            },
            description)
        ->type_name("N");
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& description) {
    return app
        .add_option_function<std::string>(
            name,
            [=, &target](const std::string& word) {
                if (std::find(choices.begin(), choices.end(), word) == choices.end())
                    throw CLI::ValidationError(fmt::format("{} does not know '{}'; did you mean '{}'? It takes {}",
                                                           name, word, nearest_name(word, choices),
                                                           fmt::join(choices, ", ")));
                target = word;
            },
            description)
        ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& description) {
    return app.add_option(name, target, description)->expected(1)->take_all()->allow_extra_args(false);
}

}  // namespace fascia::cli
