/* The parts of a body around its joints, and how much of its volume each keeps while the body moves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fascia/fascia_c.h"

enum { most_parts = 64 };

static int clip_named(const fascia_character* character, const char* name) {
    for (size_t k = 0; k < fascia_clip_count(character); ++k)
        if (strcmp(fascia_clip_name(character, k), name) == 0) return (int)k;
    return -1;
}

/* Largest change of any part's volume over the clip "bend", and its joint. */
static double worst_change(const fascia_character* tube, const char* flesh, uint32_t* joint) {
    char error[512] = "";
    fascia_rig* rig = fascia_bind(tube, "lattice", flesh, error, sizeof error);
    if (rig == NULL) return fprintf(stderr, "%s\n", error), NAN;
    double joints[12 * most_parts], ratios[most_parts], worst = 0;
    uint32_t parts[most_parts];
    fascia_instance* instance = fascia_instance_new(rig, 1);
    const int bend = clip_named(tube, "bend");
    for (int k = 0; k < 60 * fascia_clip_duration(tube, (size_t)bend); ++k) {
        fascia_pose(tube, bend, k / 60.0, joints);
        if (k == 0) fascia_reset(instance, joints);
        fascia_advance(instance, joints, 1 / 60.0);
        const size_t count = fascia_joint_volumes(instance, parts, ratios, most_parts);
        for (size_t p = 0; p < count && p < most_parts; ++p)
            if (fabs(ratios[p] - 1) > worst) worst = fabs(ratios[p] - 1), *joint = parts[p];
    }
    fascia_instance_free(instance);
    fascia_rig_free(rig);
    return worst;
}

/* Every point belongs to a joint, and every cell has eight points. */
static int check_parts(const fascia_character* tube) {
    fascia_rig* rig = fascia_bind(tube, "lattice", NULL, NULL, 0);
    const size_t points = fascia_point_count(rig), cells = fascia_cell_count(rig);
    uint16_t* bones = malloc(points * sizeof *bones);
    uint16_t* joints = malloc(points * sizeof *joints);
    uint32_t* corners = malloc(cells * 8 * sizeof *corners);
    int good = fascia_point_parts(rig, bones, joints) == 0 && cells > 0;
    for (size_t p = 0; p < points; ++p)
        good = good && bones[p] < fascia_joint_count(tube) && joints[p] < fascia_joint_count(tube);
    fascia_cells(rig, corners);
    for (size_t c = 0; c < 8 * cells; ++c) good = good && corners[c] < points;
    printf("%zu points in %zu cells\n", points, cells);
    free(corners);
    free(joints);
    free(bones);
    fascia_rig_free(rig);
    return good;
}

int main(void) {
    fascia_character* tube = fascia_character_load("tube", NULL, 0);
    if (tube == NULL || fascia_joint_count(tube) > most_parts) return 1;
    uint32_t at = 0;
    const double kept = worst_change(tube, "{\"preserve_volume\": 1}", &at);
    const double lost = worst_change(tube, "{\"preserve_volume\": 0}", &at);
    printf("%s changes its volume by %.2f %%, kept by %.2f %%\n", fascia_joint_name(tube, at), 100 * lost, 100 * kept);
    const int good = check_parts(tube);
    fascia_character_free(tube);
    return good && lost > 0.02 && kept < 0.2 * lost ? 0 : 1;
}
