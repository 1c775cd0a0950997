// What this process has begun and must not leave behind if it has to end at once: temporary files, an encoder. Signals
// are sent to a process, so the list belongs to the process, too.
#pragma once

#include <functional>
#include <mutex>

#include "fascia/api.h"

// Shown to our other libraries: the list belongs to the process.
FASCIA_API_BEGIN
namespace fascia {

/// Something that is undone by abandon_outputs() (fascia/output.h) unless it is done or destroyed first. The last begun
/// is the first undone.
class Unfinished {
public:
    /// Held while something is begun or put in place: nothing is abandoned halfway.
    using Lock = std::unique_lock<std::recursive_mutex>;
    static Lock lock();
    /// Whether everything was abandoned: nothing may begin any more. Ask while holding the lock.
    static bool too_late();

    Unfinished() = default;
    /// Call it while holding the lock under which the thing was begun.
    explicit Unfinished(std::function<void()> undo);
    ~Unfinished() { done(); }
    Unfinished(Unfinished&& other) noexcept;
    Unfinished& operator=(Unfinished&& other) noexcept;
    void done();

private:
    unsigned long number_ = 0;  ///< 0: nothing to undo
};

}  // namespace fascia
FASCIA_API_END
