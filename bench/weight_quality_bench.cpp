// How close automatic weights come to the artists', and what leaks between limbs: the table of docs/performance.md.
//     bench_weight_quality DATA        the folder with characters/ and weights/
#include <cstdio>
#include <ctime>

#include "support/weight_quality.h"

int main(int argc, char** argv) {
    using namespace fascia;
    const std::string data = argc > 1 ? argv[1] : "../shared/data";
    const auto arm = test::painted_arm(data), hand = test::painted_hand(data),
               man = test::painted_file(data + "/characters/mh_heavy_male.glb");
    std::puts(
        "| weights | arm | hand | heavy man | other leg below mid-thigh, above | other finger | torso on arm, arm on "
        "torso | "
        "fallback | CPU ms, man |");
    std::puts("|---|---|---|---|---|---|---|---|---|");
    for (const std::string& method : weight_methods()) {
        if (method == "file") continue;
        const auto solve = [&](const test::Painted& p) {
            return *compute_weights(p.character, {.method = method, .influences = 8});
        };
        const auto on_arm = solve(arm), on_hand = solve(hand);
        const std::clock_t start = std::clock();
        const auto on_man = solve(man);
        const double ms = 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC;
        const auto legs = test::leg_leak(man.character, on_man.weights);
        const auto arms = test::arm_leak(man, on_man.weights);
        std::printf("| %s | %.2f | %.2f | %.2f | %.3f, %.3f | %.3f | %.3f, %.3f | %.1f %% | %.0f |\n", method.c_str(),
                    difference(arm, on_arm.weights), difference(hand, on_hand.weights), difference(man, on_man.weights),
                    legs.below, legs.above, finger_leak(hand, on_hand.weights), arms.on_arm, arms.on_torso,
                    100 * std::max({on_arm.fallback_share, on_hand.fallback_share, on_man.fallback_share}), ms);
    }
    return 0;
}
