#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "inputs.h"
#include "interrupt.h"

namespace fascia::cli {

namespace {

struct NeckCommand {
    std::string character, output;
    bool quiet = false;
};

Status check(const NeckCommand& o) {
    constexpr std::string_view ending = ".anatomy.json";
    if (o.character.empty()) return usage_error("which character? Give a .glb, .gltf or .vrm file");
    if (!std::string_view(o.output).ends_with(ending))
        return usage_error("where to? Give -o NAME.anatomy.json, with the NAME of the character's file, not '" +
                           o.output + "'");
    return ok_status();
}

/// An older anatomy may be replaced, although it is read along with the character.
Status keep_character(const NeckCommand& o) {
    std::error_code code;
    if (std::filesystem::equivalent(o.output, o.character, code) && !code)
        return usage_error(o.output + ": would overwrite the character; give another name");
    return ok_status();
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "'" : ", '") + printable(name) + "'";
    return out;
}

Status fit(const NeckCommand& o) {
    if (Status status = check(o); !status) return status;
    if (Status kept = keep_character(o); !kept) return kept;
    const Result<Character> character = open_character(o.character);
    if (!character) return character.error();
    const Result<Character> bust = bundled_character("neck");
    if (!bust) return bust.error();
    const Result<FittedNeck> fitted = fit_neck(*bust, *character);
    if (!fitted) return fitted.error();
    if (interrupted()) return output_error("interrupted");
    const std::string text = anatomy_to_json(fitted->scene);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    if (Status written = write_file_atomically(o.output, {bytes, text.size()}); !written) return written;
    if (o.quiet) return ok_status();
    for (const std::string& note : fitted->notes) print_warning(note);
    print_out(fmt::format("{} bodies and {} muscles on {}\nwrote {}\n", fitted->scene.bodies.size(),
                          fitted->scene.muscles.size(), listed(fitted->joints), printable(o.output)));
    return ok_status();
}

}  // namespace

void add_neck_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("neck", "Fit bones and muscles to a character's neck, for method neck");
    auto o = std::make_shared<NeckCommand>();
    app->add_option("CHARACTER", o->character, "A .glb, .gltf or .vrm file")->type_name("");
    app->add_option("-o,--output", o->output, "NAME.anatomy.json beside the character's NAME.glb")
        ->type_name("NAME.anatomy.json");
    app->add_flag("--quiet", o->quiet, "No summary, no notes");
    app->footer(
        "Examples:\n"
        "  fascia neck hero.glb -o hero.anatomy.json\n"
        "  fascia bake hero.glb --method neck --motion walk -o walk.glb");
    app->callback([o, &action] { action = [o] { return fit(*o); }; });
}

}  // namespace fascia::cli
