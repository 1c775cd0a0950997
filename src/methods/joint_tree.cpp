#include "methods/joint_tree.h"

namespace fascia {

std::vector<std::uint8_t> related_joints(const Character& character) {
    const std::size_t n = character.joints.size();
    std::vector<std::uint8_t> related(n * n, 0);
    for (std::size_t j = 0; j < n; ++j) {
        int ancestor = int(j);
        for (int up = 0; up <= 2 && ancestor >= 0; ++up) {
            related[j * n + ancestor] = related[ancestor * n + j] = 1;
            ancestor = character.joints[ancestor].parent;
        }
    }
    return related;
}

}  // namespace fascia
