#include "voxel_solids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "embed/best_rotation.h"

namespace fascia::experiments {

VoxelRig::VoxelRig(const ModelBody& body, int resolution, const char* embed) : body_(&body) {
    VolumetricArapSettings settings;
    settings.resolution = resolution;
    settings.rounds = 0;  // skinning alone
    BindInputs inputs;
    inputs.embed.how = embed;
    rig_ = dressed(body.character, settings, inputs);
    state_ = make_state(*rig_);
}

Voxels VoxelRig::skinned(double share) {
    Voxels out;
    const Inside& inside = *rig_->inside();
    out.edge = inside.point_spacing();
    out.cells = inside.point_cells();
    for (const std::uint8_t layer : inside.point_layers()) out.held.push_back(layer == 0);
    std::vector<Vec3> points(rig_->point_count());
    const auto in_edges = [&](const State& state) {
        inside.point_positions(state, points, work_);
        std::vector<Vec3d> places;
        for (const Vec3 p : points) places.push_back(to_double(p) * (1 / out.edge));
        return places;
    };
    out.rest = in_edges(make_state(*rig_));
    reset(*rig_, pose_of(*body_, share), state_, work_);
    out.now = in_edges(state_);
    return out;
}

Held VoxelRig::carried(const Voxels& voxels) {
    const std::size_t n = voxels.now.size();
    const Affine back = inverse(state_.frame);
    for (std::size_t p = 0; p < n; ++p) {
        const Vec3d at = transform_point(back, voxels.now[p] * voxels.edge);
        state_.positions[p] = float(at.x), state_.positions[n + p] = float(at.y),
        state_.positions[2 * n + p] = float(at.z);
    }
    Held out;
    out.positions.resize(rig_->vertex_count());
    out.normals.resize(rig_->vertex_count());
    embed(*rig_, state_, {out.positions, out.normals, {}}, work_);
    return out;
}

namespace {

// ---- finite elements -----------------------------------------------------------------------------------------------
/// Of a Young's modulus of 1.
constexpr double poisson = 0.45, lambda = poisson / ((1 + poisson) * (1 - 2 * poisson)), mu = 0.5 / (1 + poisson);
/// From one corner of a cell to the opposite one along its edges: six tetrahedra.
constexpr int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};

/// The energy, and its gradient. On a path, each edge is a column of the deformation gradient.
double elastic_energy(const Voxels& v, const std::vector<Vec3d>& x, std::vector<Vec3d>& gradient) {
    std::fill(gradient.begin(), gradient.end(), Vec3d{});
    double sum = 0;
    for (std::size_t c = 0; c < v.cells.size(); c += 8)
        for (const auto& path : paths) {
            std::uint32_t nodes[4] = {v.cells[c], 0, 0, v.cells[c + 7]};
            nodes[1] = v.cells[c + (1u << path[0])];
            nodes[2] = v.cells[c + (1u << path[0] | 1u << path[1])];
            Vec3d f[3];
            for (int k = 0; k < 3; ++k) f[k] = x[nodes[k + 1]] - x[nodes[k]];
            double strain[3][3], trace = 0, square = 0;
            for (int r = 0; r < 3; ++r)
                for (int k = 0; k < 3; ++k) {
                    strain[r][k] = 0.5 * (dot(f[r], f[k]) - (r == k ? 1 : 0));
                    square += strain[r][k] * strain[r][k];
                    if (r == k) trace += strain[r][k];
                }
            sum += (mu * square + 0.5 * lambda * trace * trace) / 6;
            for (int k = 0; k < 3; ++k) {
                Vec3d stress = f[k] * (lambda * trace);
                for (int r = 0; r < 3; ++r) stress += f[r] * (2 * mu * strain[r][k]);
                gradient[nodes[k + 1]] += stress * (1 / 6.0);
                gradient[nodes[k]] += stress * (-1 / 6.0);
            }
        }
    for (std::size_t p = 0; p < x.size(); ++p)
        if (v.held[p]) gradient[p] = {};
    return sum;
}

double product(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double out = 0;
    for (std::size_t k = 0; k < a.size(); ++k) out += dot(a[k], b[k]);
    return out;
}

/// Limited memory BFGS: the last few steps stand for the curvature.
void minimise(const Voxels& v, int iterations, std::vector<Vec3d>& x) {
    constexpr std::size_t memory = 8;
    struct Step {
        std::vector<Vec3d> moved, changed;
        double inverse = 0;
    };
    std::vector<Step> steps;
    std::vector<Vec3d> gradient(x.size()), next_gradient(x.size());
    double energy = elastic_energy(v, x, gradient);
    for (int k = 0; k < iterations; ++k) {
        std::vector<Vec3d> way = gradient;
        std::vector<double> taken(steps.size());
        for (std::size_t s = steps.size(); s-- > 0;) {
            taken[s] = steps[s].inverse * product(steps[s].moved, way);
            for (std::size_t p = 0; p < way.size(); ++p) way[p] += steps[s].changed[p] * -taken[s];
        }
        const double scale =
            steps.empty() ? 0.2 : 1 / (steps.back().inverse * product(steps.back().changed, steps.back().changed));
        for (Vec3d& w : way) w = w * scale;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            const double back = taken[s] - steps[s].inverse * product(steps[s].changed, way);
            for (std::size_t p = 0; p < way.size(); ++p) way[p] += steps[s].moved[p] * back;
        }
        const double slope = -product(gradient, way);
        if (!(slope < 0)) break;
        std::vector<Vec3d> next(x.size());
        double share = 1, next_energy = energy;
        bool better = false;
        for (int half = 0; half < 20 && !better; ++half, share *= 0.5) {
            for (std::size_t p = 0; p < x.size(); ++p) next[p] = x[p] + way[p] * -share;
            next_energy = elastic_energy(v, next, next_gradient);
            better = next_energy <= energy + 1e-4 * share * slope;
        }
        if (!better) break;
        Step step;
        for (std::size_t p = 0; p < x.size(); ++p) {
            step.moved.push_back(next[p] - x[p]);
            step.changed.push_back(next_gradient[p] - gradient[p]);
        }
        const double along = product(step.moved, step.changed);
        if (along > 0) {
            step.inverse = 1 / along;
            steps.push_back(std::move(step));
            if (steps.size() > memory) steps.erase(steps.begin());
        }
        const bool at_rest = energy - next_energy < 1e-7 * energy;
        x = next, gradient = next_gradient, energy = next_energy;
        if (at_rest) break;
    }
}

// ---- rigid cells ---------------------------------------------------------------------------------------------------
struct RigidCell {
    Quat turn;
    Vec3d middle, now;  ///< at rest, and where it is

    Vec3d taken(Vec3d p) const { return now + rotate(turn, p - middle); }
};

/// The cell on each side of each one (-x +x -y +y -z +z), or itself.
std::vector<std::uint32_t> cells_beside(const Voxels& v) {
    std::map<std::array<std::uint32_t, 4>, std::vector<std::uint32_t>> faces;
    const auto face = [&](std::size_t cell, int axis, int upper) {
        std::array<std::uint32_t, 4> out{};
        std::size_t count = 0;
        for (int corner = 0; corner < 8; ++corner)
            if ((corner >> axis & 1) == upper) out[count++] = v.cells[8 * cell + std::size_t(corner)];
        std::sort(out.begin(), out.end());
        return out;
    };
    const std::size_t count = v.cells.size() / 8;
    for (std::uint32_t cell = 0; cell < count; ++cell)
        for (int side = 0; side < 6; ++side) faces[face(cell, side / 2, side % 2)].push_back(cell);
    std::vector<std::uint32_t> out;
    for (std::uint32_t cell = 0; cell < count; ++cell)
        for (int side = 0; side < 6; ++side) {
            const auto& both = faces[face(cell, side / 2, side % 2)];
            out.push_back(both.size() == 2 ? both[0] + both[1] - cell : cell);
        }
    return out;
}

/// Points at which a polynomial of a face is summed up exactly. [4]
std::array<Vec3d, 4> face_points(Vec3d middle, int side) {
    const double h = 0.5 / std::sqrt(3.0);
    std::array<Vec3d, 4> out;
    for (int k = 0; k < 4; ++k) {
        double off[3] = {};
        off[side / 2] = side % 2 == 1 ? 0.5 : -0.5;
        off[(side / 2 + 1) % 3] = (k & 1) != 0 ? h : -h;
        off[(side / 2 + 2) % 3] = (k & 2) != 0 ? h : -h;
        out[std::size_t(k)] = middle + Vec3d{off[0], off[1], off[2]};
    }
    return out;
}

/// The rigid motion that takes points nearest to where they are wanted.
void fit(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to, RigidCell& cell) {
    Vec3d before, after;
    for (std::size_t k = 0; k < from.size(); ++k)
        before += from[k] * (1 / double(from.size())), after += to[k] * (1 / double(from.size()));
    embedding::Covariance sum;
    for (std::size_t k = 0; k < from.size(); ++k) sum.add(from[k] - before, to[k] - after);
    cell.turn = embedding::best_rotation(sum);
    cell.now = after + rotate(cell.turn, cell.middle - before);
}

}  // namespace

/// [Luo 2016, table 3]
Voxels saint_venant_kirchhoff(VoxelRig& rig, int steps, int iterations) {
    Voxels out = rig.skinned(0);
    std::vector<Vec3d> last = out.now, x = out.now;
    for (int step = 1; step <= steps; ++step) {
        const Voxels next = rig.skinned(double(step) / steps);
        for (std::size_t p = 0; p < x.size(); ++p) x[p] += next.now[p] - last[p];
        last = next.now;
        minimise(out, iterations, x);
    }
    out.now = x;
    return out;
}

/// [Luo 2016, fig. 4]
Voxels rigid_cells(VoxelRig& rig, int sweeps) {
    Voxels out = rig.skinned(1);
    const std::size_t count = out.cells.size() / 8;
    const std::vector<std::uint32_t> beside = cells_beside(out);
    std::vector<RigidCell> cells(count);
    std::vector<std::uint8_t> held(count, 1);
    std::vector<Vec3d> from, to;
    for (std::size_t c = 0; c < count; ++c) {
        from.clear(), to.clear();
        for (std::size_t k = 8 * c; k < 8 * c + 8; ++k) {
            const std::uint32_t p = out.cells[k];
            from.push_back(out.rest[p]), to.push_back(out.now[p]);
            cells[c].middle += out.rest[p] * 0.125;
            held[c] &= out.held[p];
        }
        fit(from, to, cells[c]);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t c = 0; c < count; ++c) {
            if (held[c]) continue;
            from.clear(), to.clear();
            for (std::size_t side = 0; side < 6; ++side) {
                const std::uint32_t other = beside[6 * c + side];
                if (other == c) continue;
                for (const Vec3d p : face_points(cells[c].middle, int(side)))
                    from.push_back(p), to.push_back(cells[other].taken(p));
            }
            if (!from.empty()) fit(from, to, cells[c]);
        }
    std::vector<Vec3d> sums(out.now.size());
    std::vector<double> shares(out.now.size(), 0);
    for (std::size_t k = 0; k < out.cells.size(); ++k) {
        sums[out.cells[k]] += cells[k / 8].taken(out.rest[out.cells[k]]);
        shares[out.cells[k]] += 1;
    }
    for (std::size_t p = 0; p < sums.size(); ++p)
        if (!out.held[p] && shares[p] > 0) out.now[p] = sums[p] * (1 / shares[p]);
    return out;
}

}  // namespace fascia::experiments
