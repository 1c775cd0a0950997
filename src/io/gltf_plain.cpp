#include <cstring>

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_decode.h"

namespace fascia::io {

namespace {

std::size_t element_bytes(const gltf::Accessor& accessor) {
    return component_bytes(accessor.component_type) * static_cast<std::size_t>(accessor.components);
}

/// Tightly packed elements inside a bufferView, as in both halves of a sparse accessor.
Result<const std::uint8_t*> packed(const gltf::Model& model, int view, std::size_t offset, std::size_t count,
                                   std::size_t each, const std::string& what) {
    auto bytes = buffer_view_bytes(model, view, what);
    if (!bytes) return bytes.error();
    const bool fits = offset <= bytes->size && each != 0 && count <= (bytes->size - offset) / each;
    if (!fits)
        return input_error(fmt::format("{} reaches beyond its bufferView; the file is cut short or damaged.", what));
    return bytes->data + offset;
}

/// Copies the dense values; without any, `out` stays zero.
Status copy_base(const gltf::Model& model, int index, std::size_t element, const std::string& what,
                 std::vector<std::uint8_t>& out) {
    const gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    if (accessor.buffer_view < 0) return ok_status();
    auto view = view_accessor(model, index, 0, what);
    if (!view) return view.error();
    for (std::size_t e = 0; e < view->count; ++e)
        std::memcpy(out.data() + e * element, view->data + e * view->stride, element);
    return ok_status();
}

Status apply_sparse(const gltf::Model& model, const gltf::Sparse& sparse, std::size_t elements, std::size_t element,
                    const std::string& what, std::vector<std::uint8_t>& out) {
    if (sparse.count < 0) return input_error(what + " has a negative number of sparse values; export the file again.");
    const auto count = static_cast<std::size_t>(sparse.count);
    const int type = sparse.indices_type;
    const bool index_type = type == gltf::unsigned_byte || type == gltf::unsigned_short || type == gltf::unsigned_int;
    const std::size_t index_bytes = index_type ? component_bytes(type) : 0;
    const std::string indices_name = what + " (sparse indices)", values_name = what + " (sparse values)";
    auto indices = packed(model, sparse.indices_view, sparse.indices_offset, count, index_bytes, indices_name);
    if (!indices) return indices.error();
    auto values = packed(model, sparse.values_view, sparse.values_offset, count, element, values_name);
    if (!values) return values.error();
    AccessorView at;
    at.data = *indices;
    at.stride = index_bytes;
    at.component_type = sparse.indices_type;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t target = at.integer(i, 0);
        if (target >= elements) {
            return input_error(fmt::format("{} sets element {} of {}; export the file again.", what, target, elements));
        }
        std::memcpy(out.data() + target * element, *values + i * element, element);
    }
    return ok_status();
}

Status make_plain(int index, const std::string& what, MemoryBudget& budget, gltf::Model& model) {
    const std::size_t element = element_bytes(model.accessors[static_cast<std::size_t>(index)]);
    if (element == 0) return input_error(what + " has a type that glTF does not know; export the file again.");
    const std::size_t count = model.accessors[static_cast<std::size_t>(index)].count;
    if (auto status = budget.take(count, element, what); !status) return status;
    std::vector<std::uint8_t> bytes(count * element);
    if (auto status = copy_base(model, index, element, what, bytes); !status) return status;
    gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    if (accessor.sparse) {
        if (auto status = apply_sparse(model, *accessor.sparse, count, element, what, bytes); !status) return status;
    }
    accessor.sparse.reset();
    accessor.byte_offset = 0;
    accessor.buffer_view = append_buffer_view(std::move(bytes), model);
    return ok_status();
}

}  // namespace

Status make_accessors_plain(const std::string& name, MemoryBudget& budget, gltf::Model& model) {
    for (std::size_t a = 0; a < model.accessors.size(); ++a) {
        const gltf::Accessor& accessor = model.accessors[a];
        if (!accessor.sparse && accessor.buffer_view >= 0) continue;
        const std::string what = name + ": " + accessor_name(model, static_cast<int>(a));
        if (auto status = make_plain(static_cast<int>(a), what, budget, model); !status) return status;
    }
    return ok_status();
}

}  // namespace fascia::io
