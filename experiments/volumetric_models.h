// Bodies like those of the publication's tables, made by code, with about as many vertices and voxels as it states.
#pragma once

#include <string>
#include <vector>

#include "human.h"

namespace fascia::experiments {

struct ModelBody {
    std::string name;
    Character character;
    std::vector<Turn> turns;   ///< into the pose that is measured
    std::size_t voxels = 0;    ///< published
    std::size_t vertices = 0;  ///< published
    double yaw = 0.6;          ///< of the camera
};

/// detail: share of the published vertices that the mesh has.
std::vector<ModelBody> model_bodies(double detail);
ModelBody model_named(const std::string& name, double detail);

/// The pose that is measured, or a share of the way to it.
std::vector<Affine> pose_of(const ModelBody& body, double share = 1);

/// The resolution that gives about as many voxels as published, times `share`.
int resolution_of(const ModelBody& body, double share = 1);

}  // namespace fascia::experiments
