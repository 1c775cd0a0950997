// Result<T>: a value, or one sentence that says what is wrong and what to do about it.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "fascia/api.h"

FASCIA_API_BEGIN
namespace fascia {

/// Why something could not be done. `message` names the file, node or accessor and says what to do.
struct Error {
    enum class Kind {
        usage,   ///< the caller asked for something that does not exist (exit status 2)
        input,   ///< the file or data is bad (exit status 3)
        output,  ///< the result could not be written (exit status 4)
    };
    Kind kind = Kind::input;
    std::string message;
};

inline Error usage_error(std::string message) {
    return {Error::Kind::usage, std::move(message)};
}
inline Error input_error(std::string message) {
    return {Error::Kind::input, std::move(message)};
}
inline Error output_error(std::string message) {
    return {Error::Kind::output, std::move(message)};
}

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Error error) : content_(std::move(error)) {}

    bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Only when ok().
    T& value() { return *std::get_if<0>(&content_); }
    const T& value() const { return *std::get_if<0>(&content_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// Only when not ok().
    const Error& error() const { return *std::get_if<1>(&content_); }

private:
    std::variant<T, Error> content_;
};

/// Result of something that returns no value.
using Status = Result<std::monostate>;
inline Status ok_status() {
    return std::monostate{};
}

}  // namespace fascia
FASCIA_API_END
