/* Pulling at the flesh of a running instance, changing its settings, and fading it out: no bind in between. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fascia/fascia_c.h"

static void run(fascia_instance* instance, const double* joints, int frames) {
    for (int k = 0; k < frames; ++k) fascia_advance(instance, joints, 1 / 60.0);
}

/* How far the point where the ray meets the surface lies from z = 0. */
static double front(fascia_instance* instance, const double* origin, const double* direction) {
    double point[3] = {0, 0, 0};
    return fascia_pick(instance, origin, direction, point) == 0 ? point[2] : NAN;
}

int main(void) {
    char error[512] = "";
    fascia_character* bunny = fascia_character_load("bunny", error, sizeof error);
    fascia_rig* rig = fascia_bind(bunny, "layers", "{\"resolution\": 24}", error, sizeof error);
    double* joints = malloc(fascia_joint_count(bunny) * 12 * sizeof *joints);
    fascia_pose(bunny, -1, 0, joints);
    fascia_instance* instance = fascia_instance_new(rig, 1);
    fascia_reset(instance, joints);

    /* Take hold of the belly where a ray from the front meets it, and pull it forward by a twentieth of the size. */
    const double size = fascia_size(bunny), origin[3] = {0, 0.4 * size, 3 * size}, direction[3] = {0, 0, -1};
    double point[3], target[3];
    if (fascia_pick(instance, origin, direction, point) != 0) return 1;
    target[0] = point[0], target[1] = point[1], target[2] = point[2] + 0.05 * size;
    if (fascia_pull(instance, point, target, 1) != 0) return 1;
    run(instance, joints, 60);
    const double held = (front(instance, origin, direction) - point[2]) / size;

    /* Let go, with softer flesh. */
    fascia_rig* softer = fascia_retune(rig, "{\"resolution\": 24, \"preset\": \"soft\"}", error, sizeof error);
    if (softer == NULL) return fprintf(stderr, "%s\n", error), 1;
    fascia_instance_use(instance, softer);
    fascia_release(instance);
    run(instance, joints, 6);
    const double swings = (front(instance, origin, direction) - point[2]) / size;

    /* Hide what is left of it within a tenth of a second. */
    if (fascia_fade(instance, "*", 0, 0.1, error, sizeof error) != 0) return fprintf(stderr, "%s\n", error), 1;
    run(instance, joints, 6);
    const double hidden = (front(instance, origin, direction) - point[2]) / size;
    printf("held %.4f, let go %.4f, hidden %.6f of the size\n", held, swings, hidden);

    /* The error names a setting that needs a bind. */
    const int refused = fascia_retune(rig, "{\"resolution\": 40}", error, sizeof error) == NULL;
    printf("%s\n", error);

    fascia_instance_free(instance);
    fascia_rig_free(softer);
    fascia_rig_free(rig);
    free(joints);
    fascia_character_free(bunny);
    return held > 0.02 && fabs(swings) > 1e-4 && fabs(hidden) < 1e-6 && refused ? 0 : 1;
}
