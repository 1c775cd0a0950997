// Ctrl-C and similar signals: the running command ends soon, whatever it is doing, and leaves nothing half-written.
#pragma once

namespace fascia::cli {

/// From now on SIGINT, SIGTERM and SIGHUP raise a flag. A command that has not stopped by itself after a moment, or by
/// the time a second signal arrives, is terminated, and its temporary files are removed.
void watch_for_interrupt();
bool interrupted();

}  // namespace fascia::cli
