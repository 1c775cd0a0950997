/* A C program outside the tree: finds the installed package and includes only fascia's C header. */
#include <stdio.h>

#include "fascia/fascia_c.h"

#if FASCIA_VERSION < 100
#error "this program needs Fascia 0.1"
#endif

int main(void) {
    char error[256];
    fascia_character* tube = fascia_character_load("tube", error, sizeof error);
    fascia_rig* rig = tube != NULL ? fascia_bind(tube, "layers", NULL, error, sizeof error) : NULL;
    if (rig == NULL) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    printf("Fascia %s: %u points\n", fascia_version(), (unsigned)fascia_point_count(rig));
    fascia_rig_free(rig);
    fascia_character_free(tube);
    return 0;
}
