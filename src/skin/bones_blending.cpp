#include "skin/bones_blending.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/portable_math.h"
#include "skin/bound_weights.h"

namespace fascia {

namespace {

/// Up to this far beyond half a turn, a joint keeps its direction of turning.
constexpr double beyond_half_turn = 20 * portable::pi / 180;
/// Rounding errors that files written in float leave in matrices meant to be rigid.
constexpr double file_noise = 1e-5;

using Matrix = double[3][3];

struct AxisAngle {
    Vec3d axis;
    double angle = 0;
};

AxisAngle axis_angle(Quat q, const JointTurn* last) {
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    const Vec3d v{q.x, q.y, q.z};
    const double l = length(v);
    if (l < 1e-9) return {};
    AxisAngle out{v * (1 / l), 2 * portable::arc_tangent(l, q.w)};
    if (last == nullptr || out.angle < portable::pi - beyond_half_turn) return out;
    const Vec3d before{last->axis[0], last->axis[1], last->axis[2]};
    if (dot(before, out.axis) < 0) out = {-out.axis, 2 * portable::pi - out.angle};
    return out;
}

/// Whether the columns are orthonormal, up to the noise of files.
bool is_rotation(const Affine& a) {
    double worst = 0;
    for (int c = 0; c < 3; ++c)
        for (int d = 0; d <= c; ++d) {
            const double product = a.m[0][c] * a.m[0][d] + a.m[1][c] * a.m[1][d] + a.m[2][c] * a.m[2][d];
            worst = std::max(worst, std::abs(product - (c == d ? 1.0 : 0.0)));
        }
    return worst <= 2 * file_noise;
}

void write(Vec3d v, float* out) {
    out[0] = static_cast<float>(v.x), out[1] = static_cast<float>(v.y), out[2] = static_cast<float>(v.z);
}

/// cof(A) of a 3x3 by rows.
void cofactors(const Matrix& m, Matrix& out) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
}

void multiply(const Matrix& a, const Matrix& b, Matrix& out) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
}

void write(const Matrix& m, float* out) {
    for (int k = 0; k < 9; ++k) out[k] = static_cast<float>(m[k / 3][k % 3]);
}

/// m, m [axis], m [axis]^2.
void write_turn(const Matrix& m, const float* axis, float (&out)[3][9]) {
    const Matrix across = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
    Matrix once, twice;
    multiply(m, across, once);
    multiply(once, across, twice);
    write(m, out[0]);
    write(once, out[1]);
    write(twice, out[2]);
}

BlendFrame frame_of(const JointTurn& turn, const Affine& parent_map, Vec3d at, Vec3 origin) {
    BlendFrame frame{};
    frame.half_angle = 0.5f * turn.angle;
    Matrix linear, cofactor, stretch;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            linear[r][c] = parent_map.m[r][c];
            frame.stretch[3 * r + c] = turn.stretch[3 * r + c];
            frame.stretched = frame.stretched || turn.stretch[3 * r + c] != 0;
            stretch[r][c] = turn.stretch[3 * r + c] + (r == c ? 1.0 : 0.0);
        }
    write_turn(linear, turn.axis, frame.turn);
    const bool parent_is_rigid = is_rotation(parent_map);
    frame.even = parent_is_rigid || !scales_unevenly({&parent_map, 1});
    frame.rigid = parent_is_rigid && !frame.stretched;
    if (!frame.even) {
        cofactors(linear, cofactor);
        write_turn(cofactor, turn.axis, frame.normal_turn);
    }
    write(transform_point(parent_map, at) - to_double(origin), frame.at);
    write(transform_vector(parent_map, {turn.shift[0], turn.shift[1], turn.shift[2]}), frame.shift);
    if (!frame.stretched) return frame;
    cofactors(stretch, cofactor);
    for (int k = 0; k < 9; ++k)
        frame.cofactor[k] = static_cast<float>(cofactor[k / 3][k % 3] - (k % 4 == 0 ? 1.0 : 0.0));
    return frame;
}

template <class Vector>
void put(Floats& channels, std::size_t block, std::size_t lane, const Vector& v) {
    channels[48 * block + lane] = v.x;
    channels[48 * block + 16 + lane] = v.y;
    channels[48 * block + 32 + lane] = v.z;
}

/// Normalised as in skinning; (0, 1, 0) for a zero vector.
Vec3 unit(Vec3 v) {
    return to_float(normalized(to_double(v), {0, 1, 0}));
}

bool is_row(std::span<const BlendedVertex> vertices) {
    return vertices.size() == skin_block && vertices.back().vertex - vertices[0].vertex == skin_block - 1;
}

/// Puts full blocks of consecutive vertices first, because they are written at once; the others keep their order.
/// vertices: ascending
void rows_first(std::vector<BlendedVertex>& vertices) {
    std::vector<BlendedVertex> rows, others;
    for (std::size_t i = 0; i < vertices.size();) {
        const std::span<const BlendedVertex> next(&vertices[i], std::min(skin_block, vertices.size() - i));
        const bool row = is_row(next);
        const std::size_t taken = row ? skin_block : 1;
        (row ? rows : others).insert((row ? rows : others).end(), next.begin(), next.begin() + std::ptrdiff_t(taken));
        i += taken;
    }
    vertices = std::move(rows);
    vertices.insert(vertices.end(), others.begin(), others.end());
}

struct BlendScratch {
    std::vector<BlendFrame, AlignedAllocator<BlendFrame>> frames;  ///< [joints]
};

constexpr std::uint32_t no_joint = 0xffffffff;

}  // namespace

/// [Kavan 2003, eq. 4]
JointTurn joint_turn(const Affine& inverse_parent_map, const Affine& map, Vec3d at, const JointTurn* last) {
    const Affine relative = inverse_parent_map * map;
    JointTurn turn;
    const auto set_turn = [&](const Affine& rotation) {
        const AxisAngle turned = axis_angle(quat_from_matrix(rotation), last);
        write(turned.axis, turn.axis);
        turn.angle = static_cast<float>(turned.angle);
    };
    write(transform_point(relative, at) - at, turn.shift);
    if (is_rotation(relative)) {
        set_turn(relative);
        return turn;
    }
    const Polar parts = polar(relative);
    set_turn(parts.rotation);
    for (int k = 0; k < 9; ++k)
        turn.stretch[k] = static_cast<float>(parts.stretch.m[k / 3][k % 3] - (k % 4 == 0 ? 1.0 : 0.0));
    return turn;
}

/// [Kavan 2003, eq. 1]
BonesBlending::BonesBlending(const BlendSource& surface, std::span<const BlendedJoint> joints) {
    for (const Affine& r : surface.rest) inverse_rest_.push_back(inverse(r));
    for (const BlendedJoint& joint : joints) {
        joints_.push_back({joint.joint, joint.parent, joint.at});
        vertices_ += joint.vertices.size();
        // Vertices that fade also read the skinned surface; kept apart, they do not slow the others down.
        std::vector<BlendedVertex> whole, faded;
        for (const BlendedVertex& v : joint.vertices) (v.fade < 1 ? faded : whole).push_back(v);
        rows_first(whole);
        for (const std::vector<BlendedVertex>* list : {&whole, &faded})
            for (std::size_t first = 0; first < list->size(); first += skin_block)
                add_block(surface, joint.at, {list->data() + first, std::min(skin_block, list->size() - first)});
    }
}

void BonesBlending::add_block(const BlendSource& surface, Vec3d at, std::span<const BlendedVertex> vertices) {
    const std::size_t block = blocks_.size();
    bool at_end = false;
    for (const BlendedVertex& v : vertices) at_end = at_end || v.vertex + 1 == surface.positions.size();
    const BlendKind faded = at_end ? BlendKind::faded_at_end : BlendKind::faded;
    blocks_.push_back({static_cast<std::uint16_t>(joints_.size() - 1), vertices[0].fade < 1 ? faded
                                                                       : is_row(vertices)   ? BlendKind::row
                                                                                            : BlendKind::scattered});
    indices_.resize(16 * (block + 1));
    shares_.resize(32 * (block + 1));
    positions_.resize(48 * (block + 1));
    if (!surface.normals.empty()) normals_.resize(48 * (block + 1));
    if (!surface.tangents.empty()) tangents_.resize(48 * (block + 1));
    for (std::size_t lane = 0; lane < skin_block; ++lane) {
        const BlendedVertex& v = vertices[std::min(lane, vertices.size() - 1)];
        indices_[16 * block + lane] = v.vertex;
        shares_[32 * block + lane] = v.t;
        shares_[32 * block + 16 + lane] = v.fade;
        put(positions_, block, lane, to_float(to_double(surface.positions[v.vertex]) - at));
        if (!surface.normals.empty()) put(normals_, block, lane, unit(surface.normals[v.vertex]));
        if (!surface.tangents.empty()) put(tangents_, block, lane, surface.tangents[v.vertex]);
    }
}

/// [Kavan 2003, eq. 3]
void BonesBlending::find_turns(std::span<const Affine> pose, std::span<const Affine> last,
                               std::span<JointTurn> turns) const {
    const auto rests = [&](std::uint32_t j) { return std::memcmp(&pose[j], &last[j], sizeof(Affine)) == 0; };
    Affine inverse_parent;
    std::uint32_t inverted = no_joint;  // siblings follow one another and share it
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const Joint& joint = joints_[k];
        if (!last.empty() && rests(joint.joint) && rests(joint.parent)) continue;
        if (joint.parent != inverted) inverse_parent = inverse(pose[joint.parent] * inverse_rest_[joint.parent]);
        inverted = joint.parent;
        const JointTurn before = turns[k];
        turns[k] = joint_turn(inverse_parent, pose[joint.joint] * inverse_rest_[joint.joint], joint.at,
                              last.empty() ? nullptr : &before);
    }
}

void BonesBlending::apply(std::span<const Affine> pose, std::span<const JointTurn> turns, const Surface& out,
                          Workspace& work) const {
    if (blocks_.empty()) return;
    auto& frames = work.impl().scratch<BlendScratch>().frames;
    if (frames.size() < joints_.size()) frames.resize(joints_.size());
    BlendTask task;
    const Vec3 origin = to_float(translation_of(pose[0]));
    task.origin[0] = origin.x, task.origin[1] = origin.y, task.origin[2] = origin.z;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const Joint& joint = joints_[k];
        frames[k] = frame_of(turns[k], pose[joint.parent] * inverse_rest_[joint.parent], joint.at, origin);
    }
    task.indices = indices_.data();
    task.blocks = blocks_.data();
    task.frames = frames.data();
    task.shares = shares_.data();
    const auto pointer = [](auto span) { return reinterpret_cast<float*>(span.data()); };
    if (!out.positions.empty()) task.positions = positions_.data(), task.out_positions = pointer(out.positions);
    if (!out.normals.empty() && !normals_.empty())
        task.normals = normals_.data(), task.out_normals = pointer(out.normals);
    if (!out.tangents.empty() && !tangents_.empty())
        task.tangents = tangents_.data(), task.out_tangents = pointer(out.tangents);
    constexpr std::size_t grain = 16;
    work.impl().pool.for_ranges(blocks_.size(), grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(blend_blocks)(task, begin, end);
    });
}

}  // namespace fascia
