// Scratch memory and threads: the library's own, or the host's.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "fascia/api.h"

FASCIA_API_BEGIN
namespace fascia {

/// Seconds spent by stage since the workspace was made (or cleared): names as in MethodInfo::stages.
class StageTimes {
public:
    struct Stage {
        const char* name = "";
        double seconds = 0;
    };
    /// Where the seconds of a stage are added up. `name` must live as long as the program, as a literal does.
    double& operator[](const char* name);
    /// 0 if no such stage has run.
    double of(const std::string& name) const;
    std::span<const Stage> all() const { return std::span(stages_).first(count_); }

private:
    std::array<Stage, 24> stages_;
    std::size_t count_ = 0;
};

/// Which build of the vector kernels runs on this processor: "base", "v2", "v3" or "v4".
const char* vector_level();

/// The job system of a host, for programs in which libraries start no threads.
struct Jobs {
    using Task = void (*)(void* context, std::size_t index);
    /// Calls task(context, k) once for every k below `count`, on any threads, in any order, and returns when all are
    /// done. Tasks throw nothing and wait for nothing. It may be called from inside a task of the host.
    void (*parallel_for)(std::size_t count, Task task, void* context, void* user) = nullptr;
    void* user = nullptr;  ///< passed to parallel_for
    int threads = 1;       ///< most tasks that a pass is split into, 1 to Workspace::most_threads
};

/// Scratch memory and threads; one per calling thread, reused by all instances.
class Workspace {
public:
    static constexpr int most_threads = 64;

    /// `threads` includes the caller: 1 starts none. If the system refuses some (container limits), there are fewer:
    /// threads() says how many. The result is the same.
    explicit Workspace(int threads = 1);
    /// Starts no thread: every pass goes to the host.
    explicit Workspace(const Jobs& jobs);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

    int threads() const;
    StageTimes times;

    struct FASCIA_INSIDE Impl;
    Impl& impl() { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace fascia
FASCIA_API_END
