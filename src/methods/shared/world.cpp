#include "fascia/world.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/portable_math.h"
#include "base/workspace.h"
#include "methods/shared/world_impl.h"

namespace fascia {

namespace {

constexpr std::size_t wave_count = 6;
constexpr double largest_number = 1e9;

bool is_usual(double v) {
    return std::abs(v) <= largest_number;
}
bool is_usual(Vec3d v) {
    return is_usual(v.x) && is_usual(v.y) && is_usual(v.z);
}
bool is_turn(Quat q) {
    const double size = dot(q, q);
    return size > 1e-12 && size < 1e12;
}

std::string called(const Collider& c, std::size_t k) {
    return "collider " + (c.name.empty() ? std::to_string(k) : "'" + c.name + "'");
}

/// What is wrong with the lengths of a collider, or empty.
std::string bad_lengths(const Collider& c) {
    const auto positive = [](double v) { return v > 0 && is_usual(v); };
    const bool round = c.shape == ColliderShape::sphere || c.shape == ColliderShape::capsule;
    if (round && !positive(c.radius)) return "needs a radius above 0";
    if (c.shape == ColliderShape::capsule && !(c.length >= 0 && is_usual(c.length)))
        return "needs a length of 0 or more";
    if (c.shape == ColliderShape::box && !(positive(c.size.x) && positive(c.size.y) && positive(c.size.z)))
        return "needs three edges above 0 as its size";
    if (!(c.friction >= 0 && is_usual(c.friction))) return "needs a friction of 0 or more";
    if (!is_usual(c.place) || !is_turn(c.turn)) return "needs a place and a turn that are finite numbers";
    const auto usual = [](Vec3 p) { return is_usual(to_double(p)); };
    if (!std::all_of(c.points.begin(), c.points.end(), usual)) return "has a point that is not a finite number";
    return {};
}

Result<contact::Solid> solid_of(const Collider& c, const std::string& name) {
    using contact::Solid;
    if (const std::string wrong = bad_lengths(c); !wrong.empty()) return usage_error(name + " " + wrong);
    switch (c.shape) {
        case ColliderShape::plane: return Solid::plane();
        case ColliderShape::sphere: return Solid::sphere(float(c.radius));
        case ColliderShape::capsule: return Solid::capsule(float(c.radius), float(c.length));
        case ColliderShape::box: return Solid::box(to_float(c.size));
        case ColliderShape::hull: {
            std::vector<contact::HalfSpace> sides = contact::convex_hull(c.points);
            if (sides.empty())
                return usage_error(name + " is a hull of points that lie in one plane; it needs a volume");
            return Solid::hull(std::move(sides), c.points);
        }
        case ColliderShape::mesh: break;
    }
    const auto beyond = [&](std::uint32_t v) { return v >= c.points.size(); };
    if (c.triangles.size() % 3 != 0 || std::any_of(c.triangles.begin(), c.triangles.end(), beyond))
        return usage_error(name + " has triangles that name points it does not have");
    if (!contact::is_closed(c.triangles))
        return usage_error(name + " is an open mesh, which has no inside; close its holes, or use a hull");
    return Solid::mesh(c.points, c.triangles);
}

/// Numbers from 0 to 1, the same everywhere.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {}
    double roll() {
        state_ ^= state_ >> 12, state_ ^= state_ << 25, state_ ^= state_ >> 27;
        return double((state_ * 0x2545f4914f6cdd1dull) >> 11) * 0x1p-53;
    }
    Vec3d direction() {
        for (;;) {
            const Vec3d v{2 * roll() - 1, 2 * roll() - 1, 2 * roll() - 1};
            const double size = length(v);
            if (size > 0.1 && size <= 1) return v * (1 / size);
        }
    }

private:
    std::uint64_t state_;
};

std::vector<WindWave> waves_of(const Wind& wind) {
    std::vector<WindWave> out;
    if (!(wind.turbulence > 0)) return out;
    Dice dice(wind.seed);
    // The mean square of a cosine is a half.
    const double each = wind.turbulence * std::sqrt(2.0 / double(wave_count));
    for (std::size_t k = 0; k < wave_count; ++k) {
        const Vec3d along = dice.direction(), side = dice.direction();
        const Vec3d across = normalized(cross(along, side), normalized(cross(along, {along.y, along.z, -along.x})));
        const double longer = 0.6 + 0.8 * dice.roll();
        out.push_back({along * (2 * portable::pi / (wind.eddy * longer)), across * each,
                       2 * portable::pi * wind.pace * (0.6 + 0.8 * dice.roll()), 2 * portable::pi * dice.roll()});
    }
    return out;
}

Status check_fields(const WorldSettings& settings) {
    const Wind& wind = settings.wind;
    if (!is_usual(settings.gravity)) return usage_error("gravity needs to be three finite numbers");
    if (!is_usual(wind.push) || !(wind.turbulence >= 0 && is_usual(wind.turbulence)))
        return usage_error("wind needs a push and a turbulence that are finite numbers, and turbulence 0 or more");
    if (!(wind.eddy > 1e-6 && is_usual(wind.eddy)) || !(wind.pace >= 0 && is_usual(wind.pace)))
        return usage_error("wind needs eddies larger than 0 and a pace of 0 or more");
    for (const Attractor& each : settings.attractors)
        if (!is_usual(each.place) || !(each.radius > 0 && is_usual(each.radius)) || !is_usual(each.strength))
            return usage_error("attractor '" + each.name + "' needs a place, a radius above 0 and a strength");
    return ok_status();
}

/// Sets the world of a workspace and its lanes, and clears it again, whatever happens.
class InWorld {
public:
    InWorld(const World& world, Workspace& work, bool lanes = false) : work_(work), lanes_(lanes) {
        tell(&world.impl());
    }
    ~InWorld() { tell(nullptr); }
    InWorld(const InWorld&) = delete;

private:
    void tell(const World::Impl* world) {
        work_.impl().scratch<WorldOfCall>().world = world;
        if (!lanes_) return;
        for (Workspace& lane : work_.impl().lanes()) lane.impl().scratch<WorldOfCall>().world = world;
    }

    Workspace& work_;
    bool lanes_;
};

}  // namespace

SolidPlace between(const SolidPlace& from, const SolidPlace& to, double share) {
    const double side = dot(from.turn, to.turn) < 0 ? -share : share, left = 1 - share;
    const Quat a = from.turn, b = to.turn;
    return {from.place * left + to.place * share, normalized(Quat{left * a.w + side * b.w, left * a.x + side * b.x,
                                                                  left * a.y + side * b.y, left * a.z + side * b.z})};
}

bool World::Impl::has_gravity() const {
    return !(settings.gravity == Vec3d{});
}

bool World::Impl::has_field() const {
    return is_restless() || !(settings.wind.push == Vec3d{}) || !settings.attractors.empty();
}

Vec3d World::Impl::field(Vec3d place) const {
    Vec3d out = settings.wind.push;
    for (const WindWave& wave : waves)
        out += wave.across * portable::cosine(dot(wave.along, place) - wave.pace * time + wave.phase);
    for (const Attractor& each : settings.attractors) {
        const Vec3d way = (each.place - place) * (1 / each.radius);
        out += way * (2 * each.strength / (1 + dot(way, way)));
    }
    return out;
}

World::World() : impl_(std::make_unique<Impl>()) {}
World::World(const World& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
World::World(World&&) noexcept = default;
World& World::operator=(const World& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<World> World::make(const WorldSettings& settings) {
    World out;
    Impl& impl = *out.impl_;
    impl.settings = settings;
    std::set<std::string> names;
    for (std::size_t k = 0; k < settings.colliders.size(); ++k) {
        const Collider& c = settings.colliders[k];
        const std::string name = called(c, k);
        if (!c.name.empty() && !names.insert(c.name).second)
            return usage_error("two colliders are called '" + c.name + "'");
        Result<contact::Solid> solid = solid_of(c, name);
        if (!solid) return solid.error();
        impl.solids.push_back(std::move(*solid));
        impl.now.push_back({c.place, normalized(c.turn)});
    }
    if (const Status good = check_fields(settings); !good) return good.error();
    impl.last = impl.now;
    impl.waves = waves_of(settings.wind);
    return out;
}

std::size_t World::collider_count() const {
    return impl_->solids.size();
}
const Collider& World::collider(std::size_t k) const {
    return impl_->settings.colliders[k];
}
std::size_t World::find(const std::string& name) const {
    std::size_t k = 0;
    while (k < collider_count() && collider(k).name != name) ++k;
    return k;
}

void World::begin_frame(double seconds) {
    impl_->last = impl_->now;
    if (seconds > 0 && is_usual(seconds)) impl_->time += seconds;
}

bool World::move(std::size_t k, Vec3d place, Quat turn) {
    if (k >= collider_count() || !is_usual(place) || !is_turn(turn)) return false;
    impl_->now[k] = {place, normalized(turn)};
    return true;
}

bool World::put(std::size_t k, Vec3d place, Quat turn) {
    if (!move(k, place, turn)) return false;
    impl_->last[k] = impl_->now[k];
    return true;
}

bool World::move_attractor(std::size_t k, Vec3d place) {
    if (k >= impl_->settings.attractors.size() || !is_usual(place)) return false;
    impl_->settings.attractors[k].place = place;
    return true;
}

Vec3d World::place(std::size_t k) const {
    return impl_->now[k].place;
}
Quat World::turn(std::size_t k) const {
    return impl_->now[k].turn;
}
double World::time() const {
    return impl_->time;
}
double World::distance(std::size_t k, Vec3d place) const {
    const SolidPlace& now = impl_->now[k];
    Vec3 out;
    return impl_->solids[k].distance(to_float(rotate(conjugate(now.turn), place - now.place)), out);
}
Vec3d World::field(Vec3d place) const {
    return impl_->field(place);
}

Verdict advance(const Rig& rig, std::span<const Affine> joints, double dt, const World& world, State& state,
                Workspace& work) {
    const InWorld in(world, work);
    return advance(rig, joints, dt, state, work);
}

Verdict settle(const Rig& rig, const World& world, State& state, Workspace& work) {
    const InWorld in(world, work);
    return settle(rig, state, work);
}

void advance_many(std::span<const InstanceFrame> frames, const World& world, Workspace& work) {
    const InWorld in(world, work, true);
    advance_many(frames, work);
}

}  // namespace fascia
