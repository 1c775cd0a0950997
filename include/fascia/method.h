// bind once, then per frame: advance, embed. The same verbs for every method.
//
//     auto rig = bind(character, LbsSettings{});
//     State state = make_state(**rig);
//     Workspace work(2);
//     reset(**rig, pose.joints, state, work);
//     each frame:  advance(**rig, pose.joints, dt, state, work);  embed(**rig, state, surface, work);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"
#include "fascia/settings.h"
#include "fascia/workspace.h"

FASCIA_API_BEGIN
namespace fascia {

/// Memory for arrays that vector kernels read: 64-byte aligned; large blocks on large pages where the system has them.
void* allocate_array(std::size_t bytes);
void free_array(void* block, std::size_t bytes);

template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(allocate_array(n * sizeof(T))); }
    void deallocate(T* p, std::size_t n) { free_array(p, n * sizeof(T)); }
    bool operator==(const AlignedAllocator&) const { return true; }
};
using Floats = std::vector<float, AlignedAllocator<float>>;

/// Events in the life of an instance that a user should know about.
struct Counters {
    std::uint64_t steps = 0;             ///< fixed steps run
    std::uint64_t refused_poses = 0;     ///< joint matrices refused: not finite, singular or mirrored
    std::uint64_t resets = 0;            ///< instances or blocks of points put back to the skinned pose
    std::uint64_t limited_points = 0;    ///< steps in which a point was at the limit of its travel
    std::uint64_t dropped_steps = 0;     ///< steps skipped by the catch-up cap
    std::uint64_t foreign_states = 0;    ///< times it was reset because it belonged to another rig
    std::uint64_t transposed_poses = 0;  ///< poses whose bones meet only if the matrices are transposed
};

/// How much of the secondary motion around one joint is shown, while it changes from one value to another
/// (fascia/live.h).
struct Fade {
    float from = 1, to = 1;
    float elapsed = 0, seconds = 0;
};

/// Flesh that is being held and pulled (fascia/live.h).
struct Grip {
    std::vector<std::uint32_t> points;  ///< indices into the channels, the held one first; empty: nothing is held
    std::vector<float> shares;          ///< [points] share of the pull: 1 at the held point, falling smoothly to 0
    Vec3d arm;                          ///< from the first point to the point of the surface that is held, scene units
    Vec3d target, last_target;          ///< scene space: where it is pulled to now, and in the frame before
    double strength = 0;
};

/// Speed of a joint, per second.
struct JointSpeed {
    Vec3d place;
    Vec3d turn;  ///< axis times angle, radians
};

/// How a joint moved through the last frame: its mean speed, and its speed at the end.
struct JointTrack {
    JointSpeed mean, end;
};

/// What an instance still shows of the rig that it came from (reset_from) until that has faded.
struct Handover {
    std::vector<Vec3> positions,
        normals;                 ///< [vertices] what the surface had then beyond its skinned one; empty: nothing
    std::vector<Vec3> speeds;    ///< [vertices] per second, as its flesh was swinging then; or empty
    std::vector<Affine> joints;  ///< [joints] the pose then: what is shown turns with the body
    float elapsed = 0, seconds = 0;
};

/// One instance: plain arrays. Copy it, hash it, save it, restore it. Points are stored as channels (x..., y..., z...)
/// of `stride` floats; the Rig knows the order of the points.
struct State {
    std::size_t stride = 0;
    Floats positions;                     ///< [3 * stride] in the root's frame
    Floats velocities;                    ///< [3 * stride]
    Floats rotations;                     ///< [4 * stride] w, x, y, z, or empty
    Floats memory;                        ///< whatever else the method keeps, in its own layout; or empty
    std::vector<Affine> joints;           ///< [joints] last accepted world matrices
    std::vector<Affine> previous_joints;  ///< [joints] those of the frame before; poses in between are interpolated
    std::vector<JointTrack> tracks;       ///< [joints] for methods with a memory, otherwise empty
    double last_frame = 0;                ///< duration of the frame that the tracks describe, seconds; 0: unknown
    Affine frame;                         ///< root frame in which the points live
    double accumulator = 0;               ///< seconds not yet simulated, below one step
    std::uint64_t asleep = 0;             ///< 1 when nothing moves any more
    std::uint64_t calm_steps = 0;         ///< steps in a row in which next to nothing moved
    std::uint64_t held_steps = 0;         ///< steps since the skeleton last moved
    std::uint64_t settled_by = 0;         ///< the settings it fell asleep under; other settings wake it
    std::vector<Fade> fades;              ///< [joints], or empty if everything is shown
    Grip grip;                            ///< what a hand does to it
    Counters counters;
    std::uint64_t rig = 0;           ///< Rig::fingerprint of the rig that it belongs to; 0: it was never made
    std::uint64_t still_frames = 0;  ///< frames in a row in which the surface has stayed exactly as it was
    Handover handover;               ///< from its previous rig
};

/// Same bits, same hash: over positions, velocities, rotations, memory, joints, tracks, frame and accumulator, and over
/// fades, grip and hand-over if there are any.
std::uint64_t hash(const State& state);

/// A verb's judgement of its arguments. Functions that run every frame cannot fail: they do what they can, and report
/// it. In debug builds `foreign` and the short spans are assertions.
enum class Verdict {
    fine,
    foreign,       ///< a State or a mesh of another rig: advance and reset started over, embed wrote nothing
    short_pose,    ///< fewer matrices than joints: joints without one stayed as they were
    short_output,  ///< a span with room for fewer vertices than there are: it was left alone
    bad_output,    ///< a type, stride or box that cannot be written: nothing was written
    absent_array,  ///< normals or tangents that the rig does not have: they were left alone
    refused_pose,  ///< matrices that are not finite, singular or mirrored: their joints stayed as they were
    transposed,    ///< used as given, but bones would meet only if the matrices were transposed
};
/// One sentence for a person.
const char* explain(Verdict verdict);

/// Where embed writes. Arrays whose span is empty are not computed. They are written and never read.
struct Surface {
    std::span<Vec3> positions = {};  ///< [vertices]
    std::span<Vec3> normals = {};    ///< [vertices] or empty
    std::span<Vec4> tangents = {};   ///< [vertices] or empty
};

/// Volume of the part of a body around one joint, divided by its rest volume.
struct JointVolume {
    std::size_t joint = 0;
    double ratio = 1;
};

/// Which part of the body each point belongs to, [points] each: the joint of the bone that carries it most, and the
/// joint around which it lies (half of each bone that meets there). Both empty if a method has no parts.
struct PointParts {
    std::vector<std::uint16_t> bones, joints;
};

/// What bind judged stiff and soft, each by the joint that holds it.
struct FoundAnatomy {
    struct Stiff {
        std::size_t joint = 0, shells = 0, vertices = 0;  ///< pieces of the surface that keep their shape
    };
    struct Soft {
        std::size_t joint = 0, vertices = 0;
        double softness = 0;  ///< mean of vertex_softness over these vertices
    };
    bool plates = false;       ///< the body is a machine: nearly all of it is stiff
    std::vector<Stiff> stiff;  ///< most vertices first
    std::vector<Soft> soft;    ///< softest first
};

/// The frequency of a layer of flesh; an automatic one as bind chose it.
struct LayerFrequency {
    std::string layer;
    double hz = 0;
};

struct PointSurface;  ///< methods/shared/point_surface.h
struct EmbedOptions;

class Rig;
using RigPtr = std::shared_ptr<const Rig>;

struct Ray {
    Vec3d origin, direction;  ///< scene space; the direction may have any length
};

/// A further mesh (clothes, hair, armour) as a method has bound it. Opaque; see attach().
class AttachedSurface {
public:
    virtual ~AttachedSurface() = default;
    virtual std::size_t vertex_count() const = 0;
    std::vector<std::string> warnings;   ///< sentences for a person
    bool has_normals = false;            ///< of the mesh it was made from
    std::vector<std::uint32_t> beneath;  ///< [vertices] the nearest vertex of the body
    std::uint64_t rig = 0;               ///< Rig::fingerprint of the rig that it is attached to
};

// ---- facets of a rig: absent if a method does not have them --------------------------------------------------------
/// What is inside the body: points, in layers, parts and cells.
class Inside {
public:
    virtual ~Inside() = default;
    /// Names of the layers: "bone", then outwards.
    virtual std::vector<std::string> layer_names() const = 0;
    /// The layer of each point, as an index into layer_names. [points]
    virtual std::vector<std::uint8_t> point_layers() const = 0;
    /// Distance between neighbouring points at rest, scene units.
    virtual double point_spacing() const = 0;
    /// Voxels along the longest side of the body at rest, even if bind chose them; 0 if the method has none.
    virtual int resolution() const { return 0; }
    /// Where the points are now, in scene space. out: [points]
    virtual void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const = 0;
    /// Parts of the body; both lists are empty if a method has none.
    virtual PointParts point_parts() const { return {}; }
    /// Cells between the points, [cells * 8], or empty. The corners of a cell are numbered by bits: 1 for the upper
    /// side along x, 2 along y, 4 along z.
    virtual std::vector<std::uint32_t> point_cells() const { return {}; }
    /// Volumes of the parts as the skeleton alone moves them, after the last step; empty if a method has no such parts.
    virtual std::vector<JointVolume> joint_volumes(const State&) const { return {}; }
    /// How far the flesh at each vertex swings, by its depth, parts and masks: 0 stiff, 1 deep and free. [vertices] or
    /// empty
    virtual std::vector<float> vertex_softness() const { return {}; }
    virtual FoundAnatomy anatomy() const { return {}; }
    virtual std::vector<LayerFrequency> layer_frequencies() const { return {}; }
};

/// What can be done to an instance while it runs; fascia/live.h calls it.
class Live {
public:
    virtual ~Live() = default;
    virtual std::vector<std::string> joint_names() const = 0;
    /// `settings` have been checked and differ only in live fields.
    virtual Result<RigPtr> retuned(const Settings& settings) const = 0;
    virtual Status fade(const std::string&, double /*amount*/, double /*seconds*/, State&) const { return ok_status(); }
    virtual std::optional<Vec3d> pick(const Ray&, const State&, Workspace&) const { return std::nullopt; }
    virtual bool grip(Vec3d, State&) const { return false; }
};

/// Further meshes that ride along; attach() and embed() of an AttachedMesh call it.
class Clothes {
public:
    virtual ~Clothes() = default;
    virtual Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const = 0;
    virtual void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                                Workspace& work) const = 0;
};

/// Everything that is computed once. Immutable after bind; share it between instances and threads. Its virtual
/// functions are what a method provides; programs call the functions below, which also check what they are given.
class Rig {
public:
    virtual ~Rig() = default;

    /// The settings it was bound or retuned with.
    virtual const Settings& settings() const = 0;
    const char* method() const { return settings().method(); }
    virtual std::size_t joint_count() const = 0;
    virtual std::size_t vertex_count() const = 0;
    virtual std::size_t point_count() const = 0;
    /// Tells rigs apart: the same number for the same character bound with the same built-in settings, even after
    /// loading or retuning; never 0.
    virtual std::uint64_t fingerprint() const = 0;
    /// Whether embed writes these: only if the character has them.
    virtual bool has_normals() const = 0;
    virtual bool has_tangents() const = 0;
    /// Sentences for a person: what was clamped, fused or attached rigidly.
    virtual std::vector<std::string> warnings() const { return {}; }

    virtual State make_state() const = 0;
    /// Can this State continue under this rig? Checks sizes and numbers against the method's layout.
    virtual bool accepts(const State& state) const = 0;
    virtual void reset(std::span<const Affine> joints, State& state, Workspace& work) const = 0;
    /// Behind reset_settled; nothing to do in a method without a memory.
    virtual void settle(State&, Workspace&) const {}
    virtual void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const = 0;
    /// Behind reset_from: continues the motion of `other`, a State of `from`, as far as both are of one kind. `state`
    /// has just been reset to the same pose.
    virtual void take_over(const Rig& /*from*/, const State& /*other*/, State& /*state*/, Workspace&) const {}
    virtual void embed(const State& state, const Surface& out, Workspace& work) const = 0;
    /// Does embed read back what it has written? If so, it is given memory of the workspace to write to.
    virtual bool embed_reads() const { return true; }
    /// The weights that carry the vertices, or null if the method does not expose any.
    virtual const SkinWeights* skin_weights() const { return nullptr; }
    /// The surface that the method's own weights give without simulation ("fully skinned").
    virtual void embed_skinned(const State& state, const Surface& out, Workspace& work) const {
        embed(state, out, work);
    }
    /// What save_rig writes after the settings; only the method's own loader reads it.
    virtual Result<std::vector<std::uint8_t>> save_content() const {
        return usage_error(std::string("rigs of method '") + method() + "' cannot be saved yet; bind at load instead");
    }

    /// The surface and the points that carry it, for embeddings that are not the method's own; null if it has none.
    virtual std::shared_ptr<const PointSurface> point_surface() const { return nullptr; }
    /// How its points carry the surface, if not in the method's own way (BindInputs::embed).
    virtual const EmbedOptions* embedding() const { return nullptr; }
    /// The method's own rig, where this one is wrapped around it.
    virtual const Rig& plain() const { return *this; }

    virtual const Inside* inside() const { return nullptr; }
    virtual const Live* live() const { return nullptr; }
    virtual const Clothes* clothes() const { return nullptr; }
};

/// How many points each layer has, from the bone outwards; empty if a method has no layers.
struct LayerCount {
    std::string name;
    std::size_t points = 0;
};
std::vector<LayerCount> layer_counts(const Rig& rig);

// ---- binding -------------------------------------------------------------------------------------------------------
/// Reads the values of a mask that is an image, [vertices] 0..1; load_mask in fascia/io.h is one such function.
using MaskReader = Result<std::vector<float>> (*)(const std::string& mask, const Character& character);

/// The values of a mask that is a vertex colour channel ("COLOR_1.r"), [vertices] 0..1.
Result<std::vector<float>> mask_from_colors(const std::string& mask, const Character& character);

/// How points inside the body carry its surface, for methods that have such points (Abilities::embeddings).
struct EmbedOptions {
    /// "auto": the method's own way. "trilinear", "blend" and "dq" mix the eight points around each vertex: their
    /// positions, their motions, or these as dual quaternions. "rbf" and "domains" are smooth: radial functions on the
    /// voxels of the surface, or on samples of it, bone by bone.
    std::string how = "auto";
    std::string kernel = "gauss";  ///< of rbf and domains: "gauss", "wendland" or "thin-plate"
    int samples = 300;             ///< of domains, 4..5000
};

/// What bind takes besides the character and the settings.
struct BindInputs {
    std::string weights = "auto";    ///< "file", "geodesic", ... (fascia/weights.h); auto: the file's own if it has any
    std::vector<Clip> clips;         ///< motions it will be used with, besides those of the character
    std::vector<float> mask;         ///< [vertices] 0..1 if the mask is an image that has been read already
    MaskReader read_mask = nullptr;  ///< for a mask that has not been read yet
    bool rectify = false;            ///< restores volume for methods that lose it (Abilities::can_be_rectified)
    EmbedOptions embed;              ///< how points carry the surface
    int threads = 1;                 ///< for solving weights
    /// Called in the thread that binds with the share done, 0 to 1 and never decreasing. If it returns false, bind ends
    /// with an error and leaves nothing behind.
    std::function<bool(double share)> progress = nullptr;
};

/// Computes everything a method needs, or explains in one sentence why it cannot.
Result<RigPtr> bind(const Character& character, const Settings& settings, const BindInputs& inputs = {});
/// The same for a method given by name, with the settings that `flesh` asks for.
Result<RigPtr> bind(const Character& character, const std::string& method, const Flesh& flesh,
                    const BindInputs& inputs = {});

inline State make_state(const Rig& rig) {
    return rig.make_state();
}
/// Puts every point where skinning puts it, with no velocity relative to the skinned motion: for the first frame,
/// teleports, a distant level of detail.
Verdict reset(const Rig& rig, std::span<const Affine> joints, State& state, Workspace& work);
/// Lets the flesh come to rest in the pose that the State has, as if it had been held there for a long time. The motion
/// that follows is assumed to have been under way already. Costs as much as half a second of motion.
Verdict settle(const Rig& rig, State& state, Workspace& work);
/// A first frame in the middle of a motion: the flesh bends, hangs and presses as it does in this pose, and the motion
/// that follows starts without a jolt.
Verdict reset_settled(const Rig& rig, std::span<const Affine> joints, State& state, Workspace& work);
/// Runs whole fixed steps up to this frame's pose, carries over the remainder and caps the catch-up. Never fails.
Verdict advance(const Rig& rig, std::span<const Affine> joints, double dt, State& state, Workspace& work);
/// Carries the points to the surface, in scene space. fascia/vertex_buffers.h writes other layouts.
Verdict embed(const Rig& rig, const State& state, const Surface& out, Workspace& work);
/// The same pose without the secondary motion.
Verdict embed_skinned(const Rig& rig, const State& state, const Surface& out, Workspace& work);

// ---- levels of detail ----------------------------------------------------------------------------------------------
/// How long a hand-over takes unless stated otherwise, in seconds.
inline constexpr double usual_handover = 0.4;
/// Switches a body to another rig of the same character: another resolution, another method, or plain skinning. `state`
/// becomes a State of `rig` in the pose of `other`, which belongs to `from`. It shows exactly the surface that `other`
/// shows, keeps its swing, and the difference between the two rigs fades within `seconds`; until then embedding costs
/// about twice as much. Faded joints stay faded between rigs of one method; a held point is released. Allocates.
/// `foreign`, and nothing happens, if `other` is not a State of `from` or the rigs differ in joints; if they differ in
/// vertices, only the flesh's own motion is handed over.
Verdict reset_from(const Rig& rig, const Rig& from, const State& other, State& state, Workspace& work,
                   double seconds = usual_handover);

// ---- many instances ------------------------------------------------------------------------------------------------
/// One instance in a batch: what advance and embed take.
struct InstanceFrame {
    const Rig* rig = nullptr;
    std::span<const Affine> joints;  ///< [joints] of the rig
    double dt = 0;
    State* state = nullptr;  ///< each State at most once in a batch
    Surface surface;         ///< where to embed; without positions, nothing is embedded
};
/// advance, and embed where asked, for a crowd: whole instances are spread over the threads, which synchronise once per
/// frame instead of dozens of times per step. Same bits as one by one. List instances of one rig next to each other:
/// scratch memory is cleared where the rig changes. Each thread has scratch of its own and allocates only when it meets
/// a rig that is larger than those before.
void advance_many(std::span<const InstanceFrame> frames, Workspace& work);

// ---- clothes -------------------------------------------------------------------------------------------------------
/// A further mesh that rides along on a rig, either embedded in the same volume or tied to the nearest surface. Share
/// it like the rig.
struct AttachedMesh {
    RigPtr rig;
    std::shared_ptr<const AttachedSurface> surface;
};
/// `mesh`: static, in scene space, as it lies on the character in its rest pose.
Result<AttachedMesh> attach(const RigPtr& rig, const Mesh& mesh);
/// Where the mesh is now. `state` must belong to the same rig. out: [vertices of the mesh]; no tangents.
Verdict embed(const AttachedMesh& mesh, const State& state, const Surface& out, Workspace& work);

// ---- saving and loading ------------------------------------------------------------------------------------------
/// A rig as bytes, so that a game does not have to bind when it loads. Read on any machine, they produce the same bits
/// in every run.
Result<std::vector<std::uint8_t>> save_rig(const Rig& rig);
/// Refuses bytes that are cut off, damaged or of a version that is too old with a sentence that names `name`; also a
/// rig of another method if `method` is given.
Result<RigPtr> load_rig(std::span<const std::uint8_t> bytes, const std::string& name = "rig",
                        const std::string& method = {});
/// An instance as bytes: saving, restoring and continuing gives the same bits as never having stopped. Empty if the
/// State belongs to another rig.
std::vector<std::uint8_t> save_state(const Rig& rig, const State& state);
/// Also refuses the state of another rig.
Result<State> load_state(const Rig& rig, std::span<const std::uint8_t> bytes, const std::string& name = "state");

}  // namespace fascia
FASCIA_API_END
