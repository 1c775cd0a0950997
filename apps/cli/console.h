// Words for the person at the terminal: results on stdout, everything else on stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/result.h"

namespace fascia::cli {

/// Control characters of a file's names must not drive the terminal: they become '?'.
std::string printable(std::string_view text);

void print_out(std::string_view text);
/// "fascia: …" on one line of stderr.
void print_error(std::string_view message);
void print_warning(std::string_view message);

/// The output was a pipe or a disk that could not take it: that is a failure too.
Status flush_output();

/// Rows of cells as aligned columns; numbers (all but the first column) to the right.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A bar on stderr, only where a person watches.
class Progress {
public:
    Progress(std::string label, std::size_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void advance();

private:
    void draw();
    std::string label_;
    std::size_t total_, done_ = 0;
    int shown_percent_ = -1;
    bool visible_;
};

}  // namespace fascia::cli
