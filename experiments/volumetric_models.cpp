#include "volumetric_models.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "stage.h"

namespace fascia::experiments {

namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// Joints in a row, and how far around each one weights are blended.
struct Chain {
    std::vector<int> joints;
    double blend = 0.5;
};

class Builder {
public:
    int joint(const std::string& name, int parent, Vec3d at, Vec3d tail) {
        const int index = int(c_.joints.size());
        c_.nodes.emplace_back();
        c_.nodes.back().parent = parent;
        c_.nodes.back().translation = parent < 0 ? at : at - translation_of(c_.joints[std::size_t(parent)].rest);
        Joint joint;
        joint.name = name;
        joint.node = index;
        joint.parent = parent;
        joint.rest = compose(at, {}, {1, 1, 1});
        joint.tail = tail;
        c_.joints.push_back(joint);
        return index;
    }

    /// A closed surface around an axis. place: where `along` (0 to 1) and `around` (an angle) lead
    void tube(int rings, int sides, const Chain& chain, const std::function<Vec3d(double, double)>& place) {
        const auto first = std::uint32_t(c_.mesh.positions.size());
        for (int end = 0; end < 2; ++end) {
            Vec3d middle;
            for (int k = 0; k < sides; ++k) middle += place(end, whole_turn * k / sides) * (1.0 / sides);
            vertex(middle, chain);
        }
        for (int r = 0; r < rings; ++r)
            for (int k = 0; k < sides; ++k) vertex(place(double(r) / (rings - 1), whole_turn * k / sides), chain);
        const auto at = [&](int r, int k) { return first + 2 + std::uint32_t(r * sides + k % sides); };
        for (int k = 0; k < sides; ++k) {
            triangle(first, at(0, k + 1), at(0, k));
            triangle(first + 1, at(rings - 1, k), at(rings - 1, k + 1));
            for (int r = 0; r + 1 < rings; ++r) {
                triangle(at(r, k), at(r, k + 1), at(r + 1, k));
                triangle(at(r + 1, k), at(r, k + 1), at(r + 1, k + 1));
            }
        }
    }

    /// A rounded limb from one place to another.
    void limb(int rings, int sides, const Chain& chain, Vec3d from, Vec3d to,
              const std::function<double(double)>& radius) {
        const Vec3d axis = normalized(to - from);
        const Vec3d side = normalized(cross(std::abs(axis.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}, axis));
        const Vec3d other = cross(axis, side);
        tube(rings, sides, chain, [=](double along, double around) {
            // Rounded off at both ends.
            const double end = std::min(along, 1 - along) * 12;
            const double r = radius(along) * std::sqrt(std::max(0.02, end < 1 ? end * (2 - end) : 1.0));
            return from + (to - from) * along + side * (r * std::cos(around)) + other * (r * std::sin(around));
        });
    }

    std::uint32_t vertex(Vec3d at, const Chain& chain) {
        c_.mesh.positions.push_back(to_float(at));
        weights(at, chain);
        return std::uint32_t(c_.mesh.positions.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        c_.mesh.triangles.insert(c_.mesh.triangles.end(), {a, b, c});
    }

    Character finish(const std::string& name) {
        c_.name = name;
        c_.weights.influences = 4;
        std::vector<Vec3d> sums(c_.mesh.positions.size());
        const auto at = [&](std::size_t k) { return to_double(c_.mesh.positions[c_.mesh.triangles[k]]); };
        for (std::size_t t = 0; t < c_.mesh.triangles.size(); t += 3)
            for (std::size_t k = 0; k < 3; ++k)
                sums[c_.mesh.triangles[t + k]] += cross(at(t + 1) - at(t), at(t + 2) - at(t));
        for (const Vec3d sum : sums) c_.mesh.normals.push_back(to_float(normalized(sum, Vec3d{0, 1, 0})));
        return std::move(c_);
    }

private:
    /// From joint to joint along the chain; around each, both share a vertex.
    void weights(Vec3d at, const Chain& chain) {
        std::vector<double> share(chain.joints.size(), 0);
        share[0] = 1;
        for (std::size_t k = 1; k < chain.joints.size(); ++k) {
            const Joint& joint = c_.joints[std::size_t(chain.joints[k])];
            const Vec3d here = translation_of(joint.rest);
            const Vec3d along = normalized(joint.tail - here, Vec3d{0, 1, 0});
            const double x = std::clamp(0.5 + 0.5 * dot(at - here, along) / chain.blend, 0.0, 1.0);
            for (std::size_t e = 0; e < k; ++e) share[e] *= 1 - x;
            share[k] = x;
        }
        std::vector<std::size_t> order(share.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return share[a] > share[b]; });
        double all = 0;
        for (std::size_t k = 0; k < std::min<std::size_t>(4, order.size()); ++k) all += share[order[k]];
        for (std::size_t k = 0; k < 4; ++k) {
            const bool is = k < order.size();
            c_.weights.joints.push_back(is ? std::uint16_t(chain.joints[order[k]]) : std::uint16_t(0));
            c_.weights.weights.push_back(is ? float(share[order[k]] / all) : 0.0f);
        }
    }

    Character c_;
};

/// Rings and sides for about this many vertices, `ratio` times as many rings as sides.
struct Counts {
    int rings, sides;
};
Counts counts(double vertices, double ratio) {
    const int sides = std::max(8, int(std::lround(std::sqrt(vertices / ratio))));
    return {std::max(6, int(std::lround(vertices / sides))), sides};
}

ModelBody long_cube(double detail) {
    Builder b;
    const int low = b.joint("lower", -1, {-4, 0, 0}, {0, 0, 0}), high = b.joint("upper", low, {0, 0, 0}, {4, 0, 0});
    const Counts n = counts(1002 * detail, 2.5);
    b.tube(n.rings, n.sides, {{low, high}, 1}, [](double along, double around) {
        const double x = std::cos(around), y = std::sin(around), size = std::max(std::abs(x), std::abs(y));
        return Vec3d{-4 + 8 * along, 0.8 * x / size, 0.8 * y / size};
    });
    return {"Long cube", b.finish("long cube"), {{"upper", {0, 0, 1}, 90}}, 4800, 1002, 0};
}

/// A trunk with four limbs; girth: of the belly.
ModelBody person(const std::string& name, double vertices, double girth, double limb, bool armed) {
    Builder b;
    const int root = b.joint("hips", -1, {0, 4.2, 0}, {0, 5.5, 0}),
              chest = b.joint("chest", root, {0, 5.5, 0}, {0, 7, 0});
    const int head = b.joint("head", chest, {0, 7.2, 0}, {0, 8.6, 0});
    const double n = vertices / (armed ? 7.5 : 7);
    const Counts trunk = counts(3 * n, 1.2), rest = counts(n, 2);
    b.limb(trunk.rings, trunk.sides, {{root, chest, head}, 0.7}, {0, 3.2, 0}, {0, 8.7, 0}, [girth](double along) {
        const double belly = std::exp(-30 * (along - 0.3) * (along - 0.3)),
                     skull = std::exp(-200 * (along - 0.88) * (along - 0.88));
        return 0.45 + girth * belly + 0.35 * skull;
    });
    for (const double side : {-1.0, 1.0}) {
        const std::string at = side < 0 ? "right " : "left ";
        const int arm = b.joint(at + "arm", chest, {0.8 * side, 6.4, 0}, {2.2 * side, 6.4, 0});
        const int fore = b.joint(at + "forearm", arm, {2.2 * side, 6.4, 0}, {3.7 * side, 6.4, 0});
        b.limb(rest.rings, rest.sides, {{chest, arm, fore}, 0.4}, {0.3 * side, 6.4, 0}, {3.7 * side, 6.4, 0},
               [limb](double along) { return limb * (1.1 - 0.4 * along); });
        const int leg = b.joint(at + "leg", root, {0.6 * side, 3.9, 0}, {0.6 * side, 2, 0});
        const int shin = b.joint(at + "shin", leg, {0.6 * side, 2, 0}, {0.6 * side, 0, 0});
        b.limb(rest.rings, rest.sides, {{root, leg, shin}, 0.4}, {0.6 * side, 4.3, 0}, {0.6 * side, 0, 0},
               [limb](double along) { return 1.3 * limb * (1.1 - 0.4 * along); });
        if (armed && side > 0)
            b.limb(std::max(6, rest.rings / 2), rest.sides, {{fore}, 0.4}, {3.6, 5.6, 0}, {3.6, 9.2, 0},
                   [](double) { return 0.12; });
    }
    return {name,
            b.finish(name),
            {{"left forearm", {0, 0, 1}, 100},
             {"right forearm", {0, 1, 0}, 80},
             {"left shin", {1, 0, 0}, 70},
             {"chest", {0, 1, 0}, 30}},
            0,
            0,
            0.3};
}

ModelBody fat_man(double detail) {
    ModelBody out = person("Fat man", 84888 * detail, 1.5, 0.5, false);
    out.voxels = 5542, out.vertices = 84888;
    return out;
}
ModelBody warrior(double detail) {
    ModelBody out = person("Warrior", 40197 * detail, 0.35, 0.38, true);
    out.voxels = 1108, out.vertices = 40197;
    return out;
}

ModelBody head(double detail) {
    Builder b;
    const int neck = b.joint("neck", -1, {0, -2.5, 0}, {0, -1, 0}),
              skull = b.joint("skull", neck, {0, -1, 0}, {0, 1.6, 0});
    const Counts n = counts(48624 * detail, 1);
    b.limb(n.rings, n.sides, {{neck, skull}, 0.6}, {0, -2.8, 0}, {0, 1.6, 0}, [](double along) {
        return 0.75 + 0.75 * std::exp(-14 * (along - 0.66) * (along - 0.66)) + 0.3 * std::exp(-40 * along * along);
    });
    return {"Head", b.finish("head"), {{"skull", {0, 1, 0}, 60}, {"skull", {1, 0, 0}, 20}}, 18296, 48624, 0.4};
}

ModelBody arm(double detail) {
    Builder b;
    const int upper = b.joint("upper arm", -1, {-4, 0, 0}, {0, 0, 0}),
              fore = b.joint("forearm", upper, {0, 0, 0}, {3.4, 0, 0});
    const int hand = b.joint("hand", fore, {3.4, 0, 0}, {5, 0, 0});
    const Counts n = counts(49874 * detail, 2);
    b.limb(n.rings, n.sides, {{upper, fore, hand}, 0.6}, {-4, 0, 0}, {5, 0, 0}, [](double along) {
        return 0.62 + 0.25 * std::exp(-60 * (along - 0.25) * (along - 0.25)) +
               0.15 * std::exp(-80 * (along - 0.58) * (along - 0.58)) - 0.25 * along;
    });
    return {"Arm", b.finish("arm"), {{"forearm", {0, 0, 1}, 100}, {"hand", {0, 0, 1}, 25}}, 13263, 49874, 0};
}

/// Five columns of seven bits each.
constexpr unsigned char letters[6][5] = {{0x7f, 0x09, 0x09, 0x09, 0x01}, {0x7e, 0x11, 0x11, 0x11, 0x7e},
                                         {0x46, 0x49, 0x49, 0x49, 0x31}, {0x3e, 0x41, 0x41, 0x41, 0x22},
                                         {0x00, 0x41, 0x7f, 0x41, 0x00}, {0x7e, 0x11, 0x11, 0x11, 0x7e}};

/// 1 on a letter: x from 0 to 1 along the card, y from 0 to 1 up.
double embossed(double x, double y) {
    const double column = (x - 0.08) / 0.84 * 36, row = (0.78 - y) / 0.56 * 7;
    if (column < 0 || column >= 36 || row < 0 || row >= 7) return 0;
    const int letter = int(column) / 6, across = int(column) % 6;
    return across < 5 && (letters[letter][across] >> int(row) & 1) != 0 ? 1 : 0;
}

ModelBody name_card(double detail) {
    Builder b;
    const int left = b.joint("left", -1, {-4, 0, 0}, {0, 0, 0}), right = b.joint("right", left, {0, 0, 0}, {4, 0, 0});
    const Chain chain{{left, right}, 1.6};
    const int rows = std::max(10, int(std::lround(std::sqrt(130340 * detail / 5)))), columns = int(2.5 * rows);
    std::vector<std::uint32_t> grid;
    for (int front = 0; front < 2; ++front)
        for (int i = 0; i < columns; ++i)
            for (int j = 0; j < rows; ++j) {
                const double x = double(i) / (columns - 1), y = double(j) / (rows - 1);
                grid.push_back(
                    b.vertex({-4 + 8 * x, -1.6 + 3.2 * y, front == 0 ? -0.15 : 0.15 + 0.12 * embossed(x, y)}, chain));
            }
    const auto at = [&](int front, int i, int j) { return grid[std::size_t((front * columns + i) * rows + j)]; };
    const auto quad = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
        b.triangle(p, q, r), b.triangle(p, r, s);
    };
    for (int i = 0; i + 1 < columns; ++i) {
        for (int j = 0; j + 1 < rows; ++j) {
            quad(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
            quad(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
        }
        quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
        quad(at(0, i + 1, rows - 1), at(0, i, rows - 1), at(1, i, rows - 1), at(1, i + 1, rows - 1));
    }
    for (int j = 0; j + 1 < rows; ++j) {
        quad(at(0, 0, j + 1), at(0, 0, j), at(1, 0, j), at(1, 0, j + 1));
        quad(at(0, columns - 1, j), at(0, columns - 1, j + 1), at(1, columns - 1, j + 1), at(1, columns - 1, j));
    }
    return {"Name card", b.finish("name card"), {{"right", {0, 1, 0}, -90}}, 10849, 130340, 0.3};
}

ModelBody mushroom(double detail) {
    Builder b;
    const int stem = b.joint("stem", -1, {0, 0, 0}, {0, 2, 0}), cap = b.joint("cap", stem, {0, 2, 0}, {0, 4.4, 0});
    const Counts n = counts(131304 * detail, 1);
    b.limb(n.rings, n.sides, {{stem, cap}, 1}, {0, 0, 0}, {0, 4.4, 0}, [](double along) {
        return 0.75 + (along > 0.6 ? 1.6 * std::sin(std::numbers::pi * std::min(1.0, (along - 0.6) / 0.38)) : 0.0);
    });
    return {"Mushroom", b.finish("mushroom"), {{"cap", {0, 1, 0}, 135}}, 16408, 131304, 0.3};
}

ModelBody tree(double detail) {
    Builder b;
    const int trunk = b.joint("trunk", -1, {0, 0, 0}, {0, 3, 0}), top = b.joint("top", trunk, {0, 3, 0}, {0, 6, 0});
    const double total = 11645 * detail;
    const Counts stem = counts(0.4 * total, 2);
    b.limb(stem.rings, stem.sides, {{trunk, top}, 1.2}, {0, 0, 0}, {0, 6, 0},
           [](double along) { return 0.55 - 0.35 * along; });
    constexpr int leaves = 12;
    const Counts leaf = counts(0.6 * total / leaves, 1);
    for (int k = 0; k < leaves; ++k) {
        const double height = 2.6 + 3.2 * k / (leaves - 1), turn = 2.4 * k, reach = 2.2 - 1.2 * k / (leaves - 1);
        const Vec3d out{std::cos(turn), 0.35, std::sin(turn)}, aside{-std::sin(turn), 0, std::cos(turn)};
        const Vec3d from{0, height, 0};
        // Thin: a sixth of a voxel.
        b.tube(leaf.rings, leaf.sides, {{trunk, top}, 1.2}, [=](double along, double around) {
            const double wide = 0.45 * std::sin(std::numbers::pi * std::min(1.0, 0.05 + 0.93 * along));
            return from + out * (reach * along) + aside * (wide * std::cos(around)) +
                   Vec3d{0, 0.04 * std::sin(around), 0};
        });
    }
    return {"Tree", b.finish("tree"), {{"top", {0, 0, 1}, 70}}, 3261, 11645, 0.2};
}

}  // namespace

std::vector<ModelBody> model_bodies(double detail) {
    std::vector<ModelBody> out;
    for (const auto make : {long_cube, fat_man, warrior, head, arm, name_card, mushroom, tree})
        out.push_back(make(detail));
    return out;
}

ModelBody model_named(const std::string& name, double detail) {
    for (ModelBody& body : model_bodies(detail))
        if (body.name == name) return std::move(body);
    must(input_error("there is no model '" + name + "'"));
    return {};
}

std::vector<Affine> pose_of(const ModelBody& body, double share) {
    std::vector<Turn> turns = body.turns;
    for (Turn& turn : turns) turn.degrees *= share;
    return turned(body.character, turns);
}

int resolution_of(const ModelBody& body, double share) {
    const double wanted = share * double(body.voxels);
    double resolution = 24;
    for (int round = 0; round < 3; ++round) {
        VolumetricArapSettings settings;
        settings.resolution = int(std::lround(resolution));
        const std::size_t voxels = dressed(body.character, settings)->inside()->point_cells().size() / 8;
        resolution = std::clamp(settings.resolution * std::cbrt(wanted / double(voxels)), 6.0, 160.0);
    }
    return int(std::lround(resolution));
}

}  // namespace fascia::experiments
