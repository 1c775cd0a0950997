// The flesh file from memory, and back: what is written must be read again.
#include <cstdint>
#include <cstdlib>

#include "fascia/io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fascia::Flesh base = fascia::preset("default").value();
    auto flesh = fascia::parse_flesh({reinterpret_cast<const char*>(data), size}, "fuzz.flesh.json", base);
    if (!flesh) {
        if (flesh.error().message.empty()) std::abort();
        return 0;
    }
    auto again = fascia::parse_flesh(fascia::flesh_to_json(*flesh), "again.flesh.json", base);
    if (!again || again->layers.size() != flesh->layers.size() || fascia::flesh_to_json(*again) != fascia::flesh_to_json(*flesh)) std::abort();
    return 0;
}
