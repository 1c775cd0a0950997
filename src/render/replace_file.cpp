#include "render/replace_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace fascia::picture {

std::string temporary_name(const std::string& path) {
    const std::filesystem::path whole(path);
    std::string name(1, '.');
    name += whole.stem().string();
    name += ".part" + std::to_string(getpid());
    name += whole.extension().string();
    return (whole.parent_path() / name).string();
}

Status rename_into_place(const std::string& temporary, const std::string& path) {
    if (std::rename(temporary.c_str(), path.c_str()) == 0) return ok_status();
    const std::string reason = std::strerror(errno);
    remove_quietly(temporary);
    return output_error("cannot write " + path + ": " + reason + "; choose another place or free the name");
}

void remove_quietly(const std::string& path) {
    std::remove(path.c_str());
}

}  // namespace fascia::picture
