/* Fascia for C, and for every language that can call C: load, bind, advance, embed.
 *
 * Functions that can fail return NULL (or nonzero) and write one sentence into `error` (at most error_size bytes with
 * the final zero; error may be NULL). Arrays belong to the caller; their lengths are given in [brackets]. A joint
 * matrix is 12 doubles: the three rows of (A | t), world space, x -> A x + t. Characters and rigs may be shared between
 * threads; an instance belongs to one thread at a time.
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

const char* fascia_version(void);

/* A .glb, .gltf or .vrm file, or the name of a bundled character ("bunny"). */
fascia_character* fascia_character_load(const char* path_or_name, char* error, size_t error_size);
void fascia_character_free(fascia_character* character);

size_t fascia_vertex_count(const fascia_character* character);
size_t fascia_triangle_count(const fascia_character* character);
size_t fascia_joint_count(const fascia_character* character);
size_t fascia_clip_count(const fascia_character* character);
/* Longest side of the rest bounding box, scene units. */
double fascia_size(const fascia_character* character);
/* NULL if the index is out of range. The text lives as long as the character. */
const char* fascia_joint_name(const fascia_character* character, size_t joint);
const char* fascia_clip_name(const fascia_character* character, size_t clip);
/* Seconds; 0 if the index is out of range. */
double fascia_clip_duration(const fascia_character* character, size_t clip);
/* triangles: [triangles * 3] */
void fascia_triangles(const fascia_character* character, uint32_t* triangles);
/* joints: [joints * 12]. clip: index, or -1 for the default pose. Nonzero if the clip does not exist. */
int fascia_pose(const fascia_character* character, int clip, double seconds, double* joints);

/* method: "lbs", "dqs", ...; flesh_json: the text of a flesh file, or NULL for the default preset. */
fascia_rig* fascia_bind(const fascia_character* character, const char* method, const char* flesh_json, char* error,
                        size_t error_size);
void fascia_rig_free(fascia_rig* rig);
size_t fascia_point_count(const fascia_rig* rig);

/* ---- methods and their settings ---- */

size_t fascia_method_count(void);
/* NULL if the index is out of range. */
const char* fascia_method_name(size_t index);

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

/* What a rig was bound with, by key ("layers.fat.frequency"). Returns the length of the text with its final zero and
 * writes at most value_size bytes of it; 0 for a key that the method does not have. */
size_t fascia_rig_get(const fascia_rig* rig, const char* key, char* value, size_t value_size);
/* The rig with one setting changed, as by fascia_retune. NULL if that setting is fixed at bind or out of range. */
fascia_rig* fascia_rig_set(const fascia_rig* rig, const char* key, const char* value, char* error, size_t error_size);

/* ---- rigs as bytes ---- */

/* A rig as bytes, so that a game does not have to bind when it loads. Returns their number, and writes them if
 * `capacity` has room for all of them; 0 if this method cannot be saved. */
size_t fascia_rig_save(const fascia_rig* rig, uint8_t* bytes, size_t capacity);
/* NULL for bytes that are cut off, damaged or of another version. */
fascia_rig* fascia_rig_load(const uint8_t* bytes, size_t size, char* error, size_t error_size);

/* The instance keeps its rig alive. threads: 1 or more. */
fascia_instance* fascia_instance_new(const fascia_rig* rig, int threads);
void fascia_instance_free(fascia_instance* instance);

/* For the first frame and teleports: puts every point where skinning puts it, at rest relative to the skeleton. joints:
 * [joints * 12] */
void fascia_reset(fascia_instance* instance, const double* joints);
/* The same, and the flesh comes to rest in this pose before anything moves: a first frame without a jolt, at the cost
 * of about a second of motion. */
void fascia_reset_settled(fascia_instance* instance, const double* joints);
/* One frame of dt seconds that ends in this pose. joints: [joints * 12] */
void fascia_advance(fascia_instance* instance, const double* joints, double dt);
/* positions, normals: [vertices * 3]; normals may be NULL. */
void fascia_embed(fascia_instance* instance, float* positions, float* normals);
/* A further mesh that rides along (clothes), as it lies on the character in its rest pose. positions: [vertices * 3];
 * normals: the same or NULL. It keeps the rig alive. */
fascia_attached* fascia_attach(const fascia_rig* rig, const float* positions, const float* normals, size_t vertices,
                               char* error, size_t error_size);
void fascia_attached_free(fascia_attached* attached);
/* Where it is now. positions: [vertices * 3]; normals: the same, or NULL where the mesh has none. */
void fascia_embed_attached(fascia_instance* instance, const fascia_attached* attached, float* positions,
                           float* normals);
/* Same motion, same bits, same hash. */
uint64_t fascia_hash(const fascia_instance* instance);
/* An instance as bytes, used like those of a rig. A restored instance goes on with the same bits as if it had never
 * stopped. */
size_t fascia_instance_save(const fascia_instance* instance, uint8_t* bytes, size_t capacity);
/* Nonzero for bytes that are damaged or of another rig; the instance then stays as it was. */
int fascia_instance_restore(fascia_instance* instance, const uint8_t* bytes, size_t size, char* error,
                            size_t error_size);

/* ---- what is inside ---- */

/* points: [points * 3] where the points of the simulation are now, scene space. Nonzero if the method has no points
 * inside the body. */
int fascia_points(fascia_instance* instance, float* points);
/* Parts of the body, [points] each; either may be NULL. bones: joint of the bone that carries a point most; joints:
 * joint around which it lies. Nonzero if the method has no parts. */
int fascia_point_parts(const fascia_rig* rig, uint16_t* bones, uint16_t* joints);
/* Cells between the points; 0 if there are none. corners: [cells * 8] points, numbered by bits: 1 for the upper side
 * along x, 2 along y, 4 along z. */
size_t fascia_cell_count(const fascia_rig* rig);
void fascia_cells(const fascia_rig* rig, uint32_t* corners);
/* Volume of the part around each joint as the skeleton alone carries it, divided by its rest volume. Returns how many
 * parts there are and writes as many as `capacity` has room for. joints, ratios: [capacity] */
size_t fascia_joint_volumes(const fascia_instance* instance, uint32_t* joints, double* ratios, size_t capacity);

/* ---- while it runs ---- */

/* The rig under other settings, without binding anew; shares everything else with `rig`. NULL if a setting differs
 * that is fixed at bind (resolution, widths, shares, mode, ...): the error names it. */
fascia_rig* fascia_retune(const fascia_rig* rig, const char* flesh_json, char* error, size_t error_size);
/* Goes on under a retuned rig, without a jump. */
void fascia_instance_use(fascia_instance* instance, const fascia_rig* retuned);

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
 * Nonzero if there is no flesh to hold. */
int fascia_pull(fascia_instance* instance, const double* point, const double* target, double strength);
/* Where to pull from now on: target[3]. */
void fascia_pull_to(fascia_instance* instance, const double* target);
void fascia_release(fascia_instance* instance);

#ifdef __cplusplus
}
#endif
FASCIA_API_END

#endif
