/* A rig and a running instance as bytes: bind once, ship the bytes, stop anywhere and continue with the same bits. Also
 * a patch of cloth that rides along. */
#include <stdio.h>
#include <stdlib.h>

#include "fascia/fascia_c.h"

static void play(const fascia_character* character, fascia_instance* instance, double* joints, int from, int to) {
    for (int frame = from; frame < to; ++frame) {
        fascia_pose(character, 0, frame / 60.0, joints);
        if (frame == 0) fascia_reset(instance, joints);
        fascia_advance(instance, joints, 1 / 60.0);
    }
}

int main(void) {
    char error[512] = "";
    fascia_character* bunny = fascia_character_load("bunny", error, sizeof error);
    fascia_rig* rig = fascia_bind(bunny, "layers", "{\"resolution\": 16}", error, sizeof error);
    double* joints = malloc(fascia_joint_count(bunny) * 12 * sizeof *joints);
    fascia_instance* straight = fascia_instance_new(rig, 1);
    play(bunny, straight, joints, 0, 60);

    /* The first half on the bound rig. */
    fascia_instance* half = fascia_instance_new(rig, 1);
    play(bunny, half, joints, 0, 30);
    const size_t rig_size = fascia_rig_save(rig, NULL, 0), state_size = fascia_instance_save(half, NULL, 0);
    uint8_t *rig_bytes = malloc(rig_size), *state_bytes = malloc(state_size);
    fascia_rig_save(rig, rig_bytes, rig_size);
    fascia_instance_save(half, state_bytes, state_size);

    /* The second half on what was loaded. */
    fascia_rig* loaded = fascia_rig_load(rig_bytes, rig_size, error, sizeof error);
    if (loaded == NULL) {
        fprintf(stderr, "%s\n", error);
        return 3;
    }
    fascia_instance* rest = fascia_instance_new(loaded, 2);
    if (fascia_instance_restore(rest, state_bytes, state_size, error, sizeof error) != 0) {
        fprintf(stderr, "%s\n", error);
        return 3;
    }
    play(bunny, rest, joints, 30, 60);
    const int same = fascia_hash(rest) == fascia_hash(straight);
    printf("rig %zu bytes, state %zu bytes, %s\n", rig_size, state_size, same ? "same bits" : "OTHER BITS");

    /* A patch of three points on the belly, a little off the skin: it goes where the belly goes. */
    const float patch[9] = {-0.05f, 0.6f, 0.45f, 0.05f, 0.6f, 0.45f, 0, 0.7f, 0.45f};
    float now[9] = {0};
    fascia_attached* attached = fascia_attach(loaded, patch, NULL, 3, error, sizeof error);
    if (attached == NULL) {
        fprintf(stderr, "%s\n", error);
        return 3;
    }
    fascia_embed_attached(rest, attached, now, NULL);
    printf("the patch went from %.3f to %.3f\n", patch[1], now[1]);
    fascia_attached_free(attached);

    /* Bytes that are cut off are refused with an error message. */
    fascia_rig* cut = fascia_rig_load(rig_bytes, rig_size / 2, error, sizeof error);
    printf("%s\n", cut == NULL ? error : "a cut file was taken");

    fascia_instance_free(rest);
    fascia_instance_free(half);
    fascia_instance_free(straight);
    free(state_bytes);
    free(rig_bytes);
    free(joints);
    fascia_rig_free(loaded);
    fascia_rig_free(rig);
    fascia_character_free(bunny);
    return same && cut == NULL ? 0 : 1;
}
