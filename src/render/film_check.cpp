#include "render/film_check.h"

#include <cstdint>
#include <fstream>
#include <string_view>

namespace fascia::picture {

namespace {

/// Reads numbers and names at given places of a file.
class FileView {
public:
    explicit FileView(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
        if (file_) size_ = static_cast<std::uint64_t>(file_.tellg());
    }
    std::uint64_t size() const { return size_; }
    /// Zeros beyond the end.
    std::string bytes(std::uint64_t at, std::size_t count) {
        std::string out(count, '\0');
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(at));
        file_.read(out.data(), static_cast<std::streamsize>(count));
        return out;
    }
    std::uint64_t big_endian(std::uint64_t at, std::size_t count) {
        std::uint64_t value = 0;
        for (const char c : bytes(at, count)) value = value << 8 | static_cast<unsigned char>(c);
        return value;
    }
    std::uint64_t little_endian(std::uint64_t at, std::size_t count) {
        const std::string text = bytes(at, count);
        std::uint64_t value = 0;
        for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
        return value;
    }

private:
    std::ifstream file_;
    std::uint64_t size_ = 0;
};

/// What was found in the boxes of an MP4.
struct Boxes {
    bool fit = true;  ///< they follow one another without gaps, to the end
    bool pictures = false;
    std::uint64_t listed = 0;  ///< pictures in the index
};

/// A box is a length of 32 bits, a name of four letters, perhaps a length of 64 bits, and its content.
void walk(FileView& file, std::uint64_t begin, std::uint64_t end, Boxes& out) {
    while (begin < end && out.fit) {
        const std::uint64_t narrow = file.big_endian(begin, 4);
        const std::string name = file.bytes(begin + 4, 4);
        const std::uint64_t head = narrow == 1 ? 16 : 8, length = narrow == 1 ? file.big_endian(begin + 8, 8) : narrow;
        out.fit = length >= head && length <= end - begin;
        if (!out.fit) return;
        if (name == "mdat") out.pictures = length > head;
        if (name == "stsz") out.listed = file.big_endian(begin + head + 8, 4);
        for (const std::string_view group : {"moov", "trak", "mdia", "minf", "stbl"})
            if (name == group) walk(file, begin + head, begin + length, out);
        begin += length;
    }
}

}  // namespace

bool is_whole_film(const std::string& path, const std::string& extension, std::size_t frames) {
    FileView file(path);
    if (extension == ".webp") return file.bytes(0, 4) == "RIFF" && file.little_endian(4, 4) + 8 == file.size();
    Boxes boxes;
    walk(file, 0, file.size(), boxes);
    return boxes.fit && boxes.pictures && boxes.listed == frames;
}

}  // namespace fascia::picture
