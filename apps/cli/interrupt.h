// Ctrl-C and its like: the running command ends soon, whatever it is doing, and leaves nothing half-written.
#pragma once

namespace fascia::cli {

/// From now on SIGINT, SIGTERM and SIGHUP raise a flag. A command that has not ended by itself after a moment, or when
/// a second signal comes, is ended, and its temporary files are removed.
void watch_for_interrupt();
bool interrupted();

}  // namespace fascia::cli
