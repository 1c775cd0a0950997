// A small lattice for the tests of the step, and everything about it in double, written independently from the
// equations.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "fascia/math.h"
#include "sim/segment_reference.h"

namespace fascia::test {

struct Block {
    std::vector<std::array<int, 3>> cells;
    double h = 0.1;
    std::size_t stride = 0;
    std::vector<std::uint32_t> points;
    std::vector<float> rest, weights, softness, volume_weight, mass, region;
    std::vector<std::uint16_t> joints;
    std::vector<std::int32_t> neighbours;
    std::vector<std::uint32_t> member_first{0}, members, owner_first{0}, owners;

    // tuning
    std::vector<float> alpha, beta, drive, lag, limit, match, stretch, volume_share;
    double dt = 1.0 / 240;

    // arrays
    std::vector<float> driven, turned, last_driven, last_speed, positions, velocities, rotations, push, offset, other,
        gradients, transforms;

    int find(std::array<int, 3> c) const {
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] == c) return int(i);
        return -1;
    }

    /// Cells of an L with a piece missing, or whatever `keep` selects of an n^3 block; bone where `bone` says so.
    template <class Keep, class Bone>
    Block(int n, Keep&& keep, Bone&& bone) {
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x)
                    if (keep(x, y, z)) cells.push_back({x, y, z});
        const std::size_t count = cells.size();
        stride = (count + 15) / 16 * 16;
        for (auto* v :
             {&softness, &volume_weight, &mass, &alpha, &beta, &drive, &limit, &match, &stretch, &volume_share})
            v->assign(stride, 0);
        rest.assign(3 * stride, 0);
        weights.assign(4 * stride, 0);
        joints.assign(4 * stride, 0);
        region.assign(5 * stride, 0);
        neighbours.assign(27 * stride, -1);
        for (std::size_t i = 0; i < count; ++i) {
            points.push_back(std::uint32_t(i));
            for (std::size_t c = 0; c < 3; ++c) rest[c * stride + i] = float((cells[i][c] - 0.5 * n) * h);
            weights[i] = 1;
            softness[i] = bone(cells[i][0], cells[i][1], cells[i][2]) ? 0.0f : 1.0f;
            volume_weight[i] = softness[i] * (0.3f + 0.1f * float(i % 7));
            for (int k = 0; k < 27; ++k)
                neighbours[27 * i + k] =
                    find({cells[i][0] + k % 3 - 1, cells[i][1] + k / 3 % 3 - 1, cells[i][2] + k / 9 - 1});
            for (int k = 0; k < 27; ++k)
                if (neighbours[27 * i + k] >= 0) members.push_back(std::uint32_t(neighbours[27 * i + k]));
            member_first.push_back(std::uint32_t(members.size()));
            alpha[i] = 0.98f;
            beta[i] = float(0.97 * dt);
            drive[i] = 0.8f;
            limit[i] = float(2 * h);
            match[i] = 0.3f;
            stretch[i] = 0.5f;
            volume_share[i] = 1;
        }
        member_first.resize(stride + 1, member_first.back());
        owner_first = member_first;  // the relation is mutual
        owners = members;
        for (std::size_t i = 0; i < count; ++i) mass[i] = 1.0f / float(owner_first[i + 1] - owner_first[i]);
        for (std::size_t r = 0; r < count; ++r) {
            double m = 0, o[3] = {};
            for (std::uint32_t k = member_first[r]; k < member_first[r + 1]; ++k) {
                m += mass[members[k]];
                for (std::size_t c = 0; c < 3; ++c) o[c] += mass[members[k]] * (cells[members[k]][c] - cells[r][c]);
            }
            region[r] = float(1 / m);
            for (std::size_t c = 0; c < 3; ++c) region[(1 + c) * stride + r] = float(o[c] / m);
            region[4 * stride + r] = 0.02f;
        }
        driven = last_driven = positions = rest;
        for (auto* v : {&last_speed, &velocities, &offset, &other}) v->assign(3 * stride, 0);
        turned.assign(4 * stride, 0);
        std::fill(turned.begin(), turned.begin() + std::ptrdiff_t(stride), 1.0f);
        rotations = turned;
        gradients.assign(9 * stride, 0);
        transforms.assign(12 * stride, 0);
    }

    void shake(unsigned seed, double amount) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> by(-1, 1);
        for (const std::size_t i : points)
            for (std::size_t c = 0; c < 3; ++c) positions[c * stride + i] += float(amount * h) * by(random);
    }

    sim::ReferenceBody rig() const {
        return {stride,        points,       float(h), rest,        joints, weights, neighbours, softness,
                volume_weight, member_first, members,  owner_first, owners, mass,    region};
    }
    sim::ReferenceTuning tuning() const {
        return {float(dt), alpha, beta, drive, lag, limit, match, stretch, volume_share};
    }
    sim::ReferenceArrays arrays() {
        return {.driven = driven,
                .turned = turned,
                .last_driven = last_driven,
                .last_speed = last_speed,
                .positions = positions,
                .velocities = velocities,
                .rotations = rotations,
                .push = push,
                .offset = offset,
                .other = other,
                .gradients = gradients,
                .transforms = transforms};
    }
    Vec3d at(const std::vector<float>& v, std::size_t i) const { return {v[i], v[stride + i], v[2 * stride + i]}; }
};

inline Block l_shape() {
    return Block(
        5, [](int x, int y, int z) { return (x < 2 || y < 2 || z == 4) && !(x == 3 && y == 1 && z == 2); },
        [](int x, int y, int z) { return x == 0 && y == 0 && z < 3; });
}

}  // namespace fascia::test
