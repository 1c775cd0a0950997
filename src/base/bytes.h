// Numbers and arrays as bytes, for files that only Fascia reads: little-endian, lengths before arrays.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace fascia {

class ByteWriter {
public:
    template <class T>
    void value(const T& v) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        raw(&v, sizeof v);
    }
    /// Any contiguous container of plain values: its length, then its bytes.
    template <class Array>
    void array(const Array& a) {
        static_assert(std::is_trivially_copyable_v<typename Array::value_type>);
        value(std::uint64_t{a.size()});
        raw(a.data(), a.size() * sizeof(typename Array::value_type));
    }

    /// Bytes as they are, without their length.
    void append(std::span<const std::uint8_t> more) { raw(more.data(), more.size()); }

    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
    void raw(const void* data, std::size_t size) {
        if (size == 0) return;
        const std::size_t at = bytes_.size();
        bytes_.resize(at + size);
        std::memcpy(bytes_.data() + at, data, size);
    }
    std::vector<std::uint8_t> bytes_;
};

/// Reads what ByteWriter wrote. Past the end everything is zero and empty and `ok` is false: who reads checks once.
/// Nothing is allocated that the bytes do not hold.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    bool ok() const { return ok_; }
    bool at_end() const { return left_.empty(); }

    template <class T>
    T value() {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        T v{};
        raw(&v, sizeof v);
        return v;
    }
    template <class Array>
    void array(Array& out) {
        using T = typename Array::value_type;
        static_assert(std::is_trivially_copyable_v<T>);
        const auto count = value<std::uint64_t>();
        if (count > left_.size() / sizeof(T)) ok_ = false;
        out.resize(ok_ ? std::size_t(count) : 0);
        raw(out.data(), out.size() * sizeof(T));
    }
    std::string text() {
        std::string out;
        array(out);
        return out;
    }

private:
    void raw(void* to, std::size_t size) {
        if (size > left_.size()) ok_ = false;
        if (!ok_ || size == 0) return;
        std::memcpy(to, left_.data(), size);
        left_ = left_.subspan(size);
    }
    std::span<const std::uint8_t> left_;
    bool ok_ = true;
};

}  // namespace fascia
