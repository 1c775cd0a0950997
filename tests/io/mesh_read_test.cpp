// OBJ, PLY and OFF: the same cube in every dialect, the shared meshes, and broken files.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "io/mesh_readers.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using io::parse_obj;
using io::parse_off;
using io::parse_ply;

Mesh taken(Result<Mesh> mesh) {
    EXPECT_TRUE(mesh) << mesh.error().message;
    return mesh ? std::move(*mesh) : Mesh{};
}

std::string refused(const Result<Mesh>& mesh) {
    EXPECT_FALSE(mesh);
    if (mesh) return "";
    EXPECT_EQ(mesh.error().message.find('\n'), std::string::npos) << mesh.error().message;
    EXPECT_EQ(mesh.error().message.back(), '.') << mesh.error().message;
    return mesh.error().message;
}

#define EXPECT_SAYS(result, words)                                    \
    do {                                                              \
        const std::string message = refused(result);                  \
        EXPECT_NE(message.find(words), std::string::npos) << message; \
    } while (false)

/// The whole cube as one text.
template <class... Parts>
std::string text_of(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
const int quads[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}};

void expect_cube(const Mesh& mesh) {
    EXPECT_EQ(mesh.vertex_count(), 8u);
    EXPECT_EQ(mesh.triangle_count(), 12u);
    const MeshCheck check = check_mesh(mesh);
    EXPECT_NEAR(check.signed_volume, 1, 1e-6);
    EXPECT_EQ(check.border_edges, 0u);
    ASSERT_EQ(mesh.parts.size(), 1u);
    EXPECT_EQ(mesh.parts[0].vertex_count, 8);
    ASSERT_EQ(mesh.normals.size(), 8u);
    for (std::size_t v = 0; v < 8; ++v) {
        const Vec3 out = mesh.positions[v] - Vec3{.5f, .5f, .5f};
        EXPECT_GT(dot(out, mesh.normals[v]), 0) << v;
    }
}

std::string cube_obj() {
    std::string text = "# a cube\no cube\n";
    for (const auto& c : corners) text += text_of("v ", c[0], " ", c[1], " ", c[2], "\n");
    for (const auto& q : quads) {
        text += "f";
        for (int i : q) text += text_of(" ", i + 1);
        text += "\n";
    }
    return text;
}

TEST(MeshRead, ReadsACubeFromObj) {
    expect_cube(taken(parse_obj(cube_obj(), "cube.obj")));
    std::string crlf;
    for (char c : cube_obj()) {
        if (c == '\n') crlf += '\r';
        crlf += c;
    }
    expect_cube(taken(parse_obj(crlf, "cube.obj")));
    EXPECT_EQ(taken(parse_obj(cube_obj(), "cube.obj")).parts[0].name, "cube");
}

TEST(MeshRead, ReadsObjIndicesOfEveryForm) {
    const Mesh mesh =
        taken(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1 0.5 0.25 1\nvt 0.25 0.75\nvt 1\nvn 0 0 2\n"
                        "f -4/1/1 -3/-1/-1 -2/1/-1 # a comment\nf 1//1 2//1 \\\n 4//1\nf 1 2 3\nusemtl red\n",
                        "a.obj"));
    EXPECT_EQ(mesh.triangle_count(), 3u);
    // Positions 1 and 2 are used in three ways, 3 in two: five copies after the four lines.
    EXPECT_EQ(mesh.vertex_count(), 4u + 5u);
    EXPECT_EQ(mesh.positions[0], (Vec3{0, 0, 0}));
    EXPECT_EQ(mesh.triangles[0], 0u);
    EXPECT_FLOAT_EQ(mesh.uvs[0].x, .25f);
    EXPECT_FLOAT_EQ(mesh.uvs[0].y, .25f);  // glTF counts from the top
    EXPECT_FLOAT_EQ(mesh.uvs[1].x, 1);
    EXPECT_EQ(mesh.normals[0], (Vec3{0, 0, 1}));
    ASSERT_EQ(mesh.colors.size(), mesh.vertex_count());
    EXPECT_FLOAT_EQ(mesh.colors[3].y, .25f);
    EXPECT_FLOAT_EQ(mesh.colors[0].y, 1);
}

TEST(MeshRead, FillsUpObjColours) {
    const Mesh mesh = taken(parse_obj("v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1 2 3\nf 1/1 2/1 3/1\n", "a.obj"));
    ASSERT_EQ(mesh.colors.size(), 6u);
    EXPECT_EQ(mesh.colors[0].y, 0);
    EXPECT_EQ(mesh.colors[2].y, 1);
    EXPECT_EQ(mesh.colors[3].y, 0);
}

TEST(MeshRead, ReadsObjPolygons) {
    std::string text, face = "f";
    for (int i = 0; i < 9; ++i) {
        text += text_of("v ", std::cos(i * .698), " ", std::sin(i * .698), " 0\n");
        face += text_of(" ", i + 1);
    }
    const Mesh mesh = taken(parse_obj(text + face, "nonagon.obj"));
    EXPECT_EQ(mesh.triangle_count(), 7u);
    EXPECT_EQ(mesh.normals[4], (Vec3{0, 0, 1}));
}

TEST(MeshRead, RefusesBadObj) {
    EXPECT_SAYS(parse_obj("", "a.obj"), "no faces");
    EXPECT_SAYS(parse_obj("v 0 0\n", "a.obj"), "line 1: a vertex needs three numbers");
    EXPECT_SAYS(parse_obj("v 0 0 nan\n", "a.obj"), "three numbers");
    EXPECT_SAYS(parse_obj("v 0 0 1e300\n", "a.obj"), "too large");
    EXPECT_SAYS(parse_obj("\n\nvn 0\n", "a.obj"), "line 3");
    EXPECT_SAYS(parse_obj("vt x\n", "a.obj"), "texture coordinate");
    EXPECT_SAYS(parse_obj("v 0 0 0\nf 1 1\n", "a.obj"), "three corners");
    for (const char* face : {"f 1 2 4", "f 0 1 2", "f 1 2 -4", "f 1/1 2/1 3/1", "f 1//1 2//1 3//1", "f 1 2 x",
                             "f 1 2 99999999999999999999"}) {
        EXPECT_SAYS(parse_obj(std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\n") + face, "a.obj"), "points at nothing");
    }
}

TEST(MeshRead, DoesNotHangOnAPositionOfManyUses) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 50000; ++i) text += "vt 0 0\n";
    for (int i = 1; i <= 50000; ++i) text += text_of("f 1/", i, " 2/1 3/1\n");
    EXPECT_EQ(taken(parse_obj(text, "a.obj")).triangle_count(), 50000u);
}

std::string cube_off(const std::string& kind, const std::string& extra) {
    std::string text = kind + " # with comments\n\n8 6 0\n";
    for (const auto& c : corners) text += text_of(c[0], " ", c[1], "\t", c[2], extra, "\n");
    for (const auto& q : quads) {
        text += "4";
        for (int i : q) text += text_of("  ", i);
        text += "  0.5 0.5 0.5\n";
    }
    return text;
}

TEST(MeshRead, ReadsACubeFromOff) {
    expect_cube(taken(parse_off(cube_off("OFF", ""), "cube.off")));
    const Mesh bytes = taken(parse_off(cube_off("COFF", " 255 0 51 255"), "cube.off"));
    expect_cube(bytes);
    EXPECT_FLOAT_EQ(bytes.colors[3].z, .2f);
    const Mesh floats = taken(parse_off(cube_off("COFF", " 1.0 0 0.2 1"), "cube.off"));
    EXPECT_FLOAT_EQ(floats.colors[3].z, .2f);
    const Mesh normals = taken(parse_off(cube_off("NOFF", " 0 0 2"), "cube.off"));
    EXPECT_EQ(normals.normals[2], (Vec3{0, 0, 1}));
}

TEST(MeshRead, RefusesBadOff) {
    EXPECT_SAYS(parse_off("", "a.off"), "does not begin with OFF");
    EXPECT_SAYS(parse_off("4OFF 1 1 1", "a.off"), "4OFF");
    EXPECT_SAYS(parse_off("OFF BINARY", "a.off"), "binary");
    EXPECT_SAYS(parse_off("OFF 1 x", "a.off"), "numbers of vertices");
    EXPECT_SAYS(parse_off("OFF 1000000000000 1 0\n", "a.off"), "do not fit");
    EXPECT_SAYS(parse_off("OFF -1 1 0\n", "a.off"), "do not fit");
    EXPECT_SAYS(parse_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n", "a.off"), "three numbers");
    EXPECT_SAYS(parse_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.off"), "does not exist");
    EXPECT_SAYS(parse_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n", "a.off"), "number of corners");
    EXPECT_SAYS(parse_off("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "a.off"), "no faces");
    EXPECT_SAYS(parse_off("NOFF\n3 1 0\n0 0 0 1\n", "a.off"), "normal");
    EXPECT_SAYS(parse_off("COFF\n3 1 0\n0 0 0 1 x", "a.off"), "colour");
}

template <class T>
void put(std::string& out, T value, bool big) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (big) std::reverse(raw, raw + sizeof value);
    out.append(raw, sizeof value);
}

const std::string ply_rest =
    "comment made by hand\nobj_info nothing\nelement vertex 8\nproperty float x\nproperty double y\nproperty float32 "
    "z\nproperty uchar red\n"
    "property uchar green\nproperty uint8 blue\nelement camera 2\nproperty short id\nproperty list uchar char tags\n"
    "element face 6\nproperty uint8 flags\nproperty list uchar int vertex_indices\nproperty list uint8 float "
    "other\nend_header\n";

std::string cube_ply_binary(bool big) {
    std::string out =
        std::string("ply\nformat ") + (big ? "binary_big_endian" : "binary_little_endian") + " 1.0\n" + ply_rest;
    for (const auto& c : corners) {
        put(out, c[0], big);
        put(out, double{c[1]}, big);
        put(out, c[2], big);
        out += "\xff\x33";
        out += '\0';
    }
    for (int i = 0; i < 2; ++i) {
        put(out, std::int16_t{7}, big);
        out += "\x02zz";
    }
    for (const auto& q : quads) {
        out += '\x09';
        out += '\x04';
        for (int i : q) put(out, std::int32_t{i}, big);
        out += '\x01';
        put(out, 3.0f, big);
    }
    return out;
}

std::string cube_ply_ascii() {
    std::string out = "ply\r\nformat ascii 1.0\r\n" + ply_rest;
    for (const auto& c : corners) out += text_of(c[0], " ", c[1], " ", c[2], " 255 51 0\n");
    out += "7 2 1 1\n7 0\n";
    for (const auto& q : quads) {
        out += "9 4";
        for (int i : q) out += text_of(" ", i);
        out += " 1 3.0\n";
    }
    return out;
}

TEST(MeshRead, ReadsACubeFromEveryPly) {
    for (const std::string& text : {cube_ply_ascii(), cube_ply_binary(false), cube_ply_binary(true)}) {
        const Mesh mesh = taken(parse_ply(text, "cube.ply"));
        expect_cube(mesh);
        ASSERT_EQ(mesh.colors.size(), 8u);
        EXPECT_FLOAT_EQ(mesh.colors[7].x, 1);
        EXPECT_FLOAT_EQ(mesh.colors[7].y, .2f);
        EXPECT_FLOAT_EQ(mesh.colors[7].w, 1);
    }
}

TEST(MeshRead, ReadsPlyNormalsAndUvs) {
    const std::string text =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float "
        "nx\nproperty float ny\n"
        "property float nz\nproperty float s\nproperty float t\nproperty ushort red\nproperty ushort green\nproperty "
        "ushort blue\nproperty ushort alpha\n"
        "element face 1\nproperty list uint uint vertex_index\nend_header\n"
        "0 0 0 0 3 0 .25 .75 65535 0 0 13107\n1 0 0 0 3 0 0 0 0 0 0 0\n0 1 0 0 3 0 0 0 0 0 0 0\n3 0 1 2";
    const Mesh mesh = taken(parse_ply(text, "a.ply"));
    EXPECT_EQ(mesh.normals[2], (Vec3{0, 1, 0}));
    EXPECT_FLOAT_EQ(mesh.uvs[0].x, .25f);
    EXPECT_FLOAT_EQ(mesh.uvs[0].y, .25f);
    EXPECT_FLOAT_EQ(mesh.colors[0].w, .2f);
}

TEST(MeshRead, RefusesBadPly) {
    const auto file = [](const std::string& rest) { return parse_ply("ply\nformat ascii 1.0\n" + rest, "a.ply"); };
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n",
                      list = "property list uchar int vertex_indices\nend_header\n";
    EXPECT_SAYS(parse_ply("", "a.ply"), "does not begin");
    EXPECT_SAYS(parse_ply("ply\nformat alien 1.0\n", "a.ply"), "format");
    EXPECT_SAYS(file("element vertex 3\n"), "no end");
    EXPECT_SAYS(file("element vertex x\n"), "no number");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "element vertex 1\n" + xyz), "'vertex' is there twice");
    EXPECT_SAYS(file("property float x\n"), "property");
    EXPECT_SAYS(file("element vertex 3\nproperty quaternion x\n"), "property");
    EXPECT_SAYS(file("element vertex 3\nproperty list float\n"), "property");
    EXPECT_SAYS(file("element vertex 1000000000000\n" + xyz + "end_header\n0 0 0"), "do not fit");
    EXPECT_SAYS(file("element vertex 1\nproperty float x\nend_header\n0\n"), "no x, y and z");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "end_header\n0 zero 0\n"), "'vertex' 0 cannot be read");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "end_header\n0 0 0\n"), "no faces");
    EXPECT_SAYS(
        file("element vertex 1\n" + xyz + "element face 1\nproperty int vertex_indices\nend_header\n0 0 0\n1\n"),
        "no list");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "element face 1\n" + list + "0 0 0\n3 0 0 1\n"), "vertex 1 of 1");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "element face 1\n" + list + "0 0 0\n3 0 0 -1\n"), "cannot be read");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "element face 1\n" + list + "0 0 0\n300 0 0\n"), "cannot be read");
    EXPECT_SAYS(file("element vertex 1\n" + xyz + "element face 1\n" + list + "0 0 0\n-3 0 0\n"), "cannot be read");
    // An element without properties takes no space and no time, however many there are.
    EXPECT_SAYS(file("element nothing 9000000000000000000\nend_header\n"), "no faces");
    std::string nan = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n" + xyz + "end_header\n";
    for (int i = 0; i < 3; ++i) put(nan, NAN, false);
    EXPECT_SAYS(parse_ply(nan, "a.ply"), "not a number");
}

TEST(MeshRead, SurvivesEveryTruncation) {
    for (const std::string& text : {cube_ply_ascii(), cube_ply_binary(false), cube_ply_binary(true)}) {
        for (std::size_t n = 0; n < text.size(); ++n) (void)parse_ply(std::string_view(text).substr(0, n), "cut.ply");
    }
    const std::string obj = cube_obj(), off = cube_off("NCOFF", " 0 0 1 1 1 1");
    for (std::size_t n = 0; n < obj.size(); ++n) (void)parse_obj(std::string_view(obj).substr(0, n), "cut.obj");
    for (std::size_t n = 0; n < off.size(); ++n) (void)parse_off(std::string_view(off).substr(0, n), "cut.off");
}

TEST(MeshRead, ReadsTheSharedMeshes) {
    FASCIA_NEEDS_SHARED_DATA();
    struct Expected {
        const char* file;
        std::size_t vertices, triangles, border, nonmanifold;
    };
    for (const Expected& e :
         {Expected{"static/spot.obj", 2930, 5856, 0, 0}, Expected{"static/bunny.off", 3485, 6966, 0, 0},
          Expected{"static/armadillo.obj", 43243, 86482, 0, 0}, Expected{"static/sheet_50x50.obj", 2601, 5000, 200, 0},
          Expected{"static/moebius.obj", 280, 448, 112, 0}, Expected{"static/suzanne.obj", 505, 968, 42, 1},
          Expected{"weights/hand_l.obj", 906, 1808, 0, 0}, Expected{"weights/mh_arm.obj", 2176, 4310, 40, 0}}) {
        const Mesh mesh = taken(load_mesh(test::shared_data(e.file)));
        const MeshCheck check = check_mesh(mesh);
        EXPECT_EQ(check.welded_vertices, e.vertices) << e.file;
        EXPECT_EQ(mesh.triangle_count(), e.triangles) << e.file;
        EXPECT_EQ(check.border_edges, e.border) << e.file;
        EXPECT_EQ(check.nonmanifold_edges, e.nonmanifold) << e.file;
        for (const Vec3& normal : mesh.normals) EXPECT_NEAR(length(normal), 1, 1e-5);
    }
    EXPECT_EQ(taken(load_mesh(test::shared_data("static/suzanne.obj"))).vertex_count(), 507u);
    EXPECT_EQ(taken(load_mesh(test::shared_data("static/spot.obj"))).uvs.size(), 3225u);
    // The welded hand and the skinned one enclose the same volume.
    auto hand = load_character(test::shared_data("weights/hand_l.glb"));
    ASSERT_TRUE(hand);
    EXPECT_EQ(hand->joints.size(), 26u);
    EXPECT_NEAR(check_mesh(hand->mesh).signed_volume /
                    check_mesh(taken(load_mesh(test::shared_data("weights/hand_l.obj")))).signed_volume,
                1, 1e-3);
}

TEST(MeshRead, RefusesOtherFiles) {
    EXPECT_SAYS(load_mesh("model.fbx"), "only .obj");
    EXPECT_SAYS(load_mesh("/nowhere/at/all.OBJ"), "no such file");
}

// ---- check_mesh ----------------------------------------------------------------------------------

/// A box from `low` to `high` appended to a mesh.
void add_box(Vec3 low, Vec3 high, Mesh& mesh) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& c : corners) {
        mesh.positions.push_back({c[0] != 0 ? high.x : low.x, c[1] != 0 ? high.y : low.y, c[2] != 0 ? high.z : low.z});
    }
    for (const auto& q : quads) {
        for (int i : {q[0], q[1], q[2], q[0], q[2], q[3]})
            mesh.triangles.push_back(first + static_cast<std::uint32_t>(i));
    }
}

TEST(MeshCheck, CountsABox) {
    Mesh mesh;
    add_box({0, 0, 0}, {1, 2, 3}, mesh);
    const MeshCheck check = check_mesh(mesh);
    EXPECT_EQ(check.welded_vertices, 8u);
    EXPECT_EQ(check.components, 1u);
    EXPECT_EQ(check.closed_components, 1u);
    EXPECT_NEAR(check.signed_volume, 6, 1e-6);
    EXPECT_EQ(check.overlapping_components, 0u);
}

TEST(MeshCheck, FindsBoxesInsideAndAcross) {
    Mesh apart;
    add_box({0, 0, 0}, {1, 1, 1}, apart);
    add_box({2, 0, 0}, {3, 1, 1}, apart);
    EXPECT_EQ(check_mesh(apart).overlapping_components, 0u);
    EXPECT_EQ(check_mesh(apart).components, 2u);

    Mesh inside = apart;
    add_box({.25f, .25f, .25f}, {.75f, .75f, .75f}, inside);
    EXPECT_EQ(check_mesh(inside).overlapping_components, 2u);

    Mesh across = apart;
    add_box({.5f, .5f, .5f}, {1.5f, 1.5f, 1.5f}, across);
    EXPECT_EQ(check_mesh(across).overlapping_components, 2u);

    // A row of boxes in which every second pair overlaps.
    Mesh row;
    for (int i = 0; i < 20; ++i) {
        const float x = static_cast<float>(3 * i);
        add_box({x, 0, 0}, {x + 1, 1, 1}, row);
        if (i % 2 == 0) add_box({x + .5f, .1f, .1f}, {x + 1.5f, .9f, .9f}, row);
    }
    EXPECT_EQ(check_mesh(row).overlapping_components, 20u);
}

TEST(MeshCheck, CountsWhatIsWrong) {
    Mesh mesh;
    add_box({0, 0, 0}, {1, 1, 1}, mesh);
    mesh.triangles.resize(mesh.triangles.size() - 3);  // a hole
    mesh.positions.push_back({9, 9, 9});               // used by nothing
    mesh.positions.push_back({5, 0, 0});
    mesh.positions.push_back({6, 0, 0});
    mesh.positions.push_back({7, 0, 0});
    mesh.triangles.insert(mesh.triangles.end(), {9, 10, 11});  // all in a line
    mesh.triangles.insert(mesh.triangles.end(), {9, 9, 10});   // two corners coincide
    mesh.positions.push_back({.5f, .5f, -2});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1, 12});  // a third triangle at the edge (0, 1)
    const MeshCheck check = check_mesh(mesh);
    EXPECT_EQ(check.unreferenced_vertices, 1u);
    EXPECT_EQ(check.degenerate_triangles, 2u);
    EXPECT_EQ(check.nonmanifold_edges, 1u);
    // Three from the hole, three from the line, two from the fin.
    EXPECT_EQ(check.border_edges, 8u);
    EXPECT_EQ(check.closed_components, 0u);
    EXPECT_EQ(check.signed_volume, 0);
}

TEST(MeshCheck, TakesAnEmptyMesh) {
    const MeshCheck check = check_mesh(Mesh{});
    EXPECT_EQ(check.components, 0u);
    EXPECT_EQ(check.signed_volume, 0);
}

}  // namespace
}  // namespace fascia
