// Methods whose surface is embedded in voxels: only the points at their corners follow the skeleton.
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method volumetric_dqs_method();
Method volumetric_arap_method();

/// The fields that both have.
template <class Own>
void add_volumetric_fields(FieldsOf<Own>& fields) {
    fields
        .number_or_auto("resolution", &Own::resolution, {4, 512}, Use::built_in, "voxels",
                        "Voxels along the longest side; raised: finer, slower (about cubed); auto: 24 to 96, as gaps, "
                        "soft flesh and thin limbs ask for and point_budget allows")
        .number("point_budget", &Own::point_budget, {1000, 500000}, Use::built_in, "points",
                "Points at most where resolution is auto, unless 24 voxels take more");
}

}  // namespace fascia
