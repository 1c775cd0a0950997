#include "base/workspace.h"

namespace fascia {

Workspace::Workspace(int threads) : impl_(std::make_unique<Impl>(threads)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
int Workspace::threads() const {
    return impl_->pool.size();
}

}  // namespace fascia
