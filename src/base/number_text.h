// Numbers as text, the same under any locale of the host: the decimal point is always a point.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace fascia {

/// As printf's %.*g writes it in the C locale.
std::string number_text(double value, int digits);

/// A whole word as a finite number; false if it is not one. Values too small for a double become zero.
bool parse_decimal(std::string_view word, double& out);

/// What was read, and how much of the word it took.
struct NumberRead {
    std::size_t length = 0;  ///< 0: not a number
    std::errc error = {};
};
/// Digits, a point, an exponent; no plus sign, no spaces, no hexadecimal.
NumberRead read_number(std::string_view word, double& value);

}  // namespace fascia
