#include "methods/volumetric/cell_surface.h"

#include <algorithm>
#include <numeric>

#include "methods/shared/corner_surface.h"
#include "skin/packed_skin.h"

namespace fascia {

namespace {

struct CellSurfaceScratch {
    Floats lines, extra, tangents;
};

/// Points, or vertices, that one thread takes at a time.
constexpr std::size_t cell_grain = 256;

float* floats_of(std::span<Vec3> out) {
    return reinterpret_cast<float*>(out.data());
}

}  // namespace

CellSurface::CellSurface(const VolumetricBody& body)
    : h_(body.grid.h), bound_(body.bound), normals_(pack_for_dqs(body.surface.normals)) {
    std::vector<Vec3> along;
    for (const Vec4 t : body.surface.tangents) along.push_back({t.x, t.y, t.z}), handedness_.push_back(t.w);
    tangents_ = pack_for_dqs(along);
    choose_points(body);
}

CellSurface::CellSurface(const VolumetricBody& body, const CarriedMesh& mesh)
    : h_(body.grid.h), bound_(mesh.bound), normals_(pack_for_dqs(mesh.tied.surface.normals)) {
    if (mesh.has_arms) arms_ = mesh.arms;
    choose_points(body);
}

void CellSurface::choose_points(const VolumetricBody& body) {
    std::vector<std::uint32_t> place(body.point_count());
    std::iota(place.begin(), place.end(), 0u);
    sides_ = sides_of_carriers(bound_, body.corners, place);
    points_ = sides_.points;
    points_.insert(points_.end(), sides_.ends.begin(), sides_.ends.end());
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    for (std::uint32_t k = 0; k < points_.size(); ++k) place[points_[k]] = k;
    for (auto* list : {&sides_.points, &sides_.ends, &bound_.points})
        for (std::uint32_t& point : *list) point = place[point];
    cells_ = pack_cell_carriers(bound_.points, bound_.weights, sides_.points);
}

void CellSurface::place(std::span<const float> places, Vec3d origin, const Surface& out, Workspace& work) const {
    static_assert(embedding::line_floats == cell_floats);
    auto& scratch = work.impl().scratch<CellSurfaceScratch>();
    ThreadPool& pool = work.impl().pool;
    const std::size_t n = points_.size(), vertices = vertex_count();
    const std::span<float> lines = sized(scratch.lines, sides_.points.size() * cell_floats);
    pool.for_ranges(sides_.points.size(), cell_grain, [&](std::size_t begin, std::size_t end, int) {
        embedding::lines_of_places(sides_, n, places, begin, end, lines);
    });
    CellCarry carry = cells_.carry();
    carry.rows = lines.data();
    carry.origin[0] = origin.x, carry.origin[1] = origin.y, carry.origin[2] = origin.z;
    if (!arms_.empty()) {
        const std::span<float> extra = sized(scratch.extra, block_count(vertices) * 3 * skin_block);
        pool.for_ranges(vertices, cell_grain, [&](std::size_t begin, std::size_t end, int) {
            embedding::arms_in_cells(bound_, n, places, h_, arms_, begin, end, extra);
        });
        carry.extra = extra.data();
    }
    const Asked want = asked(out);
    place_in_cells(carry, vertices, want.normals ? normals_.data() : nullptr,
                   want.positions ? floats_of(out.positions) : nullptr, want.normals ? floats_of(out.normals) : nullptr,
                   work);
    if (!want.tangents) return;
    carry.tangents = true;
    const std::span<float> turned = sized(scratch.tangents, 3 * vertices);
    place_in_cells(carry, vertices, tangents_.data(), nullptr, turned.data(), work);
    write_tangents(turned, out.tangents);
}

CellSurface::Asked CellSurface::asked(const Surface& out) const {
    const std::size_t vertices = vertex_count();
    return {out.positions.size() >= vertices, out.normals.size() >= vertices && !normals_.empty(),
            out.tangents.size() >= vertices && !tangents_.empty()};
}

void CellSurface::write_tangents(std::span<const float> turned, std::span<Vec4> out) const {
    for (std::size_t v = 0; v < vertex_count(); ++v)
        out[v] = {turned[3 * v], turned[3 * v + 1], turned[3 * v + 2], handedness_[v]};
}

}  // namespace fascia
