// The library's registry plus one line.
#include "methods/registry.h"

#include "methods/bones_blending/bones_blending.h"
#include "methods/lattice/lattice.h"
#include "methods/layers/layers.h"
#include "methods/skinning/skinning.h"

namespace fascia {

Method toy_method();

const std::vector<Method>& registered_methods() {
    static const std::vector<Method> list{lbs_method(),    dqs_method(),     bones_blending_method(),
                                          layers_method(), lattice_method(), toy_method()};
    return list;
}

}  // namespace fascia
