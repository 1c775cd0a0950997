// What a body touches besides itself, and the wind and attractors that act on it.
//
//     auto world = World::make({.colliders = {{.name = "ball", .shape = ColliderShape::sphere, .radius = 0.1}}});
//     each frame:  world->begin_frame(dt);  world->move(0, place, turn);
//                  advance(*rig, joints, dt, *world, state, work);
//
// Flesh gives way, bones do not: a body is pressed, never pushed along. One world serves any number of instances and
// threads, but nothing in it may be moved while one of them is being advanced. It is not part of a State: a restored
// instance continues in whatever world it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/math.h"
#include "fascia/method.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

enum class ColliderShape {
    plane,    ///< everything below its own y = 0 is solid
    sphere,   ///< radius
    capsule,  ///< radius; length between the centres of its end caps, along its own y
    box,      ///< size
    hull,     ///< around points
    mesh,     ///< points and triangles: closed, facing outwards
};

/// Something solid. Lengths are in scene units.
struct Collider {
    std::string name = {};
    ColliderShape shape = ColliderShape::sphere;
    double radius = 0.1;
    double length = 0.5;
    Vec3d size{0.2, 0.2, 0.2};                  ///< edges of a box
    std::vector<Vec3> points = {};              ///< of a hull or a mesh
    std::vector<std::uint32_t> triangles = {};  ///< of a mesh, [triangles * 3]
    double friction = 0.4;                      ///< 0: flesh slides along it freely
    /// A joint of the body that it moves with, such as a sword with the hand; empty: none. It does not touch flesh that
    /// this joint carries. With an unknown name it touches nothing.
    std::string joint = {};
    Vec3d place = {};  ///< in the scene; with a joint, while the body is in its rest pose
    Quat turn = {};
};

/// An acceleration of all flesh, scene units / s^2.
struct Wind {
    Vec3d push = {};        ///< everywhere
    double turbulence = 0;  ///< root mean square of the acceleration added by eddies
    double eddy = 0.5;      ///< their size, scene units
    double pace = 1;        ///< how many of them pass per second
    std::uint64_t seed = 1;
};

/// Accelerates flesh towards a point: by `strength` at the distance `radius`, by less both nearer and further away.
/// Negative strengths repel.
struct Attractor {
    std::string name = {};
    Vec3d place = {};
    double radius = 0.3;
    double strength = 10;  ///< scene units / s^2
};

struct WorldSettings {
    std::vector<Collider> colliders = {};
    Wind wind = {};
    std::vector<Attractor> attractors = {};
    /// Scene units / s^2. The rest shape is assumed to stand in it already: when a part turns, its flesh feels only the
    /// difference from its pull at rest. Upside down it is pulled twice as hard. (The setting `gravity` of a rig also
    /// pulls on the rest shape.)
    Vec3d gravity = {};
};

class World {
public:
    /// Explains in one sentence what is wrong: sizes that are not positive, a hull without volume, a mesh that is not
    /// closed, two colliders of one name. Meshes take a moment: their distance field is built here.
    static Result<World> make(const WorldSettings& settings);
    World(const World&);
    World(World&&) noexcept;
    World& operator=(const World&);
    World& operator=(World&&) noexcept;
    ~World();

    std::size_t collider_count() const;
    const Collider& collider(std::size_t k) const;  ///< as it was made
    /// Its index, or collider_count() if none has this name.
    std::size_t find(const std::string& name) const;

    /// Begins a frame: whatever moved in the last one has arrived. The time that drives turbulence advances.
    void begin_frame(double seconds);
    /// Where a collider will be at the end of this frame; it gets there along a straight line. Non-finite numbers are
    /// refused. The turn need not be a unit quaternion.
    bool move(std::size_t collider, Vec3d place, Quat turn = {});
    /// The same at once: it has no speed.
    bool put(std::size_t collider, Vec3d place, Quat turn = {});
    /// The same for an attractor, by its number.
    bool move_attractor(std::size_t attractor, Vec3d place);
    Vec3d place(std::size_t collider) const;
    Quat turn(std::size_t collider) const;
    double time() const;
    /// How far a place is outside of a collider as it stands, negative inside. Outside it may be less than the true
    /// distance.
    double distance(std::size_t collider, Vec3d place) const;

    /// Acceleration by wind and attractors at a place, now.
    Vec3d field(Vec3d place) const;

    struct FASCIA_INSIDE Impl;
    const Impl& impl() const { return *impl_; }

private:
    World();
    std::unique_ptr<Impl> impl_;
};

/// advance in this world. Methods without a memory of their own (skinning) have no flesh that could yield: they just
/// advance.
Verdict advance(const Rig& rig, std::span<const Affine> joints, double dt, const World& world, State& state,
                Workspace& work);
/// settle, pressed by the colliders.
Verdict settle(const Rig& rig, const World& world, State& state, Workspace& work);
/// advance_many for a crowd in one world.
void advance_many(std::span<const InstanceFrame> frames, const World& world, Workspace& work);

/// The surface of a collider as it stands, to be drawn. A plane is drawn as a square of this size around the point of
/// it that is nearest to `about`.
struct ColliderSurface {
    std::vector<Vec3> positions, normals;  ///< scene space
    std::vector<std::uint32_t> triangles = {};
};
ColliderSurface surface_of(const World& world, std::size_t collider, double plane_size, Vec3d about = {});

// ---- files ---------------------------------------------------------------------------------------------------------
/// Where a collider of a file is at a time, in seconds. Between keys it moves in a straight line.
struct ColliderKey {
    double time = 0;
    Vec3d place = {};
    Quat turn = {};
};

/// What a world file holds (docs/schemas/world.schema.json).
struct WorldScene {
    WorldSettings settings = {};
    std::vector<std::vector<ColliderKey>> keys = {};  ///< [colliders] by time; empty: it stands still
};

/// Reads a world file; the meshes that it names are looked for beside it. The error says where and suggests the nearest
/// valid name.
Result<WorldScene> load_world(const std::string& path);
/// folder: where the meshes that it names are
Result<WorldScene> parse_world(std::string_view text, const std::string& name, const std::string& folder = ".");
/// Checks that the character has every joint that the scene names; the error suggests the nearest one.
Status check_world(const WorldScene& scene, const Character& character);
/// Moves everything with keys to where it is at this time; `put` instead of moving it if it has just been made.
void pose_world(const WorldScene& scene, double time, bool put, World& world);

}  // namespace fascia
FASCIA_API_END
