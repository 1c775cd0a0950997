// The fields of a Flesh by name: where each lives and what values it takes. One table for files, `--set` and checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fascia/settings.h"

namespace fascia {

struct Range {
    double min, max;
};

/// One number of the flesh as a whole; exactly one of the two members is set.
struct FleshField {
    const char* name;
    Range range;
    int Flesh::*whole;
    double Flesh::*real;
};
struct LayerField {
    const char* name;
    Range range;
    double LayerSettings::*real;
};
struct PartField {
    const char* name;
    Range range;
    std::optional<double> PartSettings::*real;
};
struct ZoneField {
    const char* name;
    Range range;
    std::optional<double> Flesh::JointZone::*real;
};

const std::vector<FleshField>& flesh_fields();
const std::vector<LayerField>& layer_fields();
const std::vector<PartField>& part_fields();
const std::vector<ZoneField>& zone_fields();

/// `bone_width` is a share of the size, but voxels in the modes that follow the publication.
Range bone_width_range(Mode mode);

/// Every key that `--set` takes for this flesh; `joint` stands in for the joints.
std::vector<std::string> flesh_keys(const Flesh& flesh, const std::string& joint);

}  // namespace fascia
