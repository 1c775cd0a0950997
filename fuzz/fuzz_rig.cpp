// A rig file from memory. The checksum is corrected first, so that the fuzzer gets past it; a rig that is accepted must
// also run.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "fascia/method.h"
#include "support/rig_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    fascia::test::mend_checksum(bytes);
    const auto rig = fascia::load_rig(bytes, "fuzz.rig");
    if (!rig) {
        if (rig.error().message.empty()) std::abort();
        return 0;
    }
    fascia::Workspace work;
    fascia::State state = fascia::make_state(**rig);
    std::vector<fascia::Affine> joints = state.joints;
    for (int frame = 0; frame < 2; ++frame) {
        for (fascia::Affine& joint : joints) joint.m[0][3] += 0.01;
        fascia::advance(**rig, joints, 1 / 60.0, state, work);
    }
    std::vector<fascia::Vec3> positions((*rig)->vertex_count());
    fascia::embed(**rig, state, {positions, {}, {}}, work);
    // Whatever is written must be readable again.
    const auto saved = fascia::save_rig(**rig);
    const auto loaded = saved ? fascia::load_rig(*saved) : saved.error();
    if (!loaded || *fascia::save_rig(**loaded) != *saved) std::abort();
    return 0;
}
