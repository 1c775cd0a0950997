/* Fascia for C, and for every language that can call C: load or make a character, bind, advance, embed.
 *
 * Functions that can fail return NULL, 0 or a status other than FASCIA_OK; fascia_last_error() then says why in one
 * sentence, for the calling thread. Those that build something also write it into `error` (at most error_size bytes
 * with the final zero; error may be NULL). No call throws, and none ends the program when memory runs out.
 *
 * Arrays belong to the caller; their lengths are given in [brackets]. A joint matrix is 12 doubles: the three rows of
 * (A | t), world space, x -> A x + t; fascia_matrices converts other kinds. Characters, rigs and attached meshes
 * may be shared between threads; an instance belongs to one thread at a time. A handle that was freed is recognised,
 * and what was made for one rig is refused by another.
 *
 * Everything that C++ offers at run time is here; its tools (writers, pictures, measurements, rigging of
 * static meshes) are not. How to put it into an engine: docs/engine.md.
 */
#ifndef FASCIA_C_H
#define FASCIA_C_H

#include <stddef.h>
#include <stdint.h>

#include "fascia/api.h"
#include "fascia/version.h"

FASCIA_API_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

typedef struct fascia_character fascia_character;
typedef struct fascia_rig fascia_rig;
typedef struct fascia_instance fascia_instance;
typedef struct fascia_attached fascia_attached;
typedef struct fascia_workspace fascia_workspace;
typedef struct fascia_world fascia_world;

enum fascia_status {
    FASCIA_OK = 0,
    FASCIA_REFUSED = 1,    /* something is wrong with the arguments; nothing was done */
    FASCIA_FOREIGN = 2,    /* a handle that is NULL or was freed, or one made for another rig */
    FASCIA_NO_MEMORY = 3,  /* memory or threads ran out; everything is as it was, or as after a reset */
    FASCIA_BAD_POSE = 4,   /* done, but matrices were refused: not finite, singular, mirrored; their joints stayed */
    FASCIA_TRANSPOSED = 5, /* done, but the matrices look transposed: bones would meet only if transposed */
    FASCIA_NONE = 6        /* there is nothing of that kind: no such clip, no flesh there, the method has no layers */
};

const char* fascia_version(void);
/* Which build of the vector kernels runs here: "base", "v2", "v3" or "v4". */
const char* fascia_vector_level(void);
/* Why the last call of this thread failed; empty if none has. Stays until the next failure. */
const char* fascia_last_error(void);

/* ---- characters ---- */

/* A .glb, .gltf or .vrm file, or the name of a bundled character ("bunny"). */
fascia_character* fascia_character_load(const char* path_or_name, char* error, size_t error_size);
/* The bytes of such a file. `name` is for messages. */
fascia_character* fascia_character_from_memory(const uint8_t* bytes, size_t size, const char* name, char* error,
                                               size_t error_size);
void fascia_character_free(fascia_character* character);

/* A view of numbers in the caller's memory. */
enum fascia_type {
    FASCIA_FLOAT = 0,
    FASCIA_DOUBLE = 1,
    FASCIA_HALF = 2,
    FASCIA_UINT8 = 3,
    FASCIA_UINT16 = 4,
    FASCIA_UINT32 = 5,
    FASCIA_UNORM8 = 6,  /* 0..255 means 0..1 */
    FASCIA_UNORM16 = 7, /* 0..65535 means 0..1 */
    FASCIA_SNORM8 = 8,  /* -127..127 means -1..1 */
    FASCIA_SNORM16 = 9  /* -32767..32767 means -1..1 */
};

typedef struct fascia_array {
    const void* data; /* the first item; NULL: there is no such array */
    size_t count;     /* items */
    size_t stride;    /* bytes from item to item; 0: one after the other */
    int type;         /* of enum fascia_type */
} fascia_array;

/* The layout of a matrix in memory, as floats or doubles. */
enum fascia_matrix_form {
    FASCIA_ROWS_3X4 = 0,    /* three rows of (A | t) */
    FASCIA_ROWS_4X4 = 1,    /* the same with a row 0 0 0 1 */
    FASCIA_COLUMNS_4X4 = 2, /* four columns, t last: OpenGL, glTF, glm; also row vectors in rows, as in DirectX */
    FASCIA_COLUMNS_4X3 = 3  /* the same without 0 0 0 1 */
};

/* A character from the caller's own arrays. Set everything to zero first; optional arrays may stay zero. */
typedef struct fascia_character_arrays {
    const char* name;
    fascia_array positions;         /* 3 numbers per vertex, at rest, scene units */
    fascia_array normals;           /* 3; optional: made from the triangles */
    fascia_array tangents;          /* 4, the last of them the handedness; optional */
    fascia_array uvs;               /* 2; optional */
    fascia_array colors;            /* 4; optional */
    fascia_array mask_colors;       /* 4, for masks ("COLOR_1.r"); optional */
    fascia_array triangles;         /* one whole number per corner: [triangles * 3] */
    fascia_array joint_indices;     /* `influences` whole numbers per vertex */
    fascia_array joint_weights;     /* `influences` numbers per vertex, sum 1 */
    int influences;                 /* 1 to 8 */
    const char* const* joint_names; /* [joints], or NULL */
    const int32_t* joint_parents;   /* [joints] an earlier joint, or -1 */
    fascia_array joint_rests;       /* a matrix per joint: its world matrix in the pose in which the mesh was bound */
    int matrix_form;                /* of enum fascia_matrix_form */
    int inverse_binds;              /* nonzero: joint_rests hold the inverses of those matrices */
    fascia_array joint_tails;       /* 3: where each bone ends at rest; optional: guessed as for files */
} fascia_character_arrays;

/* Everything is checked: an index out of range, a parent that is not an earlier joint, non-finite numbers, and weights
 * that do not add up to 1 are refused with a sentence. The arrays may be freed afterwards. */
fascia_character* fascia_character_make(const fascia_character_arrays* arrays, char* error, size_t error_size);

size_t fascia_vertex_count(const fascia_character* character);
size_t fascia_triangle_count(const fascia_character* character);
size_t fascia_joint_count(const fascia_character* character);
size_t fascia_clip_count(const fascia_character* character);
/* Longest side of the rest bounding box, scene units. */
double fascia_size(const fascia_character* character);
/* NULL if the index is out of range. The text lives as long as the character. */
const char* fascia_joint_name(const fascia_character* character, size_t joint);
/* The joint above, -1 for a root, -2 if the index is out of range. Parents come first. */
int fascia_joint_parent(const fascia_character* character, size_t joint);
/* World matrix at rest, 12 doubles, and where the bone ends, 3; either may be NULL. */
int fascia_joint_rest(const fascia_character* character, size_t joint, double* rest, double* tail);
/* The joint of this name, or -1. */
int fascia_find_joint(const fascia_character* character, const char* name);
const char* fascia_clip_name(const fascia_character* character, size_t clip);
/* The clip of this name, or -1. */
int fascia_find_clip(const fascia_character* character, const char* name);
/* Seconds; 0 if the index is out of range. */
double fascia_clip_duration(const fascia_character* character, size_t clip);
/* triangles: [triangles * 3] */
int fascia_triangles(const fascia_character* character, uint32_t* triangles);
/* The surface at rest: [vertices * 3], [vertices * 3], [vertices * 4], [vertices * 2]; each may be NULL. FASCIA_NONE if
 * one was asked for that the character does not have; the others are written. */
int fascia_rest_surface(const fascia_character* character, float* positions, float* normals, float* tangents,
                        float* uvs);
/* What was repaired while reading, one sentence each; NULL after the last. */
const char* fascia_remark(const fascia_character* character, size_t index);
/* How many joints per vertex, and the weights. joints, weights: [vertices * influences], unused ones 0, or NULL.
 */
int fascia_influences(const fascia_character* character);
int fascia_skin_weights(const fascia_character* character, uint16_t* joints, float* weights);

/* The same character with one more clip at the end: a .bvh file, which is retargeted, or a bundled motion
 * ("bundled:walk"). Assumptions made about the motion follow the other remarks. `character` is not changed. */
fascia_character* fascia_character_with_motion(const fascia_character* character, const char* motion, char* error,
                                               size_t error_size);
/* The same from the text of a .bvh file; `name` becomes the clip's. */
fascia_character* fascia_character_with_bvh(const fascia_character* character, const char* text, size_t size,
                                            const char* name, char* error, size_t error_size);
/* The bundled motions, "walk" and so on; NULL after the last. */
const char* fascia_bundled_motion(size_t index);
/* The bundled characters; NULL after the last. */
const char* fascia_bundled_character(size_t index);

/* joints: [joints * 12]. clip: index, or -1 for the default pose. Nonzero if the clip does not exist. */
int fascia_pose(const fascia_character* character, int clip, double seconds, double* joints);
/* The pose in which the character was bound. */
int fascia_rest_pose(const fascia_character* character, double* joints);
/* Matrices of another kind (floats or doubles, any form and stride) as this header wants them. joints: [count * 12] */
int fascia_matrices(const fascia_array* from, int matrix_form, double* joints);

/* ---- rigs ---- */

/* method: "lbs", "dqs", ...; flesh_json: the text of a flesh file, or NULL for the default preset. */
fascia_rig* fascia_bind(const fascia_character* character, const char* method, const char* flesh_json, char* error,
                        size_t error_size);

/* Further inputs to bind; set everything to zero first. */
typedef struct fascia_bind_options {
    const char* flesh_json; /* or NULL */
    const char* weights;    /* "file", "geodesic", "diffusion", ...; NULL: the character's own if it has any */
    int rectify;            /* nonzero: restores volume for methods that lose it */
    int threads;            /* for solving weights */
    const float* mask;      /* [vertices] 0..1 instead of the flesh's mask, or NULL */
    /* Called in the calling thread with the share done, 0 to 1 and never decreasing; or NULL. If it returns 0,
     * bind stops there, returns NULL and leaves nothing behind. */
    int (*progress)(double share, void* user);
    void* progress_user; /* passed to it */
    /* How points carry the surface: "trilinear", "blend", "dq", "rbf", "domains"; NULL: the method's own way */
    const char* embed;
    const char* embed_kernel; /* of rbf and domains: "gauss", "wendland", "thin-plate"; NULL: gauss */
    int embed_samples;        /* of domains; 0: 300 */
} fascia_bind_options;

fascia_rig* fascia_bind_with(const fascia_character* character, const char* method, const fascia_bind_options* options,
                             char* error, size_t error_size);
void fascia_rig_free(fascia_rig* rig);

size_t fascia_rig_vertex_count(const fascia_rig* rig);
size_t fascia_rig_joint_count(const fascia_rig* rig);
size_t fascia_point_count(const fascia_rig* rig);
const char* fascia_rig_method(const fascia_rig* rig);
/* NULL if the index is out of range, or the method keeps no names. The text lives as long as the rig, which may have
 * been loaded. */
const char* fascia_rig_joint_name(const fascia_rig* rig, size_t joint);
/* 1 if embedding writes normals or tangents: only if the character has them. */
int fascia_rig_has_normals(const fascia_rig* rig);
int fascia_rig_has_tangents(const fascia_rig* rig);
/* The weights that skin the surface, also where bind computed them, as fascia_skin_weights gives them; 0 or FASCIA_NONE
 * if the method does not say. */
int fascia_rig_influences(const fascia_rig* rig);
int fascia_rig_skin_weights(const fascia_rig* rig, uint16_t* joints, float* weights);
/* Equal for rigs between which instances can be exchanged: bound to the same character with the same built-in settings,
 * loaded or retuned. 0 for no rig. */
uint64_t fascia_rig_fingerprint(const fascia_rig* rig);
/* What was clamped, fused or attached rigidly: one sentence each; NULL after the last. */
const char* fascia_rig_warning(const fascia_rig* rig, size_t index);
/* Voxels along the longest side, even if bind chose them, and the spacing of the points; 0 if the method has none.
 */
int fascia_rig_resolution(const fascia_rig* rig);
double fascia_rig_spacing(const fascia_rig* rig);

/* ---- methods and their settings ---- */

size_t fascia_method_count(void);
/* NULL if the index is out of range. */
const char* fascia_method_name(size_t index);
/* Half a sentence, and the publication; NULL for a method that does not exist. */
const char* fascia_method_summary(const char* method);
const char* fascia_method_from(const char* method);
/* The stages of a frame in their order, ways to carry the surface besides "auto", and weights that the method computes
 * itself; NULL after the last. */
const char* fascia_method_stage(const char* method, size_t index);
const char* fascia_method_embedding(const char* method, size_t index);
const char* fascia_method_own_weights(const char* method, size_t index);
/* Weights that can be computed for any method; NULL after the last. */
const char* fascia_weight_method(size_t index);

/* What a method can do: each nonzero or 0. */
typedef struct fascia_abilities {
    int simulates;     /* what it shows depends on the motion so far */
    int has_layers;    /* points in named layers */
    int has_cells;     /* cells between the points */
    int has_parts;     /* points know which part of the body they belong to */
    int takes_clothes; /* further meshes can be attached */
    int takes_mask;
    int takes_hand; /* can be pulled at */
    int feels_gravity;
    int can_be_rectified;
    int blends_clips; /* looks at the character's clips when it is bound */
} fascia_abilities;

int fascia_method_abilities(const char* method, fascia_abilities* out);

/* One setting of a method. Texts live as long as the program. */
typedef struct fascia_setting {
    const char* key;     /* "resolution"; for layers, parts and joints the last word of layers.NAME.frequency */
    const char* scope;   /* "whole", "layer", "part" or "joint" */
    const char* kind;    /* "boolean", "whole", "number", "choice", "text" or "vector" */
    double min, max;     /* of numbers */
    int automatic;       /* for numbers, nonzero: "auto" is allowed too; bind then chooses to suit the body */
    int live;            /* nonzero: fascia_rig_set and fascia_retune may change it */
    const char* unit;    /* empty if there is none */
    const char* meaning; /* for a person */
} fascia_setting;

/* 0 for a method that does not exist. */
size_t fascia_setting_count(const char* method);
/* Nonzero if there is no such setting. */
int fascia_setting_info(const char* method, size_t index, fascia_setting* out);
/* The options of a choice; NULL after the last. */
const char* fascia_setting_choice(const char* method, size_t index, size_t choice);
/* The default as text, used like fascia_rig_get; 0 if there is none of its own. */
size_t fascia_setting_usual(const char* method, size_t index, char* value, size_t value_size);

/* The presets; NULL after the last. */
const char* fascia_preset(size_t index);
/* A preset as the text of a flesh file. Returns its length with the final zero and writes at most
 * text_size bytes of it; 0 if there is no such preset. */
size_t fascia_preset_flesh(const char* preset, char* text, size_t text_size);

/* The value a rig was bound with, by key ("layers.fat.frequency"). Returns the text's length with its final zero and
 * writes at most value_size bytes of it; 0 for a key that the method does not have. */
size_t fascia_rig_get(const fascia_rig* rig, const char* key, char* value, size_t value_size);
/* The rig with one setting changed, as by fascia_retune. NULL if that setting is fixed at bind or out of range. */
fascia_rig* fascia_rig_set(const fascia_rig* rig, const char* key, const char* value, char* error, size_t error_size);

/* ---- rigs as bytes ---- */

/* A rig as bytes, so that a game does not have to bind when it loads. Returns their number, and writes them if
 * `capacity` has room for all of them; 0 if this method cannot be saved. */
size_t fascia_rig_save(const fascia_rig* rig, uint8_t* bytes, size_t capacity);
/* NULL for bytes that are cut off, damaged or of a version that is too old; the error says what to do. */
fascia_rig* fascia_rig_load(const uint8_t* bytes, size_t size, char* error, size_t error_size);

/* ---- instances ---- */

/* The instance keeps its rig alive. threads: 1 or more. */
fascia_instance* fascia_instance_new(const fascia_rig* rig, int threads);
/* Another one in the same state, with its own memory and threads, or in the workspace that this one works in. */
fascia_instance* fascia_instance_copy(const fascia_instance* instance);
void fascia_instance_free(fascia_instance* instance);

/* For the first frame and teleports: puts every point where skinning puts it, at rest relative to the skeleton. joints:
 * [joints * 12] */
int fascia_reset(fascia_instance* instance, const double* joints);
/* The same, and the flesh comes to rest in this pose before anything moves: a first frame without a jolt, at the cost
 * of about a second of motion. */
int fascia_reset_settled(fascia_instance* instance, const double* joints);
/* Lets the flesh come to rest in the pose that the instance has. */
int fascia_settle(fascia_instance* instance);
/* For levels of detail: continues `from`, an instance of another rig of the same character (another resolution,
 * another method, plain skinning), in its pose. It shows the same surface, and the difference between the rigs fades
 * within `seconds` (0.4 is usual). Between rigs of one method flesh keeps swinging. FASCIA_FOREIGN if the rigs differ
 * in joints. */
int fascia_reset_from(fascia_instance* instance, const fascia_instance* from, double seconds);
/* One frame of dt seconds that ends in this pose. joints: [joints * 12] */
int fascia_advance(fascia_instance* instance, const double* joints, double dt);
/* positions, normals: [vertices * 3]; either may be NULL. Writes them and never reads them. */
int fascia_embed(fascia_instance* instance, float* positions, float* normals);
/* The same pose without the secondary motion. */
int fascia_embed_skinned(fascia_instance* instance, float* positions, float* normals);

/* Where fascia_embed_into writes one attribute of every vertex: the caller's vertex buffer, mapped or not. It is
 * written once, from the first vertex to the last, and never read. */
typedef struct fascia_vertex_array {
    void* data;      /* the first vertex's attribute, offset included; NULL: not wanted */
    size_t stride;   /* bytes from vertex to vertex; 0: one after the other */
    size_t vertices; /* how many there is room for */
    int type;        /* FASCIA_FLOAT; positions also FASCIA_UNORM16 in the box, normals and tangents FASCIA_SNORM16 */
} fascia_vertex_array;

/* Set everything to zero first. */
typedef struct fascia_vertex_buffers {
    fascia_vertex_array positions; /* 3 numbers per vertex */
    fascia_vertex_array normals;   /* 3 */
    fascia_vertex_array tangents;  /* 4 */
    float low[3], high[3];         /* the box for positions in 16 bits */
    int offsets;                   /* nonzero: positions are offsets from those of fascia_embed_skinned */
    /* Writes nothing once the surface has been exactly the same for this many frames: 1 with one buffer, 3 in a ring of
     * three; 0: always writes. */
    unsigned skip_after_still_frames;
} fascia_vertex_buffers;

/* written: 1, or 0 if nothing had moved; clamped: vertices outside the box. Both may be NULL. */
int fascia_embed_into(fascia_instance* instance, const fascia_vertex_buffers* out, int* written, size_t* clamped);

/* What has happened to an instance since it was made. */
typedef struct fascia_counters {
    uint64_t steps;            /* fixed steps run */
    uint64_t refused_poses;    /* joint matrices refused: not finite, singular or mirrored */
    uint64_t resets;           /* times it was put back to the skinned pose */
    uint64_t limited_points;   /* steps in which a point was at the limit of its travel */
    uint64_t dropped_steps;    /* steps skipped because a frame took too long */
    uint64_t foreign_states;   /* times it was reset because its state was of another rig */
    uint64_t transposed_poses; /* poses that look transposed */
} fascia_counters;

int fascia_instance_counters(const fascia_instance* instance, fascia_counters* out);
/* 1 while nothing moves and advancing costs next to nothing, otherwise 0. */
int fascia_instance_asleep(const fascia_instance* instance);
/* Frames in a row in which the surface has stayed exactly as it was. */
uint64_t fascia_instance_still_frames(const fascia_instance* instance);

/* Same motion, same bits, same hash. */
uint64_t fascia_hash(const fascia_instance* instance);
/* An instance as bytes, used like those of a rig. A restored instance continues with the same bits as if it had never
 * stopped. */
size_t fascia_instance_save(const fascia_instance* instance, uint8_t* bytes, size_t capacity);
/* Nonzero for bytes that are damaged or of another rig; the instance then stays as it was. */
int fascia_instance_restore(fascia_instance* instance, const uint8_t* bytes, size_t size, char* error,
                            size_t error_size);

/* ---- many instances, and the threads of the host ---- */

/* Scratch memory and threads that many instances share; an instance on its own takes megabytes of memory and starts
 * threads of its own. One thread at a time may use it, so its instances are advanced one after another, or all by
 * fascia_advance_many. It lives until it and all its instances are freed. threads: 1 or more, including the caller's;
 * fewer if the system refuses some. */
fascia_workspace* fascia_workspace_new(int threads);
/* The same on the threads of the host: no thread is started. parallel_for must call task(context, k) once for every k
 * below count, on any threads, in any order, and return when all are done; it is passed `user`. threads: the most
 * tasks that work is split into. */
typedef void (*fascia_task)(void* context, size_t k);
typedef void (*fascia_parallel_for)(size_t count, fascia_task task, void* context, void* user);
fascia_workspace* fascia_workspace_on_host(fascia_parallel_for parallel_for, void* user, int threads);
void fascia_workspace_free(fascia_workspace* workspace);
/* The number of threads; 0 for no workspace. */
int fascia_workspace_threads(const fascia_workspace* workspace);
/* Seconds that a stage of fascia_method_stage has taken here since the workspace was made, on the calling thread of
 * each verb; 0 for a stage that has not run. */
double fascia_workspace_seconds(const fascia_workspace* workspace, const char* stage);

/* An instance that uses this workspace. */
fascia_instance* fascia_instance_new_in(const fascia_rig* rig, fascia_workspace* workspace);
/* Uses this workspace from now on: for hosts whose threads take whichever instance is next, with one workspace each.
 */
int fascia_instance_work_in(fascia_instance* instance, fascia_workspace* workspace);

/* One frame of one instance: what fascia_advance and fascia_embed take. */
typedef struct fascia_frame {
    fascia_instance* instance; /* each at most once in a call */
    const double* joints;      /* [joints * 12] */
    double dt;
    float* positions; /* [vertices * 3]; NULL: only advanced */
    float* normals;   /* [vertices * 3] or NULL */
} fascia_frame;

/* Advances and embeds a crowd: whole instances are spread over the threads, with the same bits as one by one. Their own
 * workspaces are not used. FASCIA_FOREIGN or FASCIA_REFUSED, and nothing was done, if a frame has no instance or
 * matrices or an instance occurs twice; otherwise everything was done, and the status is that of the last frame that
 * had a problem. */
int fascia_advance_many(fascia_workspace* workspace, const fascia_frame* frames, size_t count);

/* ---- what a body touches ---- */

/* Things to touch, wind and attractors, from the text of a world file (docs/schemas/world.schema.json); meshes that it
 * names are files. Any number of instances may be advanced in one world, but nothing in it may be moved
 * in the meantime. */
fascia_world* fascia_world_new(const char* json, char* error, size_t error_size);
void fascia_world_free(fascia_world* world);
size_t fascia_world_collider_count(const fascia_world* world);
/* The collider's index, or the number of colliders if none has this name. */
size_t fascia_world_find(const fascia_world* world, const char* collider);
/* NULL if the index is out of range. The text lives as long as the world. */
const char* fascia_world_collider_name(const fascia_world* world, size_t collider);
/* Where a collider stands: place[3], turn[4] as w x y z; either may be NULL. */
int fascia_world_place(const fascia_world* world, size_t collider, double* place, double* turn);
/* How far place[3] is outside of a collider, negative inside. */
int fascia_world_distance(const fascia_world* world, size_t collider, const double* place, double* distance);
/* Acceleration by wind and attractors at place[3], now. */
int fascia_world_field(const fascia_world* world, const double* place, double* acceleration);
/* Begins a frame: whatever moved in the last one has arrived. Turbulence advances by dt seconds. */
int fascia_world_begin_frame(fascia_world* world, double dt);
/* Where a collider will be at the end of this frame; with `at_once`, it is there already and has no speed. place: x y
 * z. turn: w x y z, or NULL for none. */
int fascia_world_move(fascia_world* world, size_t collider, const double* place, const double* turn, int at_once);
int fascia_world_move_attractor(fascia_world* world, size_t attractor, const double* place);
/* fascia_advance and fascia_settle in this world. */
int fascia_advance_in(fascia_instance* instance, const fascia_world* world, const double* joints, double dt);
int fascia_settle_in(fascia_instance* instance, const fascia_world* world);
/* fascia_advance_many for a crowd in one world. */
int fascia_advance_many_in(fascia_workspace* workspace, const fascia_world* world, const fascia_frame* frames,
                           size_t count);

/* ---- clothes ---- */

/* A further mesh that rides along (clothes), as it lies on the character in its rest pose. positions: [vertices * 3];
 * normals: the same or NULL. It keeps the rig alive. */
fascia_attached* fascia_attach(const fascia_rig* rig, const float* positions, const float* normals, size_t vertices,
                               char* error, size_t error_size);
void fascia_attached_free(fascia_attached* attached);
size_t fascia_attached_vertex_count(const fascia_attached* attached);
/* One sentence each; NULL after the last. */
const char* fascia_attached_warning(const fascia_attached* attached, size_t index);
/* Where it is now. positions: [vertices * 3]; normals: the same, or NULL where the mesh has none. FASCIA_FOREIGN if it
 * was attached to a rig other than the instance's. */
int fascia_embed_attached(fascia_instance* instance, const fascia_attached* attached, float* positions, float* normals);

/* ---- what is inside ---- */

/* points: [points * 3] where the points of the simulation are now, scene space. Nonzero if the method has no points
 * inside the body. */
int fascia_points(fascia_instance* instance, float* points);
/* The layers from the bone outwards; NULL after the last, or if the method has none. */
const char* fascia_layer_name(const fascia_rig* rig, size_t layer);
/* layers: [points] */
int fascia_point_layers(const fascia_rig* rig, uint8_t* layers);
/* How far the flesh at each vertex swings: 0 stiff, 1 deep and free. softness: [vertices] */
int fascia_vertex_softness(const fascia_rig* rig, float* softness);
/* The frequency of a layer of flesh, even if bind chose it; 0 if there is no such layer. */
double fascia_layer_frequency(const fascia_rig* rig, const char* layer);
/* Parts of the body, [points] each; either may be NULL. bones: joint of the bone that carries a point most; joints:
 * joint around which it lies. Nonzero if the method has no parts. */
int fascia_point_parts(const fascia_rig* rig, uint16_t* bones, uint16_t* joints);
/* Cells between the points; 0 if there are none. corners: [cells * 8] points, numbered by bits: 1 for the upper side
 * along x, 2 along y, 4 along z. */
size_t fascia_cell_count(const fascia_rig* rig);
int fascia_cells(const fascia_rig* rig, uint32_t* corners);
/* What bind judged stiff and soft, by joint. */
typedef struct fascia_anatomy_part {
    size_t joint;
    size_t shells;   /* pieces of the surface that keep their shape; 0: flesh */
    size_t vertices; /* in those pieces, or in that flesh */
    double softness; /* of flesh: the mean of fascia_vertex_softness */
} fascia_anatomy_part;

/* Stiff parts first, largest first, then flesh, softest first. Returns how many parts there are and writes as
 * many as `capacity` has room for. */
size_t fascia_rig_anatomy(const fascia_rig* rig, fascia_anatomy_part* parts, size_t capacity);
/* Volume of the part around each joint as the skeleton alone carries it, divided by its rest volume. Returns how many
 * parts there are and writes as many as `capacity` has room for. joints, ratios: [capacity] */
size_t fascia_joint_volumes(const fascia_instance* instance, uint32_t* joints, double* ratios, size_t capacity);

/* ---- at run time ---- */

/* The rig under other settings, without binding again; shares everything else with `rig`. NULL if a setting differs
 * that is fixed at bind (resolution, widths, shares, mode, ...): the error names it. */
fascia_rig* fascia_retune(const fascia_rig* rig, const char* flesh_json, char* error, size_t error_size);
/* Continues under a retuned rig without a jump. FASCIA_FOREIGN, and nothing changes, if it is not the same rig retuned.
 */
int fascia_instance_use(fascia_instance* instance, const fascia_rig* retuned);

/* Fades to showing `amount` (0..1) of the secondary motion around the joints that match a pattern ("*": all) within
 * `seconds`. 0 is the skinned surface. Nonzero if the pattern matches nothing or a number is out of range. */
int fascia_fade(fascia_instance* instance, const char* joints, double amount, double seconds, char* error,
                size_t error_size);
/* Shows these joints and hides all others. */
int fascia_solo(fascia_instance* instance, const char* joints, double seconds, char* error, size_t error_size);

/* Where a ray (origin[3], direction[3], scene space) first meets the surface as it is now: point[3]. Nonzero: it
 * misses. */
int fascia_pick(fascia_instance* instance, const double* origin, const double* direction, double* point);
/* Takes hold of the flesh at point[3] and pulls it towards target[3] until released; a strength of 1 is a firm hand.
 * Nonzero if there is no flesh to hold at that point, or a number is not finite. */
int fascia_pull(fascia_instance* instance, const double* point, const double* target, double strength);
/* Where to pull from now on: target[3]. */
int fascia_pull_to(fascia_instance* instance, const double* target);
int fascia_release(fascia_instance* instance);
/* 1 while flesh is held, otherwise 0. */
int fascia_is_held(const fascia_instance* instance);

/* Method "handles": lets the handles (joints) that match a pattern hold the surface, or not; the next advance shows it.
 * Nonzero if the pattern matches nothing or the method has no handles. */
int fascia_enable_handles(fascia_instance* instance, const char* handles, int on, char* error, size_t error_size);
/* 1 if a handle holds the surface, otherwise 0. */
int fascia_is_handle_enabled(const fascia_instance* instance, size_t handle);
/* Turns handles about their own centres, in rest-pose axes, on top of their joints' turns. turn: a quaternion w,
 * x, y, z. */
int fascia_turn_handles(fascia_instance* instance, const char* handles, const double* turn, char* error,
                        size_t error_size);

#ifdef __cplusplus
}
#endif
FASCIA_API_END

#endif
