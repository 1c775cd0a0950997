#include "parse_errors.h"

#include <algorithm>

#include "console.h"
#include "fascia/settings.h"

namespace fascia::cli {

namespace {

const CLI::App& chosen_command(const CLI::App& root) {
    const auto chosen = root.get_subcommands();
    return chosen.empty() ? root : *chosen.front();
}

/// "fascia bake", to point at the right help.
std::string help_of(const CLI::App& command) {
    return command.get_parent() ? "fascia " + command.get_name() + " --help" : "fascia --help";
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& root) {
    std::vector<std::string> names;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

bool is_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-';
}

/// "--metod=dqs" is a misspelt "--metod".
std::string option_part(const std::string& word) {
    return word.substr(0, word.find('='));
}

Error explain_extras(const CLI::App& root) {
    const CLI::App& command = chosen_command(root);
    const std::vector<std::string> extras = root.remaining(true);
    if (extras.empty()) return usage_error("the command line has too many words; see " + help_of(command));
    // The value of a misspelt option is left over as well; the message is about the option.
    const auto option = std::find_if(extras.begin(), extras.end(), is_option);
    if (option != extras.end()) {
        const std::string word = option_part(*option);
        return usage_error("there is no option '" + word + "'; did you mean '" +
                           nearest_name(word, option_names(command)) + "'? See " + help_of(command));
    }
    if (!command.get_parent())
        return usage_error("there is no command '" + extras.front() + "'; did you mean '" +
                           nearest_name(extras.front(), command_names(root)) + "'? See " + help_of(command));
    return usage_error("'" + extras.front() + "' is one word too many for 'fascia " + command.get_name() + "'; see " +
                       help_of(command));
}

/// The name of the option is before the colon in the parser's own message.
std::string option_of(const CLI::ParseError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(':'));
}

}  // namespace

Status print_asked(const CLI::App& root, const CLI::Success& asked) {
    // --version carries its text; --help belongs to the command that was being parsed.
    if (asked.get_name() == "CallForVersion")
        print_out(std::string(asked.what()) + "\n");
    else
        print_out(root.get_subcommands().empty() ? root.help() : chosen_command(root).help("fascia"));
    return ok_status();
}

Error explain(const CLI::App& root, const CLI::ParseError& error) {
    const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
    if (kind == CLI::ExitCodes::ExtrasError) return explain_extras(root);
    if (kind == CLI::ExitCodes::ArgumentMismatch) {
        const bool missing = std::string(error.what()).find("missing") != std::string::npos;
        return usage_error(option_of(error) + (missing ? " needs a value" : " is given more than once") + "; see " +
                           help_of(chosen_command(root)));
    }
    return usage_error(error.what());
}

Error explain_missing_command(const CLI::App& root) {
    std::string list;
    for (const std::string& name : command_names(root)) list += (list.empty() ? "" : ", ") + name;
    return usage_error("which command? One of " + list + "; see fascia --help");
}

}  // namespace fascia::cli
