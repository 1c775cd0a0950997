// Points inside a body carry its surface (docs/formulas.md C11, C12, C14), in one of five ways. The only input per
// frame is the positions of the points: rotations, where needed, follow from them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "embed/radial_basis.h"
#include "embed/trilinear.h"
#include "fascia/math.h"

namespace fascia::embedding {

enum class How { trilinear, blend, dq, rbf, domains };
std::optional<How> how_named(std::string_view name);

struct EmbeddingInput {
    How how = How::domains;
    Kernel kernel = Kernel::gauss;
    std::size_t samples = 300;
    std::span<const Vec3> positions, normals;  ///< [vertices] at rest; normals may be empty
    std::span<const Vec4> tangents;            ///< [vertices] or empty
    std::span<const std::uint32_t> triangles;
    std::span<const std::uint16_t> joints;  ///< [vertices] that each follows most
    const Trilinear* bound = nullptr;       ///< null: the points have no cells; only `domains` can carry by them
    std::span<const Vec3d> points;          ///< [points] at rest
};

/// Empty arrays are not written.
struct EmbeddedSurface {
    std::span<Vec3> positions, normals;
    std::span<Vec4> tangents;
};

struct EmbeddingScratch {
    std::vector<float> rows;
    std::vector<double> values, solving;
    std::vector<Vec3d> places;
    std::vector<Quat> turns;
};

class PointEmbedding {
public:
    virtual ~PointEmbedding() = default;
    /// points: [points] where they are now
    virtual void place(std::span<const Vec3> points, const EmbeddedSurface& out, EmbeddingScratch& scratch,
                       ThreadPool& pool) const = 0;
    /// For people: domains, [vertices] or empty, and places of the samples at rest.
    virtual std::span<const std::uint32_t> vertex_domains() const { return {}; }
    virtual std::span<const Vec3d> sample_places() const { return {}; }
    /// The number of centres, if too many for one system, so that there is one system per domain instead; otherwise 0.
    virtual std::size_t left_out() const { return 0; }
};

std::unique_ptr<const PointEmbedding> make_embedding(const EmbeddingInput& input);

// ---- the ways, each in a file of its own ---------------------------------------------------------------------------
std::unique_ptr<const PointEmbedding> blended_cells(const EmbeddingInput& input);
std::unique_ptr<const PointEmbedding> single_system(const EmbeddingInput& input);
/// If there are more centres than one system can have, domains take over: a system with only some of them would flatten
/// fingers and paws.
std::unique_ptr<const PointEmbedding> system_per_domain(const EmbeddingInput& input, std::size_t left_out = 0);

/// Two directions along the surface whose cross product is the normal.
struct TangentPair {
    Vec3d first, second;
};

/// Normals and tangents at rest.
class RestDirections {
public:
    explicit RestDirections(const EmbeddingInput& input);

    bool are_wanted(const EmbeddedSurface& out) const {
        return !normals_.empty() && (!out.normals.empty() || !out.tangents.empty());
    }
    bool empty() const { return normals_.empty(); }
    const TangentPair& along(std::size_t vertex) const { return along_[vertex]; }
    /// first, second: where the directions along the surface have been carried to
    void write(std::size_t vertex, Vec3d first, Vec3d second, const EmbeddedSurface& out) const;

private:
    std::vector<Vec3> normals_;
    std::vector<Vec4> tangents_;
    std::vector<TangentPair> along_;  ///< [vertices], or empty without normals
};

}  // namespace fascia::embedding
