// The report of a bake: the same fields for every method, null if one does not apply.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bake_session.h"
#include "fascia/fascia.h"

namespace fascia::cli {

/// Everything known after one motion has been baked with one method.
struct BakeRecord {
    const Character& character;
    const Rig& rig;
    std::string motion;
    FrameTimes times;
    double bind_ms = 0;
    BakeMeasures measures;
    std::vector<std::string> warnings;
};

std::string report_json(const BakeRecord& record);

/// The headings and one row per record, for people.
std::vector<std::string> summary_headings();
std::vector<std::string> summary_row(const std::string& name, const BakeRecord& record);

}  // namespace fascia::cli
