// Ctrl-C: the running command stops at its next frame and cleans up after itself.
#pragma once

namespace fascia::cli {

/// From now on the first SIGINT or SIGTERM only raises a flag; the second ends the process.
void watch_for_interrupt();
bool interrupted();

}  // namespace fascia::cli
