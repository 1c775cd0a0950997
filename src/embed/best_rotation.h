// The rotation that best takes one set of points onto another, without an initial guess.
#pragma once

#include "fascia/math.h"

namespace fascia::embedding {

/// sum of moved rest^T, about any two points.
struct Covariance {
    double m[3][3] = {};

    void add(Vec3d rest, Vec3d moved) {
        const double r[3] = {rest.x, rest.y, rest.z}, t[3] = {moved.x, moved.y, moved.z};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) m[i][k] += t[i] * r[k];
    }
};

/// The proper rotation R with the largest trace(R^T A), even if A is flat or turned inside out; the identity if A
/// determines none.
Quat best_rotation(const Covariance& a);

}  // namespace fascia::embedding
