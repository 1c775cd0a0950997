// Words, numbers and lines of a text file, whatever the locale and the line ends, without copying.
#pragma once

#include <cstdint>
#include <string_view>

namespace fascia::io {

class TextScanner {
public:
    explicit TextScanner(std::string_view text) : text_(text) {}

    /// Number of the line the scanner is in, from 1.
    std::size_t line() const { return line_; }
    bool at_end();

    /// The next word, across lines; empty at the end.
    std::string_view word();
    /// The next word without consuming it.
    std::string_view peek();
    /// The next word of this line; empty if the line has no more.
    std::string_view word_in_line();
    /// The rest of this line, without the spaces around it; the scanner goes to the next line.
    std::string_view rest_of_line();
    /// The next number, across lines; false, with nothing consumed, if the next word is not a finite number.
    bool number(double& out);
    /// The text from here on.
    std::string_view remaining() const { return text_.substr(at_); }

private:
    std::string_view text_;
    std::size_t at_ = 0, line_ = 1;

    void skip_spaces(bool across_lines);
    std::string_view take_word();
};

/// Parses a whole word as a finite number; leading '+' and '.' are fine.
bool parse_number(std::string_view word, double& out);
bool parse_integer(std::string_view word, std::int64_t& out);
/// ASCII only, so that it does not depend on the locale.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace fascia::io
