/* An engine's own mesh and skeleton, without a file: a tail on four bones, interleaved vertices with joints and weights
 * in 8 bits, 16-bit triangles, inverse bind matrices as columns of floats. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fascia/fascia_c.h"

enum { rings = 33, bones = 4 };

typedef struct vertex {
    float position[3];
    uint8_t joints[4], weights[4];
} vertex;

static vertex vertices[rings * 8];
static uint16_t triangles[(rings - 1) * 8 * 6 + 2 * 6 * 3];
static float inverse_binds[bones][16];

/* The tail lies along z from 0 to 4; each bone is 1 long. */
static size_t make_tail(void) {
    size_t corner = 0;
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < 8; ++s) {
            vertex* v = &vertices[r * 8 + s];
            const double z = 4.0 * r / (rings - 1), angle = s * 3.14159265 / 4, along = z - 0.5;
            const int bone = along < 0 ? 0 : along >= bones - 1 ? bones - 1 : (int)along;
            const double next = along < 0 || bone == bones - 1 ? 0 : along - bone;
            v->position[0] = (float)(0.3 * cos(angle)), v->position[1] = (float)(0.3 * sin(angle));
            v->position[2] = (float)z;
            v->joints[0] = (uint8_t)bone, v->joints[1] = (uint8_t)(bone + 1);
            v->weights[1] = (uint8_t)(255 * next + 0.5), v->weights[0] = (uint8_t)(255 - v->weights[1]);
            if (v->weights[1] == 0) v->joints[1] = 0;
        }
    for (int r = 0; r + 1 < rings; ++r)
        for (int s = 0; s < 8; ++s) {
            const int a = r * 8 + s, b = r * 8 + (s + 1) % 8;
            const int quad[6] = {a, b, b + 8, a, b + 8, a + 8};
            for (int k = 0; k < 6; ++k) triangles[corner++] = (uint16_t)quad[k];
        }
    for (int s = 1; s + 1 < 8; ++s) {
        const int last = (rings - 1) * 8, ends[6] = {0, s + 1, s, last, last + s, last + s + 1};
        for (int k = 0; k < 6; ++k) triangles[corner++] = (uint16_t)ends[k];
    }
    for (int b = 0; b < bones; ++b) {
        for (int k = 0; k < 4; ++k) inverse_binds[b][5 * k] = 1;
        inverse_binds[b][14] = (float)-b; /* the joint stands at z = b */
    }
    return corner;
}

int main(void) {
    static const char* const names[bones] = {"root", "tail_1", "tail_2", "tail_3"};
    static const int32_t parents[bones] = {-1, 0, 1, 2};
    fascia_character_arrays from;
    memset(&from, 0, sizeof from);
    const size_t corners = make_tail(), n = rings * 8;
    from.name = "tail";
    from.positions = (fascia_array){vertices->position, n, sizeof(vertex), FASCIA_FLOAT};
    from.triangles = (fascia_array){triangles, corners, 0, FASCIA_UINT16};
    from.influences = 4;
    from.joint_indices = (fascia_array){vertices->joints, n, sizeof(vertex), FASCIA_UINT8};
    from.joint_weights = (fascia_array){vertices->weights, n, sizeof(vertex), FASCIA_UNORM8};
    from.joint_names = names, from.joint_parents = parents;
    from.joint_rests = (fascia_array){inverse_binds, bones, 0, FASCIA_FLOAT};
    from.matrix_form = FASCIA_COLUMNS_4X4, from.inverse_binds = 1;
    fascia_character* tail = fascia_character_make(&from, NULL, 0);
    fascia_rig* rig = tail ? fascia_bind(tail, "layers", NULL, NULL, 0) : NULL;
    fascia_instance* instance = rig ? fascia_instance_new(rig, 1) : NULL;
    if (instance == NULL) return fprintf(stderr, "%s\n", fascia_last_error()), 1;

    /* The engine's own pose, columns of floats: the whole tail is shaken sideways. */
    float columns[bones][16];
    double joints[12 * bones], most = 0;
    float *now = malloc(3 * n * sizeof *now), *skinned = malloc(3 * n * sizeof *skinned);
    for (int frame = 0; frame < 60; ++frame) {
        memset(columns, 0, sizeof columns);
        for (int b = 0; b < bones; ++b) {
            for (int k = 0; k < 4; ++k) columns[b][5 * k] = 1;
            columns[b][12] = (float)(0.3 * sin(0.4 * frame)), columns[b][14] = (float)b;
        }
        const fascia_array given = {columns, bones, 0, FASCIA_FLOAT};
        fascia_matrices(&given, FASCIA_COLUMNS_4X4, joints);
        if (frame == 0) fascia_reset(instance, joints);
        fascia_advance(instance, joints, 1 / 60.0);
        fascia_embed(instance, now, NULL);
        fascia_embed_skinned(instance, skinned, NULL);
        for (size_t k = 0; k < 3 * n; ++k) most = fmax(most, fabs(now[k] - skinned[k]));
    }
    printf("the flesh of the tail leaves its skeleton by up to %.3f of the size\n", most / fascia_size(tail));

    /* Mistakes are reported before they can do harm. */
    triangles[5] = 9999;
    char error[256] = "";
    const int refused = fascia_character_make(&from, error, sizeof error) == NULL;
    printf("%s\n", error);
    free(skinned), free(now);
    fascia_instance_free(instance), fascia_rig_free(rig), fascia_character_free(tail);
    return refused && most > 1e-3 ? 0 : 1;
}
