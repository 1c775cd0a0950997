#include "methods/registry.h"

#include "methods/bones_blending/bones_blending.h"
#include "methods/handles/handles.h"
#include "methods/lattice/lattice.h"
#include "methods/layers/layers.h"
#include "methods/neck/neck.h"
#include "methods/particles/particles.h"
#include "methods/skinning/skinning.h"
#include "methods/volumetric/volumetric.h"

namespace fascia {

// Nothing else belongs in this file: a program with its own registry is linked with that file instead.
const std::vector<Method>& registered_methods() {
    static const std::vector<Method> list{
        lbs_method(),              // linear blend skinning
        dqs_method(),              // dual quaternion skinning
        bones_blending_method(),   // Kavan, Zara 2003
        layers_method(),           // Iwamoto, Shum, Yang, Morishima 2015
        lattice_method(),          // Chen, Tsai, Lin, Lu 2012
        particles_method(),        // Deul, Bender 2013
        volumetric_dqs_method(),   // Luo 2016
        volumetric_arap_method(),  // the same
        handles_method(),          // the same
        neck_method(),             // the same
    };
    return list;
}

}  // namespace fascia
