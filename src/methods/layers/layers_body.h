// What bind makes of a character for the method `layers`: nodes, their layers, weights, regions and the surface
// embedded in them. Depends on the shape and on settings that need a rebind (resolution, region width, bone width,
// muscle share).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "embed/trilinear.h"
#include "fascia/method.h"
#include "lattice/connectivity.h"
#include "lattice/grid.h"
#include "lattice/layers.h"
#include "methods/layers/layers_blueprint.h"
#include "methods/shared/joint_places.h"
#include "methods/shared/pose_gate.h"
#include "sim/listed_regions.h"
#include "sim/segment_constants.h"
#include "sim/segment_reference.h"
#include "sim/segment_step.h"
#include "sim/segments.h"
#include "sim/slice_ring.h"
#include "skin/carriers.h"
#include "skin/skinned_surface.h"
#include "weights/influences.h"

namespace fascia {

using ConstantsArray = std::vector<sim::SegmentConstants, AlignedAllocator<sim::SegmentConstants>>;

struct LayersBody {
    std::shared_ptr<const LayersBlueprint> blueprint;
    std::uint64_t fingerprint = 0;
    double size = 1;
    lattice::Grid grid;
    Vec3d centre;
    Engine engine = Engine::segments;

    // ---- nodes, in channels; lengths in voxels about the centre, axes turned so that rows are long ----
    int turn = 0;  ///< see sim::turned
    sim::SegmentLayout layout;
    sim::SliceRing ring;  ///< layout of the scratch memory
    std::uint64_t layout_hash = 0;
    Floats rest;                        ///< [3 * stride]
    Floats weights;                     ///< [4 * stride]
    std::vector<std::uint16_t> joints;  ///< [4 * stride]
    Floats volume_weight;               ///< [stride] -1 if there is no point
    Floats mass;                        ///< [stride] 1 / number of regions that hold the point

    // ---- for vectors ----
    ConstantsArray constants;                    ///< [segments] what does not depend on the tuning
    sim::BoxArray boxes;                         ///< the distinct kinds
    std::vector<std::uint32_t> box_of;           ///< [segments]
    std::vector<std::uint8_t> traits;            ///< [segments] of sim::SegmentTrait
    Floats pair_weight;                          ///< [stride] 0 empty, 1/2 flesh, 1 bone
    std::vector<std::uint32_t> irregular_first;  ///< [segments + 1]
    std::vector<sim::IrregularLane> irregular;
    std::vector<sim::FaceLanes> face_lanes;  ///< [segments]
    std::vector<sim::BoxDifference> differences;
    std::vector<std::uint32_t> joint_first;     ///< [segments + 1]
    std::vector<std::uint32_t> segment_joints;  ///< joints that carry any lane of a segment, ascending
    Floats joint_weights;                       ///< [8 per joint of a segment]
    sim::ListedRegions listed;                  ///< empty if regions are the boxes of width 3

    // ---- for plain loops; empty for vectors ----
    Floats softness, region;
    std::vector<std::int32_t> neighbours;
    std::vector<std::uint32_t> member_first, members, owner_first, owners;

    // ---- per node, in node order ----
    std::vector<std::uint8_t> neighbour_count;
    std::vector<std::uint16_t> region_count;  ///< regions that hold the node

    // ---- joints ----
    PoseGate gate;
    std::vector<Affine> inverse_rest;  ///< [joints]
    std::vector<int> parents;          ///< [joints]
    std::vector<Vec3d> pivots;         ///< [joints] at rest, in the nodes' coordinates

    // ---- the surface ----
    DqsSurface surface;                            ///< how the skeleton alone carries it, or
    LbsSurface linear_surface;                     ///< the same if points are driven by linear blending
    embedding::Trilinear bound;                    ///< points are slots in the channels
    std::vector<std::uint32_t> carriers;           ///< slots that carry any vertex, ascending
    Carriers carried;                              ///< `bound` as the kernels read it
    std::vector<std::uint32_t> carrying_segments;  ///< segments_of its points

    std::vector<std::string> warnings;

    const std::vector<std::uint8_t>& layer() const { return blueprint->layer; }
    const std::vector<float>& thinness() const { return blueprint->thinness; }
    std::size_t vertex_count() const { return bound.vertex_count(); }
    std::size_t stride() const { return layout.stride; }
    std::size_t node_count() const { return layout.slots.size(); }
    std::span<const std::uint32_t> slots() const { return layout.slots; }
    sim::ReferenceBody reference() const;
};

/// Builds the body, or explains in one sentence why it cannot. The `layers` of the flesh must not be empty.
Result<std::shared_ptr<const LayersBody>> build_layers_body(const Character& character, const LayersSettings& settings,
                                                            const BindInputs& inputs, Engine engine = Engine::segments);

/// Everything in a body follows from its blueprint and the surface bound in it. bound: points are nodes
std::shared_ptr<const LayersBody> assemble_layers_body(std::shared_ptr<const LayersBlueprint> blueprint,
                                                       embedding::Trilinear bound, std::vector<std::string> warnings);
/// The bound surface in terms of nodes, not slots.
embedding::Trilinear bound_to_nodes(const LayersBody& body);

/// The segments in which any of these nodes lies, ascending.
std::vector<std::uint32_t> segments_of(const LayersBody& body, std::span<const std::uint32_t> nodes);

/// Fills everything in the body that lies in channels; grid, centre and engine must be set.
void store_in_channels(const LayersBlueprint& nodes, LayersBody& body);

}  // namespace fascia
