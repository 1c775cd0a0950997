#include "base/workspace.h"

#include <string_view>

namespace fascia {

Workspace::Workspace(int threads) : impl_(std::make_unique<Impl>(threads)) {}
Workspace::Workspace(const Jobs& jobs) : impl_(std::make_unique<Impl>(jobs)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
int Workspace::threads() const {
    return impl_->pool.size();
}

double& StageTimes::operator[](const char* name) {
    for (std::size_t k = 0; k < count_; ++k)
        if (std::string_view(stages_[k].name) == name) return stages_[k].seconds;
    // No method has as many stages as there is room for; with more, the last ones would share an entry.
    if (count_ == stages_.size()) return stages_.back().seconds;
    stages_[count_].name = name;
    return stages_[count_++].seconds;
}

double StageTimes::of(const std::string& name) const {
    for (const Stage& stage : all())
        if (name == stage.name) return stage.seconds;
    return 0;
}

}  // namespace fascia
