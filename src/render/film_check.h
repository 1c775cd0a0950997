// Whether an encoder has finished what it began: ffmpeg may report success after a disk was full.
#pragma once

#include <cstddef>
#include <string>

namespace fascia::picture {

/// An .mp4 whose boxes fill the file and whose index lists `frames` pictures, or a .webp as long as it says.
bool is_whole_film(const std::string& path, const std::string& extension, std::size_t frames);

}  // namespace fascia::picture
