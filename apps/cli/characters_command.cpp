#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "interrupt.h"
#include "output_paths.h"

namespace fascia::cli {

namespace {

std::string clip_names(const Character& character) {
    std::string list;
    for (const Clip& clip : character.clips) list += (list.empty() ? "" : " ") + clip.name;
    return list;
}

Status list_characters() {
    std::vector<std::vector<std::string>> rows{{"name", "vertices", "triangles", "joints"}};
    std::vector<std::string> clips{"clips"};
    for (const std::string& name : bundled_names()) {
        const Result<Character> character = bundled_character(name);
        if (!character) return character.error();
        rows.push_back({name, std::to_string(character->mesh.vertex_count()),
                        std::to_string(character->mesh.triangle_count()), std::to_string(character->joints.size())});
        clips.push_back(clip_names(*character));
    }
    // Clips come last and are left-aligned: they are words, not numbers.
    const std::string lines = table(rows);
    std::size_t at = 0;
    for (const std::string& list : clips) {
        const std::size_t end = lines.find('\n', at);
        print_out(lines.substr(at, end - at) + "  " + list + "\n");
        at = end + 1;
    }
    return ok_status();
}

Status write_characters(const std::string& folder) {
    Status status = check_folder(folder);
    if (status) status = make_folder(folder);
    if (!status) return status;
    Outputs outputs;
    for (const std::string& name : bundled_names()) {
        if (interrupted()) return output_error("interrupted");
        const Result<Character> character = bundled_character(name);
        if (!character) return character.error();
        auto output = stage_character(folder + "/" + name + ".glb", *character);
        if (!output) return output.error();
        outputs.push_back(std::move(*output));
        if (!character->scene) continue;
        const std::string text = anatomy_to_json(*character->scene);
        auto anatomy = stage_file(folder + "/" + name + ".anatomy.json",
                                  {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        if (!anatomy) return anatomy.error();
        outputs.push_back(std::move(*anatomy));
    }
    if (Status published = publish_together(outputs); !published) return published;
    for (const auto& output : outputs) print_out("wrote " + output->names()[0] + "\n");
    return ok_status();
}

}  // namespace

void add_characters_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("characters", "List the bundled characters, or write each as NAME.glb");
    auto folder = std::make_shared<std::string>();
    app->add_option("-o,--output", *folder, "Write NAME.glb of each into this folder")->type_name("DIR");
    app->footer(
        "Examples:\n"
        "  fascia characters\n"
        "  fascia characters -o models");
    app->callback([folder, &action] {
        action = [folder] { return folder->empty() ? list_characters() : write_characters(*folder); };
    });
}

}  // namespace fascia::cli
