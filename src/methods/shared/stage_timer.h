// Adds the time until the end of its scope to one stage of the workspace.
#pragma once

#include <chrono>

namespace fascia {

class StageTimer {
public:
    explicit StageTimer(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~StageTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace fascia
