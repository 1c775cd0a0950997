// Small shapes and pixel access for the picture tests.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "fascia/picture.h"

namespace fascia::test {

struct Shape {
    std::vector<Vec3> positions, normals;
    std::vector<std::uint32_t> triangles;
    std::vector<Vec4> colors;

    Shot shot() const {
        Shot s;
        s.positions = positions;
        s.normals = normals;
        s.triangles = triangles;
        s.colors = colors;
        return s;
    }
    void paint(Vec4 color) { colors.assign(positions.size(), color); }
};

/// A unit sphere divided by latitude and longitude.
inline Shape sphere(int rings) {
    Shape s;
    const int around = 2 * rings;
    for (int i = 0; i <= rings; ++i) {
        for (int j = 0; j <= around; ++j) {
            const double a = std::numbers::pi * i / rings, b = 2 * std::numbers::pi * j / around;
            const Vec3 p = to_float(Vec3d{std::sin(a) * std::sin(b), std::cos(a), std::sin(a) * std::cos(b)});
            s.positions.push_back(p);
            s.normals.push_back(p);
        }
    }
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (around + 1) + j); };
    for (int i = 0; i < rings; ++i) {
        for (int j = 0; j < around; ++j) {
            for (const std::uint32_t v : {at(i, j), at(i + 1, j), at(i + 1, j + 1)}) s.triangles.push_back(v);
            for (const std::uint32_t v : {at(i, j), at(i + 1, j + 1), at(i, j + 1)}) s.triangles.push_back(v);
        }
    }
    return s;
}

/// A square that faces +z; corners in the order top left, top right, bottom left, bottom right.
inline Shape square(float half, float z, Vec4 color) {
    Shape s;
    s.positions = {{-half, half, z}, {half, half, z}, {-half, -half, z}, {half, -half, z}};
    s.normals.assign(4, Vec3{0, 0, 1});
    s.triangles = {0, 2, 3, 0, 3, 1};
    s.paint(color);
    return s;
}

inline void append(Shape& to, const Shape& from) {
    const auto first = static_cast<std::uint32_t>(to.positions.size());
    to.positions.insert(to.positions.end(), from.positions.begin(), from.positions.end());
    to.normals.insert(to.normals.end(), from.normals.begin(), from.normals.end());
    to.colors.insert(to.colors.end(), from.colors.begin(), from.colors.end());
    for (const std::uint32_t v : from.triangles) to.triangles.push_back(first + v);
}

/// A box of half size `half` around the origin, seen from the front, without a ground.
inline View front_view(double half) {
    View view;
    view.box_min = {-half, -half, -half};
    view.box_max = {half, half, half};
    view.yaw = 0;
    view.pitch = 0;
    view.ground = false;
    return view;
}

struct Rgb {
    int r, g, b;
    bool operator==(const Rgb& o) const { return r == o.r && g == o.g && b == o.b; }
};

inline Rgb pixel(const Image& image, int x, int y) {
    const std::uint8_t* p = &image.rgb[static_cast<std::size_t>(y * image.width + x) * 3];
    return {p[0], p[1], p[2]};
}

inline std::vector<std::uint8_t> bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A folder that is deleted at the end of the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "fascia_render_XXXXXX").string();
        path_ = mkdtemp(pattern.data()) ? pattern : std::string();
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

private:
    std::string path_;
};

}  // namespace fascia::test
