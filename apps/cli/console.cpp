#include "console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace fascia::cli {

namespace {

/// Columns that a terminal needs for UTF-8 text: continuation bytes take none.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Where a message may be cut: not within a UTF-8 character.
std::size_t boundary(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && (text[at] & 0xC0) == 0x80) --at;
    return at;
}

/// Names from files or the command line may be of any length; a message is cut short.
std::string of_readable_length(std::string_view message) {
    constexpr std::size_t longest = 1500, head = 700, tail = 300;
    if (message.size() <= longest) return std::string(message);
    return fmt::format("{} ... {}", message.substr(0, boundary(message, head)),
                       message.substr(boundary(message, message.size() - tail)));
}

void print_line(const char* prefix, std::string_view message) {
    const std::string line = fmt::format("{}{}\n", prefix, printable(of_readable_length(message)));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 || u == 0x7f) c = c == '\n' || c == '\t' ? ' ' : '?';
    }
    return out;
}

void print_out(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_error(std::string_view message) {
    print_line("fascia: ", message);
}

void print_warning(std::string_view message) {
    print_line("warning: ", message);
}

Status flush_output() {
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    const bool failed_now = std::fflush(stdout) != 0;
    if (!failed_before && !failed_now) return ok_status();
    // A closed pipe is not worth explaining; a full disk has a reason.
    const std::string reason = errno != 0 ? std::strerror(errno) : "the write failed";
    return output_error("could not write to the standard output: " + reason);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width_of(row[i]), ' ');
            line += (i ? "  " : "") + (i == 0 ? row[i] + padding : padding + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

Progress::Progress(std::string label, std::size_t total, bool quiet)
    : label_(printable(label)), total_(total), visible_(!quiet && total > 0 && isatty(STDERR_FILENO) == 1) {
    draw();
}

Progress::~Progress() {
    if (!visible_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

void Progress::advance() {
    ++done_;
    draw();
}

void Progress::draw() {
    if (!visible_) return;
    const int percent = static_cast<int>(100 * std::min(done_, total_) / total_);
    if (percent == shown_percent_) return;
    shown_percent_ = percent;
    constexpr int cells = 30;
    const int full = percent * cells / 100;
    const std::string line = fmt::format("\r{} [{:=<{}}{: <{}}] {:3d} %", label_, "", full, "", cells - full, percent);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

}  // namespace fascia::cli
