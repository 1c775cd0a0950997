// A child process that reads from us; no shell is involved.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/unfinished.h"

namespace fascia::picture {

/// It ends with us: killed when this object is destroyed, or when all output is abandoned.
class EncoderProcess {
public:
    EncoderProcess() = default;
    EncoderProcess(const EncoderProcess&) = delete;
    EncoderProcess& operator=(const EncoderProcess&) = delete;
    ~EncoderProcess();

    /// Returns 0, or the errno of the failure to start.
    int start(const std::vector<std::string>& arguments);
    /// Writes to its standard input; false if it takes no more.
    bool write(const std::uint8_t* data, std::size_t size);
    /// Closes the input and waits; true if the child succeeded and complained about nothing.
    bool finish();
    /// The first line that the child wrote to its standard error; empty if it wrote none.
    std::string complaint();

private:
    void close_input();
    bool wait();

    pid_t pid_ = -1;
    int input_ = -1;
    std::FILE* complaints_ = nullptr;
    Unfinished running_;
};

}  // namespace fascia::picture
