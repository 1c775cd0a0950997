// What lies under the skin of the bust: closed bones, muscles of the published size, all of it inside.
#include <cmath>
#include <map>
#include <set>

#include "bundled_body.h"
#include "fascia/anatomy_scene.h"
#include "lattice/nearest.h"

namespace fascia::test {
namespace {

const AnatomyScene& scene() {
    return *bundled("neck").scene;
}
const AnatomyScene::Body& body(const std::string& name) {
    for (const AnatomyScene::Body& b : scene().bodies)
        if (b.name == name) return b;
    ADD_FAILURE() << "no body " << name;
    return scene().bodies.front();
}
const AnatomyScene::Muscle& muscle(const std::string& name) {
    for (const AnatomyScene::Muscle& m : scene().muscles)
        if (m.name == name) return m;
    ADD_FAILURE() << "no muscle " << name;
    return scene().muscles.front();
}

/// Winding numbers by rays along z: triangles are sorted into columns, so that a ray meets only a few.
class Winding {
public:
    Winding(const std::vector<Vec3d>& points, const std::vector<std::uint32_t>& triangles) {
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            const Triangle corners{points[triangles[t]], points[triangles[t + 1]], points[triangles[t + 2]]};
            Box box;
            for (const Vec3d& p : corners) box.add(p);
            for (int x = column(box.low.x); x <= column(box.high.x); ++x)
                for (int y = column(box.low.y); y <= column(box.high.y); ++y) columns_[{x, y}].push_back(corners);
        }
    }
    int at(Vec3d p) const {
        p = p + Vec3d{1.7e-7, 2.3e-7, 0};  // past edges and corners
        const auto found = columns_.find({column(p.x), column(p.y)});
        if (found == columns_.end()) return 0;
        int winding = 0;
        for (const Triangle& t : found->second) {
            const double whole = area(t[0], t[1], t[2]);
            const double a = area(p, t[1], t[2]) / whole, b = area(t[0], p, t[2]) / whole, c = 1 - a - b;
            if (whole == 0 || a < 0 || b < 0 || c < 0) continue;
            if (a * t[0].z + b * t[1].z + c * t[2].z > p.z) winding += whole > 0 ? 1 : -1;
        }
        return winding;
    }

private:
    using Triangle = std::array<Vec3d, 3>;
    static int column(double x) { return static_cast<int>(std::floor(x / 0.01)); }
    static double area(Vec3d a, Vec3d b, Vec3d c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
    std::map<std::pair<int, int>, std::vector<Triangle>> columns_;
};

TEST(NeckAnatomy, HasTheBonesOfANeck) {
    std::vector<std::string> names;
    for (const AnatomyScene::Body& b : scene().bodies) names.push_back(b.name);
    EXPECT_EQ(names, (std::vector<std::string>{"base", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "skull", "jaw",
                                               "hyoid", "thyroid", "cricoid"}));
    for (const AnatomyScene::Body& b : scene().bodies) {
        SCOPED_TRACE(b.name);
        EXPECT_GE(joint_index(bundled("neck"), b.joint), 0);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
        const auto& t = b.solid.triangles;
        for (std::size_t i = 0; i < t.size(); i += 3)
            for (std::size_t k = 0; k < 3; ++k) ++edges[{t[i + k], t[i + (k + 1) % 3]}];
        for (const auto& [edge, count] : edges) {
            ASSERT_EQ(count, 1);
            ASSERT_EQ(edges.count({edge.second, edge.first}), 1u) << "open";
        }
        EXPECT_GT(signed_volume(b.solid.points, t), 1e-6) << "cubic metres";
    }
    // Of an adult, in kilograms: the head with what it holds, and a vertebra.
    const auto mass = [](const AnatomyScene::Body& b) {
        return b.density * signed_volume(b.solid.points, b.solid.triangles);
    };
    EXPECT_NEAR(mass(body("skull")), 2.8, 0.5);
    EXPECT_NEAR(mass(body("C5")), 0.012, 0.004);
}

TEST(NeckAnatomy, VertebraeLieOneAboveTheOtherAndTheLarynxInFront) {
    const auto middle = [](const std::string& name) {
        const Box box = box_of(body(name).solid.points);
        return (box.low + box.high) * 0.5;
    };
    const char* up[] = {"C7", "C6", "C5", "C4", "C3", "C2", "C1", "skull"};
    for (std::size_t i = 1; i < std::size(up); ++i) EXPECT_GT(middle(up[i]).y, middle(up[i - 1]).y + 0.01) << up[i];
    const char* down[] = {"jaw", "hyoid", "thyroid", "cricoid"};
    for (std::size_t i = 1; i < std::size(down); ++i) EXPECT_LT(middle(down[i]).y, middle(down[i - 1]).y) << down[i];
    for (const char* name : {"hyoid", "thyroid", "cricoid"}) EXPECT_GT(middle(name).z, middle("C4").z + 0.03) << name;
}

TEST(NeckAnatomy, MusclesHaveThePublishedSize) {
    const auto within_a_tenth = [](const char* name, double published) {
        double count = 0;
        for (const char* side : {"left_", "right_"}) {
            const AnatomyScene::Muscle& m = muscle(side + std::string(name));
            count += static_cast<double>(m.hexahedra.size() / 8 + m.tetrahedra.size() / 4);
        }
        EXPECT_NEAR(count, published, 0.1 * published) << name;
    };
    within_a_tenth("sternocleidomastoid", 91);
    within_a_tenth("sternohyoid", 90);
    within_a_tenth("thyrohyoid", 152);
    within_a_tenth("trapezius", 3497);
    EXPECT_TRUE(muscle("left_trapezius").hexahedra.empty());
    EXPECT_TRUE(muscle("left_sternocleidomastoid").tetrahedra.empty());
}

TEST(NeckAnatomy, NoElementIsTurnedInsideOut) {
    for (const AnatomyScene::Muscle& m : scene().muscles) {
        SCOPED_TRACE(m.name);
        std::set<std::uint32_t> used(m.hexahedra.begin(), m.hexahedra.end());
        used.insert(m.tetrahedra.begin(), m.tetrahedra.end());
        EXPECT_EQ(used.size(), m.points.size());
        for (std::size_t t = 0; t < m.tetrahedra.size(); t += 4) {
            const Vec3d a = m.points[m.tetrahedra[t]];
            const auto side = [&](std::size_t k) { return m.points[m.tetrahedra[t + k]] - a; };
            ASSERT_GT(dot(side(1), cross(side(2), side(3))), 1e-9) << t / 4;
        }
        for (std::size_t t = 0; t < m.hexahedra.size(); t += 8)
            for (unsigned c = 0; c < 8; ++c) {
                const auto side = [&](unsigned bit) {
                    const Vec3d d = m.points[m.hexahedra[t + (c ^ bit)]] - m.points[m.hexahedra[t + c]];
                    return c & bit ? d * -1.0 : d;
                };
                ASSERT_GT(dot(side(1), cross(side(2), side(4))), 1e-9) << t / 8 << " corner " << c;
            }
    }
}

TEST(NeckAnatomy, LeftMusclesMirrorRightOnes) {
    for (const char* name : {"sternocleidomastoid", "sternohyoid", "thyrohyoid", "trapezius"}) {
        const auto& left = muscle("left_" + std::string(name)).points;
        const auto& right = muscle("right_" + std::string(name)).points;
        ASSERT_EQ(left.size(), right.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            EXPECT_GT(left[i].x, 0) << name;
            EXPECT_EQ(length(left[i] - Vec3d{-right[i].x, right[i].y, right[i].z}), 0) << name;
        }
    }
}

TEST(NeckAnatomy, LiesInsideTheSkin) {
    const Character& bust = bundled("neck");
    const Winding skin(rest_points(bust), bust.mesh.triangles);
    ASSERT_EQ(skin.at({0, 0.2, -0.02}), 1);
    ASSERT_EQ(skin.at({0, 0.2, 0.2}), 0);
    constexpr double cover = 0.002;  // of skin above it
    const auto inside = [&](Vec3d p) {
        for (const double d : {cover, -cover})
            for (const Vec3d step : {Vec3d{d, 0, 0}, Vec3d{0, d, 0}, Vec3d{0, 0, d}})
                if (skin.at(p + step) != 1) return false;
        return true;
    };
    for (const AnatomyScene::Body& b : scene().bodies) {
        int outside = 0;
        for (std::size_t t = 0; t < b.solid.triangles.size(); t += 3)
            outside += !inside((b.solid.points[b.solid.triangles[t]] + b.solid.points[b.solid.triangles[t + 1]] +
                                b.solid.points[b.solid.triangles[t + 2]]) *
                               (1.0 / 3));
        for (const Vec3d& p : b.solid.points) outside += !inside(p);
        EXPECT_EQ(outside, 0) << b.name;
    }
    for (const AnatomyScene::Muscle& m : scene().muscles) {
        int outside = 0;
        for (const Vec3d& p : m.points) outside += !inside(p);
        EXPECT_EQ(outside, 0) << m.name;
    }
}

double distance(Vec3d p, const AnatomyScene::Solid& solid) {
    double nearest = 1e9;
    for (std::size_t t = 0; t < solid.triangles.size(); t += 3) {
        const auto corner = [&](std::size_t k) { return solid.points[solid.triangles[t + k]]; };
        constexpr double longest_edge = 0.05;  // what begins further away cannot come nearer
        if (length(corner(0) - p) > nearest + longest_edge) continue;
        nearest = std::min(nearest, length(lattice::nearest_on_triangle(p, corner(0), corner(1), corner(2)) - p));
    }
    return nearest;
}

TEST(NeckAnatomy, MusclesEndAtTheBonesThatHoldThem) {
    for (const AnatomyScene::Muscle& m : scene().muscles) {
        ASSERT_GE(m.attachments.size(), 2u) << m.name;
        for (const AnatomyScene::Attachment& a : m.attachments) {
            std::size_t held = 0;
            for (const Vec3d& p : m.points) held += distance(p, body(a.body).solid) < a.within;
            EXPECT_GE(held, 3u) << m.name << " at " << a.body;
            EXPECT_LT(held, m.points.size() * 3 / 4) << m.name << " at " << a.body;
        }
    }
}

TEST(NeckAnatomy, LinesStartAndEndAtTheirBones) {
    const auto check = [](const AnatomyScene::Line& line) {
        EXPECT_LT(distance(line.from, body(line.a).solid), 0.02) << line.name << " at " << line.a;
        EXPECT_LT(distance(line.to, body(line.b).solid), 0.02) << line.name << " at " << line.b;
    };
    for (const AnatomyScene::Spring& s : scene().springs) check(s);
    for (const AnatomyScene::Actuator& a : scene().actuators) {
        check(a);
        EXPECT_NEAR(a.lo, length(a.to - a.from), 1e-12);
        EXPECT_GT(a.lmax, a.lo);
        EXPECT_GT(a.f0, 0);
    }
}

TEST(NeckAnatomy, JointsLieBetweenTheirBones) {
    ASSERT_EQ(scene().joints.size(), 9u);
    for (const AnatomyScene::Joint& j : scene().joints) {
        EXPECT_LT(distance(j.at, body(j.a).solid), 0.025) << j.name;
        EXPECT_LT(distance(j.at, body(j.b).solid), 0.025) << j.name;
        EXPECT_EQ(j.revolute, j.a == "thyroid") << j.name;
        if (j.revolute) continue;
        // Where the character's own joint is.
        const int joint = joint_index(bundled("neck"), j.b);
        const Affine& rest = bundled("neck").joints[static_cast<std::size_t>(joint)].rest;
        EXPECT_LT(length(j.at - transform_point(rest, Vec3d{})), 1e-9) << j.name;
    }
}

}  // namespace
}  // namespace fascia::test
