#include "character/number_reader.h"

namespace fascia {

std::size_t bytes_of(NumberType type) {
    switch (type) {
        case NumberType::f64: return 8;
        case NumberType::f32:
        case NumberType::u32: return 4;
        case NumberType::f16:
        case NumberType::u16:
        case NumberType::unorm16:
        case NumberType::snorm16: return 2;
        case NumberType::u8:
        case NumberType::unorm8:
        case NumberType::snorm8: return 1;
    }
    return 0;
}

float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    std::uint32_t bits = sign | (exponent + 112) << 23 | fraction << 13;
    if (exponent == 0) {
        // Subnormal: a multiple of 2^-24, which a float holds exactly.
        const float small = float(fraction) * 5.9604644775390625e-8f;
        std::memcpy(&bits, &small, sizeof bits);
        bits |= sign;
    } else if (exponent == 31) {
        bits = sign | 0x7f800000u | fraction << 13;
    }
    float out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

namespace {

/// Index of row r, column c of (A | t) among the numbers of a matrix.
std::size_t place_of(MatrixForm form, std::size_t r, std::size_t c) {
    switch (form) {
        case MatrixForm::rows_3x4:
        case MatrixForm::rows_4x4: return 4 * r + c;
        case MatrixForm::columns_4x4: return 4 * c + r;
        case MatrixForm::columns_4x3: return 3 * c + r;
    }
    return 0;
}

std::size_t numbers_of(MatrixForm form) {
    return form == MatrixForm::rows_4x4 || form == MatrixForm::columns_4x4 ? 16 : 12;
}

}  // namespace

Status read_matrices(const ArrayView& matrices, MatrixForm form, std::span<Affine> out) {
    if (form < MatrixForm::rows_3x4 || form > MatrixForm::columns_4x3)
        return usage_error("the form of the matrices is unknown");
    if (matrices.type != NumberType::f32 && matrices.type != NumberType::f64)
        return usage_error("matrices must be floats or doubles");
    if (matrices.count == 0) return ok_status();
    if (!is_readable(matrices, numbers_of(form)))
        return usage_error("the array of matrices is missing, or its stride is shorter than a matrix");
    if (out.size() < matrices.count) return usage_error("there is too little room for the matrices");
    const NumberReader from(matrices, numbers_of(form));
    for (std::size_t k = 0; k < matrices.count; ++k)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 4; ++c) out[k].m[r][c] = from(k, place_of(form, r, c));
    return ok_status();
}

}  // namespace fascia
