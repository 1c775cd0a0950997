#include "skin/skin_kernels.h"

#include <algorithm>

namespace fascia {

namespace {

constexpr SharingWorth sharing(int lanes) {
    return lanes == 16 ? SharingWorth{2.2, 3.4} : lanes == 8 ? SharingWorth{1.6, 1.8} : SharingWorth{1.0, 1.2};
}

#if defined(FASCIA_MULTI_ISA)
constexpr SkinKernels levels[] = {{Isa::v2, sharing(4), isa_v2::lbs_blocks, isa_v2::dqs_blocks},
                                  {Isa::v3, sharing(8), isa_v3::lbs_blocks, isa_v3::dqs_blocks},
                                  {Isa::v4, sharing(16), isa_v4::lbs_blocks, isa_v4::dqs_blocks}};
#else
#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
constexpr SkinKernels levels[] = {{Isa::base, sharing(lanes), isa_base::lbs_blocks, isa_base::dqs_blocks}};
#endif

}  // namespace

std::span<const SkinKernels> skin_kernels() {
    const std::span<const SkinKernels> all(levels);
    const auto usable = std::count_if(all.begin(), all.end(), [](const SkinKernels& k) { return k.isa <= best_isa(); });
    return all.first(static_cast<std::size_t>(usable));
}

}  // namespace fascia
