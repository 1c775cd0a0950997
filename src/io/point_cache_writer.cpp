// PC2 (little endian) and MDD (big endian): plain lists of positions, one frame after another.
#include <array>
#include <cstring>
#include <limits>

#include "base/atomic_file.h"
#include "io/frame_writer.h"

namespace fascia::io {
namespace {

enum class ByteOrder { little, big };

/// Numbers of 32 bits in a fixed byte order, whatever the machine's.
class Packer {
public:
    explicit Packer(ByteOrder order) : order_(order) {}
    void add(std::uint32_t value) {
        for (int i = 0; i < 4; ++i) {
            const int shift = order_ == ByteOrder::little ? 8 * i : 24 - 8 * i;
            bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
        }
    }
    void add(float value) {
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    void add(Vec3 value) {
        add(value.x);
        add(value.y);
        add(value.z);
    }
    void add(char character) { bytes_.push_back(static_cast<std::uint8_t>(character)); }
    void clear() { bytes_.clear(); }
    Status write_to(AtomicFile& file) const { return file.write(bytes_.data(), bytes_.size()); }

private:
    ByteOrder order_;
    std::vector<std::uint8_t> bytes_;
};

Packer pc2_header(std::uint32_t vertices, const BakeInfo& info) {
    Packer header(ByteOrder::little);
    for (const char c : {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'}) header.add(c);
    header.add(std::uint32_t{1});  // version
    header.add(vertices);
    header.add(0.0f);  // start frame
    header.add(1.0f);  // frames between samples
    header.add(static_cast<std::uint32_t>(info.frames));
    return header;
}

Packer mdd_header(std::uint32_t vertices, const BakeInfo& info) {
    Packer header(ByteOrder::big);
    header.add(static_cast<std::uint32_t>(info.frames));
    header.add(vertices);
    for (std::size_t k = 0; k < info.frames; ++k) header.add(static_cast<float>(static_cast<double>(k) / info.fps));
    return header;
}

class PointCacheWriter final : public CheckedFrameWriter {
public:
    /// One file and the run of vertices that it holds.
    struct Target {
        std::unique_ptr<AtomicFile> file;
        std::size_t first = 0, count = 0;
    };

    PointCacheWriter(const std::string& path, const Character& character, const BakeInfo& info, ByteOrder order,
                     std::vector<Target> targets)
        : CheckedFrameWriter(path, character, info), packer_(order), targets_(std::move(targets)) {}

    std::vector<std::string> names() const override {
        std::vector<std::string> out;
        for (const Target& target : targets_) out.push_back(target.file->path());
        return out;
    }

private:
    Status write_frame(const BakedSurface& surface, const Pose&) override {
        for (Target& target : targets_) {
            packer_.clear();
            for (const Vec3& p : surface.positions.subspan(target.first, target.count)) packer_.add(in_axes(p));
            if (Status written = packer_.write_to(*target.file); !written) return written;
        }
        return ok_status();
    }

    Status close() override {
        for (Target& target : targets_)
            if (Status sealed = target.file->seal(); !sealed) return sealed;
        return ok_status();
    }

    Status put_in_place() override {
        const Unfinished::Lock held = Unfinished::lock();  // all of them, or none
        for (Target& target : targets_)
            if (Status published = target.file->publish(); !published) return published;
        return ok_status();
    }

    Packer packer_;
    std::vector<Target> targets_;
};

using Header = Packer (*)(std::uint32_t vertices, const BakeInfo& info);

OpenedWriter open_point_cache(const std::string& path, const Character& character, const BakeInfo& info,
                              ByteOrder order, Header header) {
    const std::size_t all = frame_vertices(character);
    if (all > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return output_error("could not write " + path + ": it has too many vertices for this format");
    std::vector<std::pair<std::string, MeshNodeRange>> files;
    if (info.split) {
        for (const MeshNodeRange& range : mesh_node_ranges(character))
            files.emplace_back(with_node_name(path, range.name), range);
    } else {
        files.emplace_back(path, MeshNodeRange{{}, -1, 0, all, {}, nullptr});
    }
    std::vector<PointCacheWriter::Target> targets;
    for (const auto& [name, range] : files) {
        auto file = AtomicFile::create(name);
        if (!file) return file.error();
        if (Status written = header(static_cast<std::uint32_t>(range.count), info).write_to(**file); !written)
            return written.error();
        targets.push_back({std::move(*file), range.first, range.count});
    }
    return std::unique_ptr<FrameWriter>(
        std::make_unique<PointCacheWriter>(path, character, info, order, std::move(targets)));
}

}  // namespace

OpenedWriter open_pc2_writer(const std::string& path, const Character& character, const BakeInfo& info) {
    return open_point_cache(path, character, info, ByteOrder::little, pc2_header);
}

OpenedWriter open_mdd_writer(const std::string& path, const Character& character, const BakeInfo& info) {
    return open_point_cache(path, character, info, ByteOrder::big, mdd_header);
}

}  // namespace fascia::io
