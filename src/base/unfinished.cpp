#include "base/unfinished.h"

#include <map>
#include <utility>

#include "fascia/output.h"

namespace fascia {

namespace {

struct Begun {
    std::recursive_mutex mutex;
    std::map<unsigned long, std::function<void()>> undo;  ///< in the order in which they were begun
    unsigned long last = 0;
    bool abandoned = false;
};

/// Never destroyed: a signal may come while the process is already ending.
Begun& begun() {
    static Begun& list = *new Begun;
    return list;
}

}  // namespace

Unfinished::Lock Unfinished::lock() {
    return Lock(begun().mutex);
}

bool Unfinished::too_late() {
    return begun().abandoned;
}

Unfinished::Unfinished(std::function<void()> undo) : number_(++begun().last) {
    begun().undo.emplace(number_, std::move(undo));
}

Unfinished::Unfinished(Unfinished&& other) noexcept : number_(std::exchange(other.number_, 0)) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

void Unfinished::done() {
    if (number_ == 0) return;
    const Lock held = lock();
    begun().undo.erase(std::exchange(number_, 0));
}

void abandon_outputs() {
    const Unfinished::Lock held = Unfinished::lock();
    begun().abandoned = true;
    auto& undo = begun().undo;
    for (auto it = undo.rbegin(); it != undo.rend(); ++it) it->second();
    undo.clear();
}

Status publish_together(const Outputs& outputs) {
    for (const auto& output : outputs)
        if (Status sealed = output->seal(); !sealed) return sealed;
    const Unfinished::Lock held = Unfinished::lock();  // all of them, or none
    for (const auto& output : outputs)
        if (Status published = output->publish(); !published) return published;
    return ok_status();
}

}  // namespace fascia
