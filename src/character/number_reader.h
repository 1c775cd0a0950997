// Reads numbers from the caller's memory.
#pragma once

#include <cstring>

#include "fascia/arrays.h"

namespace fascia {

std::size_t bytes_of(NumberType type);  ///< of one number; 0 for an unknown type
inline bool is_whole(NumberType type) {
    return type == NumberType::u8 || type == NumberType::u16 || type == NumberType::u32;
}
float half_to_float(std::uint16_t half);

/// Items of `numbers` numbers each. The view must have a known type, and a stride that holds an item (is_readable).
class NumberReader {
public:
    NumberReader(const ArrayView& view, std::size_t numbers)
        : first_(static_cast<const unsigned char*>(view.data)),
          size_(bytes_of(view.type)),
          stride_(view.stride != 0 ? view.stride : numbers * size_),
          type_(view.type) {}

    double operator()(std::size_t item, std::size_t number) const {
        const unsigned char* at = first_ + item * stride_ + number * size_;
        switch (type_) {
            case NumberType::f32: return value<float>(at);
            case NumberType::f64: return value<double>(at);
            case NumberType::f16: return half_to_float(value<std::uint16_t>(at));
            case NumberType::u8: return value<std::uint8_t>(at);
            case NumberType::u16: return value<std::uint16_t>(at);
            case NumberType::u32: return value<std::uint32_t>(at);
            case NumberType::unorm8: return value<std::uint8_t>(at) / 255.0;
            case NumberType::unorm16: return value<std::uint16_t>(at) / 65535.0;
            case NumberType::snorm8: return at_least_minus_one(value<std::int8_t>(at) / 127.0);
            case NumberType::snorm16: return at_least_minus_one(value<std::int16_t>(at) / 32767.0);
        }
        return 0;
    }

private:
    /// Engines' arrays need not be aligned.
    template <class T>
    static T value(const unsigned char* at) {
        T out;
        std::memcpy(&out, at, sizeof out);
        return out;
    }
    static double at_least_minus_one(double v) { return v < -1 ? -1 : v; }

    const unsigned char* first_;
    std::size_t size_, stride_;
    NumberType type_;
};

/// Whether a NumberReader can read it.
inline bool is_readable(const ArrayView& view, std::size_t numbers) {
    const std::size_t size = bytes_of(view.type);
    return view.data != nullptr && size != 0 && (view.stride == 0 || view.stride >= numbers * size);
}

}  // namespace fascia
