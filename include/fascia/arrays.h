// A view of numbers in the caller's memory: any stride, several types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fascia/api.h"
#include "fascia/math.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// The same numbers as enum fascia_type in fascia_c.h.
enum class NumberType : int {
    f32 = 0,
    f64 = 1,
    f16 = 2,
    u8 = 3,
    u16 = 4,
    u32 = 5,
    unorm8 = 6,   ///< 0..255 means 0..1
    unorm16 = 7,  ///< 0..65535 means 0..1
    snorm8 = 8,   ///< -127..127 means -1..1
    snorm16 = 9,  ///< -32767..32767 means -1..1
};

struct ArrayView {
    const void* data = nullptr;  ///< the first item; null: there is no such array
    std::size_t count = 0;       ///< items
    std::size_t stride = 0;      ///< bytes from item to item; 0: one after the other
    NumberType type = NumberType::f32;
};

/// The layout of a matrix in memory, as floats or doubles.
enum class MatrixForm : int {
    rows_3x4 = 0,     ///< three rows of (A | t), as in Affine
    rows_4x4 = 1,     ///< the same with a row 0 0 0 1
    columns_4x4 = 2,  ///< four columns, t last: OpenGL, glTF, glm; also row vectors in rows, as in DirectX
    columns_4x3 = 3,  ///< the same without 0 0 0 1
};

/// Converts matrices of any form, f32 or f64, to Affine. Refuses other types and a short `out`; does not check the
/// values. out: [matrices.count]
Status read_matrices(const ArrayView& matrices, MatrixForm form, std::span<Affine> out);

}  // namespace fascia
FASCIA_API_END
