// Memory that notices when it is read. Pages are protected; every access raises a signal whose handler tells reading
// from writing, lets the one instruction pass and protects the pages again. One thread, one such memory at a time.
#pragma once

#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FASCIA_HAS_WRITE_ONLY_MEMORY

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <ucontext.h>

namespace fascia::test {

class WriteOnlyMemory {
public:
    explicit WriteOnlyMemory(std::size_t bytes) : size_((bytes + 4095) / 4096 * 4096) {
        void* pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        first_ = static_cast<unsigned char*>(pages);
    }
    ~WriteOnlyMemory() { munmap(first_, size_); }
    WriteOnlyMemory(const WriteOnlyMemory&) = delete;
    WriteOnlyMemory& operator=(const WriteOnlyMemory&) = delete;

    unsigned char* data() { return first_; }

    /// Runs `body` while the memory is protected.
    template <class Body>
    void watch(Body&& body) {
        reads = writes = 0;
        watched_ = this;
        struct sigaction on_access = {}, on_step = {}, old_access = {}, old_step = {};
        on_access.sa_sigaction = accessed;
        on_step.sa_sigaction = stepped;
        on_access.sa_flags = on_step.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &on_access, &old_access);
        sigaction(SIGTRAP, &on_step, &old_step);
        mprotect(first_, size_, PROT_NONE);
        body();
        mprotect(first_, size_, PROT_READ | PROT_WRITE);
        sigaction(SIGSEGV, &old_access, nullptr);
        sigaction(SIGTRAP, &old_step, nullptr);
        watched_ = nullptr;
    }

    std::size_t reads = 0, writes = 0;  ///< instructions

private:
    static constexpr greg_t trap_flag = 0x100, was_a_write = 2;

    static void accessed(int signal, siginfo_t* info, void* context) {
        auto* at = static_cast<unsigned char*>(info->si_addr);
        if (watched_ == nullptr || at < watched_->first_ || at >= watched_->first_ + watched_->size_) {
            std::signal(signal, SIG_DFL);  // a fault of somebody else: it happens again, and ends the program
            return;
        }
        greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
        ++((registers[REG_ERR] & was_a_write) != 0 ? watched_->writes : watched_->reads);
        mprotect(watched_->first_, watched_->size_, PROT_READ | PROT_WRITE);
        registers[REG_EFL] |= trap_flag;
    }
    static void stepped(int, siginfo_t*, void* context) {
        if (watched_ != nullptr) mprotect(watched_->first_, watched_->size_, PROT_NONE);
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
    }

    static inline WriteOnlyMemory* watched_ = nullptr;
    unsigned char* first_;
    std::size_t size_;
};

}  // namespace fascia::test

#endif
