// The experiments of Luo's thesis on voxels (chapter 4) and on what carries a surface (chapter 5): docs/papers/002.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "voxel_solids.h"

namespace fascia::experiments {

/// CPU time of this program alone: others may be busy.
double seconds_of(const std::function<void()>& work);
/// The least of several runs.
double least_seconds(int runs, const std::function<void()>& work);

VolumetricDqsSettings dqs_at(int resolution);
/// As published: edges alone count.
VolumetricArapSettings arap_at(int resolution);
RigPtr carried(const ModelBody& body, const Settings& settings, const char* how, int samples = 300);

/// In per cent of rest.
double volume_of(const Character& character, const std::vector<Vec3>& positions);
/// From a pose to the surface.
double frame_seconds(const Rig& rig, const std::vector<Affine>& pose);
/// Where a tube's displacement stops being smooth from ring to ring: voxels end there. Without its rounded ends.
double largest_kink(const Character& tube, const std::vector<Vec3>& positions);

Image picture(const ModelBody& body, const Held& held, int size = 260);
/// Vertices in colours of their own.
Image painted(const ModelBody& body, const Held& held, const std::vector<Vec4>& colors, int size = 260);

void samples(const std::string& folder);
void domains(const std::string& folder);
void seams(const std::string& folder);
void elements(const std::string& folder);
void rigid(const std::string& folder, double detail);
void soft(const std::string& folder);
void meshless(const std::string& folder);

}  // namespace fascia::experiments
