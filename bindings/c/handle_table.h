// What C holds instead of pointers: a number that names a place in a table and how often that place has been used. A
// handle that was freed, or of another kind, is recognised without touching freed memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace fascia_c {

template <class Object, unsigned kind>
class HandleTable {
public:
    constexpr HandleTable() = default;
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    /// Returns 0 if the table is full and throws if there is no memory; in both cases `object` still belongs to the
    /// caller.
    std::uintptr_t add(std::unique_ptr<Object>& object) {
        const std::lock_guard lock(mutex_);
        std::uint32_t place = free_;
        if (place == none) {
            if (used_ == most) return 0;
            std::atomic<Place*>& page = pages_[used_ / page_size];
            if (page.load(std::memory_order_relaxed) == nullptr)
                page.store(new Place[page_size], std::memory_order_release);
            place = used_++;
        } else {
            free_ = at(place)->next_free;
        }
        Place& to = *at(place);
        to.uses = (to.uses + 1) & use_mask;
        if (to.uses == 0) to.uses = 1;
        const std::uintptr_t handle = ((std::uintptr_t(to.uses) << index_bits | place) << kind_bits) | kind;
        to.object = object.release();
        to.handle.store(handle, std::memory_order_release);
        return handle;
    }

    /// Null unless it is a handle of this table that has not been freed.
    Object* find(std::uintptr_t handle) const {
        Place* place = place_of(handle);
        return place != nullptr ? place->object : nullptr;
    }

    /// Removes the object from the table and returns it; null unless it is a handle of this table.
    std::unique_ptr<Object> take(std::uintptr_t handle) {
        const std::lock_guard lock(mutex_);
        Place* place = place_of(handle);
        if (place == nullptr) return nullptr;
        place->handle.store(0, std::memory_order_release);
        place->next_free = free_;
        free_ = index_of(handle);
        return std::unique_ptr<Object>(std::exchange(place->object, nullptr));
    }

private:
    static constexpr unsigned kind_bits = 3, index_bits = sizeof(void*) >= 8 ? 20 : 16;
    static constexpr unsigned use_bits = sizeof(void*) * 8 - index_bits - kind_bits;
    static constexpr std::uintptr_t use_mask = (std::uintptr_t(1) << use_bits) - 1;
    static constexpr std::uint32_t page_size = 256, most = std::uint32_t(1) << index_bits, none = most;
    static_assert(kind < (1u << kind_bits));

    struct Place {
        std::atomic<std::uintptr_t> handle{0};  ///< 0: unused
        Object* object = nullptr;
        std::uintptr_t uses = 0;
        std::uint32_t next_free = 0;
    };

    static std::uint32_t index_of(std::uintptr_t handle) { return std::uint32_t(handle >> kind_bits) & (most - 1); }
    Place* at(std::uint32_t index) const {
        Place* page = pages_[index / page_size].load(std::memory_order_acquire);
        return page != nullptr ? page + index % page_size : nullptr;
    }
    Place* place_of(std::uintptr_t handle) const {
        if (handle == 0) return nullptr;
        Place* place = at(index_of(handle));
        const bool same = place != nullptr && place->handle.load(std::memory_order_acquire) == handle;
        return same ? place : nullptr;
    }

    mutable std::mutex mutex_;
    std::uint32_t used_ = 0, free_ = none;
    /// Pages are never given back: an old handle must still find its place there.
    std::array<std::atomic<Place*>, most / page_size> pages_{};
};

}  // namespace fascia_c
