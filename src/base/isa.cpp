#include "base/isa.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "fascia/method.h"

namespace fascia {

namespace {

Isa detect() {
#if defined(FASCIA_MULTI_ISA)
    // Named features rather than "x86-64-v3": clang 14 does not know the level names.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? Isa::v4 : v3 ? Isa::v3 : Isa::v2;
#else
    return Isa::base;
#endif
}

Isa asked(Isa best) {
    const char* wanted = std::getenv("FASCIA_ISA");
    if (wanted == nullptr) return best;
    for (Isa level : {Isa::v2, Isa::v3, Isa::v4}) {
        if (std::strcmp(wanted, isa_name(level)) == 0 && level < best) return level;
    }
    return best;
}

}  // namespace

Isa best_isa() {
    static const Isa level = asked(detect());
    return level;
}

const char* isa_name(Isa isa) {
    switch (isa) {
        case Isa::v2: return "v2";
        case Isa::v3: return "v3";
        case Isa::v4: return "v4";
        case Isa::base: break;
    }
    return "base";
}

const char* vector_level() {
    return isa_name(best_isa());
}

}  // namespace fascia
