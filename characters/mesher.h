// From a field to an evenly meshed closed surface.
#pragma once

#include <vector>

#include "sculpture.h"
#include "surface_mesh.h"

namespace fascia::characters {

/// Marching tetrahedra over the field's box with cells of edge `cell`: closed and manifold by construction.
SurfaceMesh polygonise(const Field& field, double cell);

/// Isotropic remeshing: split long edges, collapse short ones, flip, relax along the surface, project back.
void remesh(const Field& field, SurfaceMesh& mesh);

}  // namespace fascia::characters
