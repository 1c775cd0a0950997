#include "methods/methods.h"

namespace fascia {

Result<RigPtr> bind_layers(const Character&, const LayersSettings&) {
    return usage_error("layers: not yet");
}

}  // namespace fascia
