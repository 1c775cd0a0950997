// The inside of Workspace: the pool and named scratch arrays that grow once and are then reused.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "fascia/method.h"

namespace fascia {

struct Workspace::Impl {
    explicit Impl(int threads) : pool(threads) {}

    ThreadPool pool;
    std::vector<Affine> matrices;  ///< per-joint scratch in double
    Floats palette;                ///< per-joint scratch in float
    std::vector<Floats> arrays;    ///< per-point scratch, by the method's own numbering

    /// Scratch array `index` with room for `size` floats; its contents are whatever was left there.
    Floats& array(std::size_t index, std::size_t size) {
        if (arrays.size() <= index) arrays.resize(index + 1);
        if (arrays[index].size() < size) arrays[index].resize(size);
        return arrays[index];
    }
};

}  // namespace fascia
