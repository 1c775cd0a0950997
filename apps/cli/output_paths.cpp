#include "output_paths.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "fascia/settings.h"

namespace fascia::cli {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& frame_formats() {
    static const std::vector<std::string> list{".glb", ".pc2", ".mdd", ".usda", ".obj"};
    return list;
}

const std::vector<std::string>& picture_formats() {
    static const std::vector<std::string> list{".png", ".mp4", ".webp"};
    return list;
}

Status check_format(const char* option, const std::string& path, const std::vector<std::string>& known) {
    const std::string extension = extension_of(path);
    if (std::find(known.begin(), known.end(), extension) != known.end()) return ok_status();
    const std::string hint =
        extension.empty() ? "" : fmt::format("; did you mean '{}'?", nearest_name(extension, known));
    return usage_error(
        fmt::format("{} {}: the name must end in one of {}{}", option, path, fmt::join(known, " "), hint));
}

fs::path folder_of(const fs::path& path) {
    const fs::path parent = path.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code code;
    // Make it absolute first: a relative name that does not exist yet would stay relative.
    return fs::weakly_canonical(fs::absolute(a, code), code) == fs::weakly_canonical(fs::absolute(b, code), code);
}

std::vector<std::string> all_outputs(const BakeOptions& o) {
    std::vector<std::string> all = o.outputs;
    if (!o.report.empty()) all.push_back(o.report);
    if (!o.preview.empty()) all.push_back(o.preview);
    return all;
}

/// No two results may have the same name.
Status check_collisions(const BakeOptions& o) {
    const std::vector<std::string> all = all_outputs(o);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (same_file(all[i], all[k])) return usage_error(all[i] + ": is asked for twice; give each its own name");
    return ok_status();
}

std::string with_part(const std::string& path, const std::string& part) {
    if (path.empty()) return path;
    fs::path out(path);
    const std::string extension = out.extension().string();
    out.replace_extension();
    return out.string() + "." + part + extension;
}

}  // namespace

std::string extension_of(const std::string& path) {
    std::string extension = fs::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

Status check_writable(const std::string& path, bool folder_output) {
    std::error_code code;
    const fs::path folder = folder_of(path);
    if (!fs::is_directory(folder, code))
        return output_error(path + ": there is no folder " + folder.string() + "; make it first");
    if (!folder_output && fs::is_directory(path, code))
        return output_error(path + ": is a folder; give the name of a file");
    if (folder_output && fs::exists(path, code) && !fs::is_directory(path, code))
        return output_error(path + ": is a file; frames need a folder of that name");
    // A device is written in place; any other file is renamed into its folder.
    const bool in_place = fs::exists(path, code) && fs::is_other(path, code);
    if (::access(in_place ? path.c_str() : folder.c_str(), W_OK) != 0)
        return output_error(path + ": the folder " + folder.string() + " cannot be written to");
    return ok_status();
}

Status check_folder(const std::string& path) {
    std::error_code code;
    if (fs::is_directory(path, code)) {
        if (::access(path.c_str(), W_OK) != 0) return output_error(path + ": cannot be written to");
        return ok_status();
    }
    if (fs::exists(path, code)) return output_error(path + ": is a file; give the name of a folder");
    fs::path trimmed = fs::path(path);
    if (!trimmed.has_filename()) trimmed = trimmed.parent_path();
    return check_writable(trimmed.string());
}

Status make_folder(const std::string& path) {
    std::error_code code;
    if (fs::is_directory(path, code)) return ok_status();
    fs::create_directory(path, code);
    if (code || !fs::is_directory(path)) return output_error(path + ": could not make the folder: " + code.message());
    return ok_status();
}

Status check_outputs(const BakeOptions& o, const KeptInputs& inputs) {
    for (const std::string& path : o.outputs) {
        Status status = check_format("-o", path, frame_formats());
        if (!status) return status;
    }
    if (!o.preview.empty()) {
        Status status = check_format("--preview", o.preview, picture_formats());
        if (!status) return status;
    }
    Status collisions = check_collisions(o);
    if (collisions) collisions = inputs.check(all_outputs(o));
    if (!collisions) return collisions;
    for (const std::string& path : all_outputs(o)) {
        Status status = check_writable(path, extension_of(path) == ".obj");
        if (!status) return status;
    }
    return ok_status();
}

OutputPaths output_paths(const BakeOptions& o, const std::string& part, bool many) {
    if (!many) return {o.outputs, o.report, o.preview};
    OutputPaths paths{{}, with_part(o.report, part), with_part(o.preview, part)};
    for (const std::string& path : o.outputs) paths.frames.push_back(with_part(path, part));
    return paths;
}

}  // namespace fascia::cli
