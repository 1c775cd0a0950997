#include "skin/skin_kernels.h"

#include <algorithm>

namespace fascia {

namespace {

constexpr SharingWorth four_lanes{1.0, 1.2}, eight_lanes{1.6, 1.8}, sixteen_lanes{2.2, 3.4};

#if defined(FASCIA_MULTI_ISA)
constexpr SkinKernels levels[] = {{Isa::v2, four_lanes, isa_v2::lbs_blocks, isa_v2::dqs_blocks},
                                  {Isa::v3, eight_lanes, isa_v3::lbs_blocks, isa_v3::dqs_blocks},
                                  {Isa::v4, sixteen_lanes, isa_v4::lbs_blocks, isa_v4::dqs_blocks}};
#else
#if defined(__AVX512F__)
constexpr SharingWorth base_lanes = sixteen_lanes;
#elif defined(__AVX__)
constexpr SharingWorth base_lanes = eight_lanes;
#else
constexpr SharingWorth base_lanes = four_lanes;
#endif
constexpr SkinKernels levels[] = {{Isa::base, base_lanes, isa_base::lbs_blocks, isa_base::dqs_blocks}};
#endif

}  // namespace

std::span<const SkinKernels> skin_kernels() {
    const std::span<const SkinKernels> all(levels);
    const auto usable = std::count_if(all.begin(), all.end(), [](const SkinKernels& k) { return k.isa <= best_isa(); });
    return all.first(static_cast<std::size_t>(usable));
}

}  // namespace fascia
