// The setting `excite`: activations of single actuators by name.
#pragma once

#include <string>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "fascia/result.h"

namespace fascia {

/// text: "NAME=SHARE, ..."; the same actuator may be named more than once. Returns [actuators of the scene].
Result<std::vector<double>> excited_shares(const AnatomyScene& scene, const std::string& text);

}  // namespace fascia
