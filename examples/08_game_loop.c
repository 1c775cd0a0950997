/* A game's loop: bind once (or load the rig that was saved), then pose, advance and write into the engine's own vertex
 * buffer every frame. The hero dances, pauses, and is teleported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fascia/fascia_c.h"

typedef struct vertex { /* the engine's own layout */
    float position[3];
    int16_t normal[3];
    uint16_t color;
    float uv[2];
} vertex;

static void fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, fascia_last_error());
    exit(1);
}

int main(void) {
    fascia_character* hero = fascia_character_load("bunny", NULL, 0);
    fascia_rig* rig = hero ? fascia_bind(hero, "layers", "{\"resolution\": 24}", NULL, 0) : NULL;
    fascia_instance* instance = rig ? fascia_instance_new(rig, 1) : NULL;
    const int dance = fascia_find_clip(hero, "dance");
    if (instance == NULL || dance < 0) fail("start");

    const size_t vertices = fascia_rig_vertex_count(rig), joints = fascia_rig_joint_count(rig);
    double* pose = malloc(joints * 12 * sizeof *pose);
    vertex* buffer = calloc(vertices, sizeof *buffer);
    fascia_vertex_buffers out;
    memset(&out, 0, sizeof out);
    out.positions = (fascia_vertex_array){buffer->position, sizeof *buffer, vertices, FASCIA_FLOAT};
    out.normals = (fascia_vertex_array){buffer->normal, sizeof *buffer, vertices, FASCIA_SNORM16};
    out.skip_after_still_frames = 1; /* one buffer */

    double time = 0, place = 0;
    int drawn = 0;
    for (int frame = 0; frame < 900; ++frame) {
        const int paused = frame >= 120 && frame < 780, teleported = frame == 800;
        if (!paused) time += 1 / 60.0;
        if (teleported) place += 100;
        if (fascia_pose(hero, dance, time, pose) != FASCIA_OK) fail("pose");
        for (size_t j = 0; j < joints; ++j) pose[12 * j + 3] += place;
        /* A reset where the motion jumps; everywhere else one frame of the time that has passed. */
        const int status =
            frame == 0 || teleported ? fascia_reset_settled(instance, pose) : fascia_advance(instance, pose, 1 / 60.0);
        int written = 0;
        if (status != FASCIA_OK || fascia_embed_into(instance, &out, &written, NULL) != FASCIA_OK) fail("frame");
        drawn += written; /* upload the buffer only then */
    }
    fascia_counters counters;
    fascia_instance_counters(instance, &counters);
    printf("%zu vertices, %d of 900 frames written, %llu steps, last at x = %.1f\n", vertices, drawn,
           (unsigned long long)counters.steps, buffer[0].position[0]);
    const int good = drawn > 200 && drawn < 850 && buffer[0].position[0] > 90 && counters.refused_poses == 0;
    free(buffer), free(pose);
    fascia_instance_free(instance), fascia_rig_free(rig), fascia_character_free(hero);
    return good ? 0 : 1;
}
