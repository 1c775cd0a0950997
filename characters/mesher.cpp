#include "mesher.h"

#include <algorithm>
#include <array>

namespace fascia::characters {
namespace {

// ---- marching tetrahedra -------------------------------------------------------------------------

/// Samples of the field at the corners of a cubic grid.
struct Grid {
    Vec3d origin;
    double cell;
    int nx, ny, nz;
    std::vector<double> value;

    int corner(int x, int y, int z) const { return (z * ny + y) * nx + x; }
    Vec3d point(int i) const {
        return origin +
               Vec3d{static_cast<double>(i % nx), static_cast<double>(i / nx % ny), static_cast<double>(i / nx / ny)} *
                   cell;
    }
};

/// Samples every second corner first: far from the surface the seven others share its sign.
Grid sample(const Field& field, double cell) {
    const Vec3d extent = field.box_max() - field.box_min();
    const auto even_count = [&](double e) { return (static_cast<int>(e / cell) / 2 + 2) * 2; };
    Grid grid{field.box_min(), cell, even_count(extent.x), even_count(extent.y), even_count(extent.z), {}};
    grid.value.resize(static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny) *
                      static_cast<std::size_t>(grid.nz));
    const double far = std::min(2.4 * cell, Field::reach * 0.9);
    for (int z = 0; z < grid.nz; z += 2) {
        for (int y = 0; y < grid.ny; y += 2) {
            for (int x = 0; x < grid.nx; x += 2) {
                const double first = field.distance(grid.point(grid.corner(x, y, z)));
                for (int i = 0; i < 8; ++i) {
                    const int c = grid.corner(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
                    const bool known = i == 0 || std::abs(first) > far;
                    grid.value[static_cast<std::size_t>(c)] = known ? first : field.distance(grid.point(c));
                }
            }
        }
    }
    return grid;
}

/// Six tetrahedra around the main diagonal of a cube; neighbours in the grid cut their common face alike.
/// A corner is a bit mask x + 2 y + 4 z.
constexpr int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

class TetrahedronMarcher {
public:
    explicit TetrahedronMarcher(const Grid& grid) : grid_(grid), vertex_of_edge_(grid.value.size() * 7, -1) {}

    SurfaceMesh run() {
        for (int z = 0; z + 1 < grid_.nz; ++z)
            for (int y = 0; y + 1 < grid_.ny; ++y)
                for (int x = 0; x + 1 < grid_.nx; ++x) cube(x, y, z);
        return SurfaceMesh(std::move(points_), std::move(corners_));
    }

private:
    bool inside(int corner) const { return grid_.value[static_cast<std::size_t>(corner)] < 0; }

    void cube(int x, int y, int z) {
        std::array<int, 8> c;
        int count = 0;
        for (int i = 0; i < 8; ++i) {
            c[static_cast<std::size_t>(i)] = grid_.corner(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
            count += inside(c[static_cast<std::size_t>(i)]);
        }
        if (count == 0 || count == 8) return;
        for (const auto& t : tetrahedra) {
            int in[4], out[4], n_in = 0, n_out = 0;
            for (const int k : t) {
                const int v = c[static_cast<std::size_t>(k)];
                (inside(v) ? in[n_in++] : out[n_out++]) = v;
            }
            if (n_in == 1) triangle(in[0], {out[0], out[1], out[2]}, in[0]);
            if (n_out == 1) triangle(out[0], {in[0], in[1], in[2]}, in[0]);
            if (n_in == 2) quad(in, out);
        }
    }

    /// The triangle that cuts `tip` off.
    void triangle(int tip, std::array<int, 3> base, int some_inside) {
        // One statement each: a call's arguments are evaluated in any order, which would decide the vertex numbers.
        const int a = cut(tip, base[0]);
        const int b = cut(tip, base[1]);
        const int c = cut(tip, base[2]);
        emit(a, b, c, some_inside);
    }
    void quad(const int* in, const int* out) {
        const int a = cut(in[0], out[0]), b = cut(in[0], out[1]), c = cut(in[1], out[1]), d = cut(in[1], out[0]);
        emit(a, b, c, in[0]);
        emit(a, c, d, in[0]);
    }
    void emit(int a, int b, int c, int some_inside) {
        const Vec3d& pa = points_[static_cast<std::size_t>(a)];
        const Vec3d n = cross(points_[static_cast<std::size_t>(b)] - pa, points_[static_cast<std::size_t>(c)] - pa);
        if (dot(n, grid_.point(some_inside) - pa) > 0) std::swap(b, c);  // outward
        corners_.insert(corners_.end(), {a, b, c});
    }

    /// The vertex where the surface crosses the edge between two grid corners.
    int cut(int a, int b) {
        if (a > b) std::swap(a, b);
        // Edges lead from the lower corner to one of seven others; their index offsets tell them apart.
        const int offset = b - a;
        const int dz = offset / (grid_.nx * grid_.ny), dy = offset / grid_.nx % grid_.ny, dx = offset % grid_.nx;
        const std::size_t key = static_cast<std::size_t>(a) * 7 + static_cast<std::size_t>(dx + 2 * dy + 4 * dz - 1);
        int& v = vertex_of_edge_[key];
        if (v < 0) {
            const double da = grid_.value[static_cast<std::size_t>(a)], db = grid_.value[static_cast<std::size_t>(b)];
            const double t = std::clamp(da / (da - db), 0.05, 0.95);  // never two vertices in one place
            v = static_cast<int>(points_.size());
            points_.push_back(grid_.point(a) + (grid_.point(b) - grid_.point(a)) * t);
        }
        return v;
    }

    const Grid& grid_;
    std::vector<int> vertex_of_edge_;
    std::vector<Vec3d> points_;
    std::vector<int> corners_;
};

// ---- remeshing -----------------------------------------------------------------------------------

class Remesher {
public:
    Remesher(const Field& field, SurfaceMesh& mesh) : field_(field), mesh_(mesh) {}

    void run() {
        measure_all();
        collapse_short();
        for (int round = 0; round < 8; ++round) {
            split_long();
            collapse_short();
            if (round >= 6) split_at_borders();
            flip(round < 4);
            relax();
            if (round % 2 == 0) measure_all();  // wanted edge lengths change slowly along the surface
            if (round < 3) continue;
            untangle();
            snap_to_borders();
        }
        for (int round = 0; round < 3; ++round) {
            collapse_short(0.45);  // vertices that have met on a border
            flip(false);
            relax();
            untangle();
            snap_to_borders();
        }
        project_all();
        snap_to_borders();
        collapse_short(0.42);
        project_all();
        flip(false);
        mesh_.compact();
        lay_edges_along_borders();
    }

private:
    const Vec3d& at(int v) const { return mesh_.points[static_cast<std::size_t>(v)]; }
    double wanted(int v) const { return wanted_[static_cast<std::size_t>(v)]; }
    double wanted_of_edge(int h) const { return (wanted(mesh_.from(h)) + wanted(mesh_.to(h))) / 2; }
    double edge(int h) const { return length(at(mesh_.to(h)) - at(mesh_.from(h))); }
    bool visit_once(int h) const { return mesh_.alive(h) && h < mesh_.twin(h); }

    void measure_all() {
        wanted_.resize(mesh_.points.size());
        for (int v = 0; v < mesh_.vertex_count(); ++v)
            if (mesh_.used(v)) wanted_[static_cast<std::size_t>(v)] = field_.edge_length(at(v));
    }

    /// Most points of the rough mesh are gone by now.
    void project_all() {
        for (int v = 0; v < mesh_.vertex_count(); ++v)
            if (mesh_.used(v)) mesh_.points[static_cast<std::size_t>(v)] = field_.project(at(v), 1);
    }

    void split_long() {
        const int count = mesh_.halfedge_count();  // edges made by a split wait for the next round
        for (int h = 0; h < count; ++h) {
            if (!visit_once(h) || edge(h) < wanted_of_edge(h) * 4 / 3) continue;
            const Vec3d middle = (at(mesh_.from(h)) + at(mesh_.to(h))) * 0.5;
            mesh_.split(h, middle);
            wanted_.push_back(field_.edge_length(middle));
        }
    }

    void collapse_short(double share = 0.75) {
        for (int h = 0; h < mesh_.halfedge_count(); ++h) {
            if (!visit_once(h) || edge(h) > wanted_of_edge(h) * share) continue;
            const int a = mesh_.from(h), b = mesh_.to(h);
            const Vec3d middle = (at(a) + at(b)) * 0.5;
            if (!mesh_.can_collapse(h) || !harmless(a, b, middle) || !harmless(b, a, middle)) continue;
            mesh_.collapse(h, middle);
        }
    }

    /// Moving v to `where` (its edge to `other` vanishing) makes no edge too long and turns no triangle over.
    bool harmless(int v, int other, Vec3d where) const {
        bool fine = true;
        mesh_.around(v, [&](int h) {
            const int b = mesh_.to(h), c = mesh_.apex(h);
            if (b == other) return;
            fine = fine && length(at(b) - where) < wanted_of_edge(h) * 1.4;
            if (c == other) return;
            const Vec3d before = cross(at(b) - at(v), at(c) - at(v)), after = cross(at(b) - where, at(c) - where);
            fine = fine && dot(before, after) > 0.3 * length(before) * length(after);
        });
        return fine;
    }

    void flip(bool by_valence) {
        for (int h = 0; h < mesh_.halfedge_count(); ++h) {
            if (!visit_once(h)) continue;
            const bool better = by_valence ? evens_valence(h) : opens_angles(h);
            if (better && mesh_.can_flip(h) && flips_flat(h, 0.5)) mesh_.flip(h);
        }
    }

    bool evens_valence(int h) const {
        const int g = mesh_.twin(h);
        const auto off = [&](int v, int change) { return std::abs(mesh_.valence(v) + change - 6); };
        const int a = mesh_.from(h), b = mesh_.to(h), c = mesh_.apex(h), d = mesh_.apex(g);
        return off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1) < off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
    }

    /// Delaunay: the two angles across the edge add up to more than half a turn.
    bool opens_angles(int h) const {
        const auto cotangent = [&](int g) {
            const Vec3d u = at(mesh_.from(g)) - at(mesh_.apex(g)), v = at(mesh_.to(g)) - at(mesh_.apex(g));
            return dot(u, v) / std::max(1e-30, length(cross(u, v)));
        };
        return cotangent(h) + cotangent(mesh_.twin(h)) < -1e-6;
    }

    /// The pair of triangles is flat to within an angle of this cosine, and stays unfolded.
    bool flips_flat(int h, double cosine) const {
        const Vec3d a = at(mesh_.from(h)), b = at(mesh_.to(h)), c = at(mesh_.apex(h)),
                    d = at(mesh_.apex(mesh_.twin(h)));
        const Vec3d old1 = normalized(cross(b - a, c - a)), old2 = normalized(cross(a - b, d - b));
        const Vec3d new1 = normalized(cross(c - d, a - d)), new2 = normalized(cross(d - c, b - c));
        return dot(old1, old2) > cosine && dot(new1, new2) > cosine && dot(old1 + old2, new1) > 0.5 &&
               dot(old1 + old2, new2) > 0.5;
    }

    /// Each vertex moves along the surface towards the middle of its triangles, the large ones pulling more.
    void relax() {
        std::vector<Vec3d> moved = mesh_.points;
        normals_.resize(mesh_.points.size());
        for (int v = 0; v < mesh_.vertex_count(); ++v) {
            if (!mesh_.used(v)) continue;
            Vec3d sum, normal;
            double weight = 0;
            mesh_.around(v, [&](int h) {
                const int b = mesh_.to(h), c = mesh_.apex(h);
                const Vec3d n = cross(at(b) - at(v), at(c) - at(v));
                const double size = (wanted(v) + wanted(b) + wanted(c)) / 3;
                const double w = length(n) / (size * size);
                sum += (at(v) + at(b) + at(c)) * (w / 3);
                weight += w;
                normal += n;
            });
            if (weight <= 0) continue;
            const Vec3d n = normalized(normal);
            const Vec3d move = sum * (1 / weight) - at(v);
            Vec3d& p = moved[static_cast<std::size_t>(v)];
            p = at(v) + move - n * dot(move, n);
            // Back to the surface along the mesh's own normal, at a quarter of the cost of a gradient.
            p = p - n * std::clamp(field_.distance(p), -0.5 * wanted(v), 0.5 * wanted(v));
            normals_[static_cast<std::size_t>(v)] = n;
        }
        // One after another, each only where no triangle folds over.
        for (int v = 0; v < mesh_.vertex_count(); ++v)
            if (mesh_.used(v) && stays_unfolded(v, moved[static_cast<std::size_t>(v)]))
                mesh_.points[static_cast<std::size_t>(v)] = moved[static_cast<std::size_t>(v)];
    }

    /// Where the first, rough mesh folded over a detail that it could not see, plain averaging pulls it flat again.
    void untangle() {
        for (int h = 0; h < mesh_.halfedge_count(); ++h) {
            if (!visit_once(h)) continue;
            const Vec3d a = at(mesh_.from(h)), b = at(mesh_.to(h));
            const Vec3d n1 = cross(b - a, at(mesh_.apex(h)) - a), n2 = cross(a - b, at(mesh_.apex(mesh_.twin(h))) - b);
            if (dot(n1, n2) >= -0.2 * length(n1) * length(n2)) continue;
            for (const int v : {mesh_.from(h), mesh_.to(h), mesh_.apex(h), mesh_.apex(mesh_.twin(h))}) {
                Vec3d sum;
                int count = 0;
                mesh_.around(v, [&](int g) {
                    sum += at(mesh_.to(g));
                    ++count;
                });
                mesh_.points[static_cast<std::size_t>(v)] = field_.project(sum * (1.0 / count), 2);
            }
        }
    }

    /// With v at `where` each of its triangles still faces the way the surface does, or more so than now.
    bool stays_unfolded(int v, Vec3d where) const {
        bool fine = true;
        const Vec3d& n = normals_[static_cast<std::size_t>(v)];
        mesh_.around(v, [&](int h) {
            const Vec3d b = at(mesh_.to(h)), c = at(mesh_.apex(h));
            const Vec3d after = cross(b - where, c - where);
            const double facing = dot(after, n);
            if (facing > 0.2 * length(after)) return;
            const Vec3d before = cross(b - at(v), c - at(v));
            fine = fine && facing * length(before) > dot(before, n) * length(after);
        });
        return fine;
    }

    /// Vertices beside a crisp colour border move onto it: the border becomes a clean line of edges.
    void snap_to_borders() {
        for (int v = 0; v < mesh_.vertex_count(); ++v) {
            if (!mesh_.used(v) || !may_border(v)) continue;
            const Field::Border border = field_.nearest_border(at(v), normals_[static_cast<std::size_t>(v)]);
            if (std::abs(border.distance) < 0.45 * wanted(v) && stays_unfolded(v, border.on_it))
                mesh_.points[static_cast<std::size_t>(v)] = border.on_it;
        }
    }

    /// Puts a vertex where an edge crosses a colour border half-way, too far from both ends for them to move there.
    void split_at_borders() {
        std::vector<double> distance(mesh_.points.size(), 1e3);
        for (int v = 0; v < mesh_.vertex_count(); ++v)
            if (mesh_.used(v) && may_border(v))
                distance[static_cast<std::size_t>(v)] = field_.nearest_border(at(v), facing(v)).distance;
        const int count = mesh_.halfedge_count();
        for (int h = 0; h < count; ++h) {
            if (!visit_once(h)) continue;
            const int a = mesh_.from(h), b = mesh_.to(h);
            if (static_cast<std::size_t>(std::max(a, b)) >= distance.size()) continue;  // just made
            const double da = distance[static_cast<std::size_t>(a)], db = distance[static_cast<std::size_t>(b)];
            if (da * db >= 0 || std::min(std::abs(da), std::abs(db)) < 0.3 * edge(h) ||
                std::abs(da - db) > 1.5 * edge(h))
                continue;
            const Vec3d crossing = at(a) + (at(b) - at(a)) * (da / (da - db));
            mesh_.split(h, crossing);
            wanted_.push_back(field_.edge_length(crossing));
        }
    }

    /// Colour borders need finer edges than the rest; where none are wanted there is no border.
    bool may_border(int v) const { return wanted(v) < 0.9 * field_.usual_edge(); }

    /// Flips edges that cross a colour border where the other diagonal runs along it.
    void lay_edges_along_borders() {
        std::vector<Color> colors;
        for (int v = 0; v < mesh_.vertex_count(); ++v) colors.push_back(field_.color(at(v), facing(v)));
        const auto contrast = [&](int a, int b) {
            const Color &x = colors[static_cast<std::size_t>(a)], &y = colors[static_cast<std::size_t>(b)];
            return std::abs(x.r - y.r) + std::abs(x.g - y.g) + std::abs(x.b - y.b);
        };
        for (int pass = 0; pass < 2; ++pass) {
            for (int h = 0; h < mesh_.halfedge_count(); ++h) {
                if (!visit_once(h)) continue;
                const int a = mesh_.from(h), b = mesh_.to(h), c = mesh_.apex(h), d = mesh_.apex(mesh_.twin(h));
                if (contrast(a, b) < 0.05 || contrast(c, d) > 0.6 * contrast(a, b)) continue;
                if (smallest_sine(a, c, d) < 0.45 || smallest_sine(b, c, d) < 0.45) continue;
                if (mesh_.can_flip(h) && flips_flat(h, 0.4)) mesh_.flip(h);
            }
        }
    }

    Vec3d facing(int v) const {
        Vec3d sum;
        mesh_.around(v, [&](int h) { sum += cross(at(mesh_.to(h)) - at(v), at(mesh_.apex(h)) - at(v)); });
        return normalized(sum);
    }

    double smallest_sine(int a, int b, int c) const {
        const Vec3d u = at(b) - at(a), v = at(c) - at(b), w = at(a) - at(c);
        const double area2 = length(cross(u, v)), lu = length(u), lv = length(v), lw = length(w);
        return area2 / std::max({lu * lv, lv * lw, lw * lu});
    }

    const Field& field_;
    SurfaceMesh& mesh_;
    std::vector<double> wanted_;
    std::vector<Vec3d> normals_;
};

}  // namespace

SurfaceMesh polygonise(const Field& field, double cell) {
    const Grid grid = sample(field, cell);
    return TetrahedronMarcher(grid).run();
}

void remesh(const Field& field, SurfaceMesh& mesh) {
    Remesher(field, mesh).run();
}

}  // namespace fascia::characters
