#include "kept_inputs.h"

#include <filesystem>
#include <variant>

#include "fascia/io.h"

namespace fascia::cli {

namespace {

namespace fs = std::filesystem;

bool is_same(const fs::path& a, const fs::path& b) {
    std::error_code code;
    return fs::equivalent(a, b, code) && !code;
}

/// Whether `file` lies somewhere below `folder`.
bool is_inside(const std::string& file, const std::string& folder) {
    std::error_code code;
    if (!fs::is_directory(folder, code)) return false;
    for (fs::path at = fs::canonical(file, code); !code && at.has_relative_path(); at = at.parent_path())
        if (is_same(at.parent_path(), folder)) return true;
    return false;
}

}  // namespace

void KeptInputs::add(const std::string& path) {
    std::error_code code;
    if (path.empty() || !fs::is_regular_file(path, code)) return;
    for (const std::string& file : files_of(path)) files_.push_back(file);
}

void KeptInputs::add_mask(const Flesh& flesh) {
    if (const auto mask = get_field(flesh, "mask"))
        if (const std::string* file = std::get_if<std::string>(&*mask)) add(*file);
}

Status KeptInputs::check(const std::vector<std::string>& outputs) const {
    for (const std::string& output : outputs)
        for (const std::string& input : files_) {
            if (is_same(output, input))
                return usage_error(output + ": would overwrite " + (output == input ? "what" : input + ", which") +
                                   " is read from; give another name");
            if (is_inside(input, output))
                return usage_error(output + ": would replace the folder of " + input +
                                   ", which is read from; give another name");
        }
    return ok_status();
}

KeptInputs inputs_of(const BakeOptions& options) {
    KeptInputs inputs;
    for (const std::string& path :
         {options.character, options.motion, options.flesh_file, options.map_file, options.collider_file})
        inputs.add(path);
    if (const auto beside = flesh_beside(options.character)) inputs.add(*beside);
    for (const std::string& path : options.attach) inputs.add(path);
    return inputs;
}

}  // namespace fascia::cli
