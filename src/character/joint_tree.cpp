#include "character/joint_tree.h"

#include <algorithm>

namespace fascia {

int JointTree::depth(int joint) const {
    int depth = 0;
    for (int j = parents[joint]; j >= 0; j = parents[j]) ++depth;
    return depth;
}

bool JointTree::is_above(int ancestor, int joint) const {
    int j = joint;
    while (j > ancestor) j = parents[j];  // parents come first, so an ancestor has a smaller index
    return j == ancestor && ancestor >= 0;
}

int JointTree::common_ancestor(int a, int b) const {
    while (a != b && a >= 0 && b >= 0) {
        if (a > b) {
            a = parents[a];
        } else {
            b = parents[b];
        }
    }
    return a == b ? a : -1;
}

std::vector<int> JointTree::path_down(int top, int bottom) const {
    if (top < 0 || bottom < 0 || !is_above(top, bottom)) return {};
    std::vector<int> path;
    for (int j = bottom; j != top; j = parents[j]) path.push_back(j);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace fascia
