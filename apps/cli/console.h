// Text for the person at the terminal: results on stdout, everything else on stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/result.h"

namespace fascia::cli {

/// Names in files must not control the terminal: control characters become '?'.
std::string printable(std::string_view text);

void print_out(std::string_view text);
/// "fascia: …" on one line of stderr.
void print_error(std::string_view message);
void print_warning(std::string_view message);

/// Fails if the output went to a pipe or a disk that could not take it.
Status flush_output();

/// Rows of cells as aligned columns; numbers (all but the first column) are right-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A progress bar on stderr, only if stderr is a terminal.
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
