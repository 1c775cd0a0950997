// Which build of a vector kernel runs. A file named *_kernel.cpp is compiled once per level, each time with
// FASCIA_ISA_NAMESPACE set to isa_v2, isa_v3 or isa_v4 (natively) or isa_base (WASM, other processors).
// All levels give the same bits; only the speed differs.
#pragma once

namespace fascia {

enum class Isa { base = 0, v2 = 2, v3 = 3, v4 = 4 };

/// The best level of this processor, or the lower one that FASCIA_ISA=base|v2|v3|v4 asks for. Read once.
Isa best_isa();
const char* isa_name(Isa isa);

}  // namespace fascia

// Picks the namespace's function for the running machine:
//     FASCIA_DISPATCH(skin_lbs)(arguments);
#if defined(FASCIA_MULTI_ISA)
#define FASCIA_DISPATCH(function)                                   \
    (::fascia::best_isa() == ::fascia::Isa::v4   ? isa_v4::function \
     : ::fascia::best_isa() == ::fascia::Isa::v3 ? isa_v3::function \
                                                 : isa_v2::function)
// Declares `signature` in every level's namespace. Use inside namespace fascia.
#define FASCIA_DECLARE_KERNEL(signature) \
    namespace isa_v2 {                   \
    signature;                           \
    }                                    \
    namespace isa_v3 {                   \
    signature;                           \
    }                                    \
    namespace isa_v4 {                   \
    signature;                           \
    }
#else
#define FASCIA_DISPATCH(function) (isa_base::function)
#define FASCIA_DECLARE_KERNEL(signature) \
    namespace isa_base {                 \
    signature;                           \
    }
#endif
