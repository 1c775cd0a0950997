// The binary side of a GLB under construction: bytes go to a scratch file as they arrive, buffer views and accessors
// are remembered, and at the end header, JSON and bytes are put together.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/atomic_file.h"
#include "fascia/math.h"
#include "fascia/result.h"

namespace fascia::io {

namespace gl {
constexpr int byte = 5120, unsigned_byte = 5121, short_ = 5122, unsigned_short = 5123, unsigned_int = 5125,
              float_ = 5126;
constexpr int array_buffer = 34962, element_array_buffer = 34963;
}  // namespace gl

/// What a buffer view is for; the validator wants vertex data and indices marked and nothing else.
enum class ViewUse { other, vertices, indices };

struct GlbAccessor {
    int view = -1;
    std::uint64_t offset = 0;  ///< in its view
    int component = gl::float_;
    std::size_t count = 0;
    std::string type = "SCALAR";
    bool normalized = false;
    std::vector<double> min, max;  ///< empty if the format does not ask for them
};

/// Errors stick: after the first one nothing more is written, and `status` returns it.
class GlbData {
public:
    explicit GlbData(std::unique_ptr<ScratchFile> scratch) : scratch_(std::move(scratch)) {}

    const Status& status() const { return status_; }
    std::uint64_t size() const { return scratch_->size(); }

    /// Appends bytes, starting at a multiple of 4, and returns where they start.
    std::uint64_t append(const void* data, std::size_t size);
    /// Index of a new buffer view; `stride` 0 if elements are packed.
    int add_view(std::uint64_t offset, std::uint64_t length, ViewUse use, int stride = 0);
    int add_accessor(GlbAccessor accessor);

    // Whole arrays, each with a view of its own; return the index of the accessor.
    int add_vectors(std::span<const Vec3> values, ViewUse use, bool bounds);
    int add_floats(std::span<const float> values, const std::string& type, int width, ViewUse use, bool bounds);
    int add_tangents(std::span<const Vec4> values);
    /// In 16 bits if they fit.
    int add_indices(std::span<const std::uint32_t> values);
    /// Any other array; `element_size` bytes each, padded to a multiple of 4 for vertices.
    int add_elements(const void* data, std::size_t count, std::size_t element_size, int component,
                     const std::string& type, bool normalized, ViewUse use, std::vector<double> min = {},
                     std::vector<double> max = {});

    /// Puts buffers, views and accessors into `root` and writes the whole file.
    Status assemble(nlohmann::json& root, AtomicFile& out);

private:
    struct View {
        std::uint64_t offset = 0, length = 0;
        ViewUse use = ViewUse::other;
        int stride = 0;
    };

    std::unique_ptr<ScratchFile> scratch_;
    Status status_ = ok_status();
    std::vector<View> views_;
    std::vector<GlbAccessor> accessors_;
};

}  // namespace fascia::io
