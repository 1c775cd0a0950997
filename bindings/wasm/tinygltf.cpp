// tinygltf's own code, compiled from its header. Images stay as they are in the file, so that no image library is
// needed.
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
