// What `fascia info` knows about a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fascia/fascia.h"

namespace fascia::cli {

/// What Fascia would build from it with the default flesh.
struct BuildEstimate {
    int resolution = 32;  ///< as chosen by the default method; 32 where it cannot be bound
    double voxel_size = 0;
    std::size_t estimated_points = 0;  ///< from volume and area
    std::size_t points = 0;            ///< as bound by the default method; 0 if it cannot be bound
    std::vector<LayerCount> layers;    ///< the same by layer
    std::vector<LayerFrequency> frequencies;
    FoundAnatomy anatomy;  ///< by joints of the character
};

struct FileFacts {
    std::string file;
    bool rigged = true;   ///< false: a mesh without a skeleton
    Character character;  ///< of a plain mesh only name and mesh are filled
    Vec3d box_min, box_max;
    std::size_t skins = 0;
    MeshCheck check;
    double area = 0;
    BuildEstimate build;
    std::vector<std::string> warnings;
};

/// The sentence, and how often it happened.
std::string remark_text(const Remark& remark);

Result<FileFacts> gather_facts(const std::string& file_or_name);
std::string facts_text(const FileFacts& facts);
std::string facts_json(const FileFacts& facts);

}  // namespace fascia::cli
