// The layout of a method's own memory in State::memory: named blocks. The layout creates them, finds them and checks
// whether a State from elsewhere has them; hashing, saving and restoring treat the memory as a whole.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "fascia/method.h"

namespace fascia {

class MemoryLayout {
public:
    /// A block of the memory; the method keeps its number.
    struct Block {
        const char* name;
        std::size_t first = 0, size = 0;  ///< floats
        float start = 0;                  ///< its value in a new State
    };
    using BlockNumber = std::size_t;

    BlockNumber add(const char* name, std::size_t size, float start = 0) {
        blocks_.push_back({name, this->size(), size, start});
        return blocks_.size() - 1;
    }

    std::size_t size() const { return blocks_.empty() ? 0 : blocks_.back().first + blocks_.back().size; }
    std::span<const Block> blocks() const { return blocks_; }

    void make(State& state) const {
        state.memory.clear();
        state.memory.reserve(size());  // there may be hundreds of States
        for (const Block& block : blocks_) state.memory.resize(block.first + block.size, block.start);
    }
    bool fits(const State& state) const { return state.memory.size() == size(); }

    std::span<float> of(State& state, BlockNumber number) const {
        return std::span(state.memory).subspan(blocks_[number].first, blocks_[number].size);
    }
    std::span<const float> of(const State& state, BlockNumber number) const {
        return std::span(state.memory).subspan(blocks_[number].first, blocks_[number].size);
    }

private:
    std::vector<Block> blocks_;
};

}  // namespace fascia
