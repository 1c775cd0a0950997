/* The same from C: half a second of the bunny's dance, and where its highest point went. */
#include <stdio.h>
#include <stdlib.h>

#include "fascia/fascia_c.h"

int main(int argc, char** argv) {
    char error[512];
    fascia_character* character = fascia_character_load(argc > 1 ? argv[1] : "bunny", error, sizeof error);
    if (character == NULL) {
        fprintf(stderr, "%s\n", error);
        return 3;
    }
    fascia_rig* rig = fascia_bind(character, argc > 2 ? argv[2] : "dqs", NULL, error, sizeof error);
    if (rig == NULL) {
        fprintf(stderr, "%s\n", error);
        fascia_character_free(character);
        return 2;
    }
    const size_t vertices = fascia_vertex_count(character);
    double* joints = malloc(fascia_joint_count(character) * 12 * sizeof *joints);
    float* positions = malloc(vertices * 3 * sizeof *positions);
    fascia_instance* instance = fascia_instance_new(rig, 1);

    for (int frame = 0; frame <= 30; ++frame) {
        fascia_pose(character, 0, frame / 60.0, joints);
        if (frame == 0) fascia_reset(instance, joints);
        fascia_advance(instance, joints, 1 / 60.0);
    }
    fascia_embed(instance, positions, NULL);

    float top = positions[1];
    for (size_t v = 0; v < vertices; ++v) {
        if (positions[3 * v + 1] > top) top = positions[3 * v + 1];
    }
    printf("%s: %zu vertices, highest point %.3f of the size\n", argc > 1 ? argv[1] : "bunny", vertices,
           top / fascia_size(character));

    fascia_instance_free(instance);
    free(positions);
    free(joints);
    fascia_rig_free(rig);
    fascia_character_free(character);
    return 0;
}
