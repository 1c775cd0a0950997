/* Every way of writing a surface, into memory that was never written before. Run under valgrind, which reports if any
 * value that was there before influences what is printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fascia/fascia_c.h"

static double sum_of(const float* values, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; ++k)
        if (values[k] > 0) sum += values[k];
    return sum;
}

int main(void) {
    const char* methods[] = {"lbs", "dqs", "bones-blending", "layers", "lattice"};
    fascia_character* tube = fascia_character_load("tube", NULL, 0);
    const size_t n = fascia_vertex_count(tube);
    double* joints = malloc(12 * fascia_joint_count(tube) * sizeof *joints);
    for (size_t m = 0; m < 5; ++m) {
        const int flesh = m >= 3;
        fascia_rig* rig = fascia_bind(tube, methods[m], flesh ? "{\"resolution\": 8}" : NULL, NULL, 0);
        fascia_instance* instance = fascia_instance_new(rig, 1);
        for (int frame = 0; frame < 3; ++frame) {
            fascia_pose(tube, fascia_find_clip(tube, "bend"), frame / 60.0, joints);
            if (frame == 0) fascia_reset(instance, joints);
            fascia_advance(instance, joints, 1 / 60.0);
        }
        float* positions = malloc(3 * n * sizeof *positions);
        float* normals = malloc(3 * n * sizeof *normals);
        if (fascia_embed(instance, positions, normals) != FASCIA_OK) return 1;
        printf("%s %.4f %.4f", methods[m], sum_of(positions, 3 * n), sum_of(normals, 3 * n));
        free(positions), free(normals);

        positions = malloc(3 * n * sizeof *positions);
        if (fascia_embed_skinned(instance, positions, NULL) != FASCIA_OK) return 1;
        printf(" %.4f", sum_of(positions, 3 * n));
        free(positions);

        fascia_vertex_buffers out;
        memset(&out, 0, sizeof out);
        float* vertices = malloc(6 * n * sizeof *vertices);
        out.positions = (fascia_vertex_array){vertices, 24, n, FASCIA_FLOAT};
        out.normals = (fascia_vertex_array){vertices + 3, 24, n, FASCIA_FLOAT};
        out.offsets = 1;
        if (fascia_embed_into(instance, &out, NULL, NULL) != FASCIA_OK) return 1;
        printf(" %.4f\n", sum_of(vertices, 6 * n));
        free(vertices);
        fascia_instance_free(instance);
        fascia_rig_free(rig);
    }
    free(joints);
    fascia_character_free(tube);
    return 0;
}
