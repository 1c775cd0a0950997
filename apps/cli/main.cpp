// fascia: the command line. Reads the arguments, runs one command, says what went wrong in one sentence.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <malloc.h>
#include <sys/resource.h>

#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "interrupt.h"
#include "parse_errors.h"

namespace fascia::cli {
namespace {

int exit_status(const Error& error) {
    switch (error.kind) {
        case Error::Kind::usage: return exit_usage;
        case Error::Kind::input: return exit_input;
        case Error::Kind::output: return exit_output;
    }
    return exit_input;
}

int fail(const Error& error) {
    if (interrupted()) return exit_interrupted;
    print_error(error.message);
    return exit_status(error);
}

/// The allocator gives each thread an arena, which reserves 64 MB of address space: where that is limited, all threads
/// share one.
void share_memory_where_addresses_are_limited() {
    rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

void describe(CLI::App& root) {
    root.name("fascia");
    root.description("Fascia gives skeleton-driven characters flesh.");
    root.set_version_flag("--version", "fascia " FASCIA_VERSION_STRING);
    root.require_subcommand(0, 1);
    root.set_help_flag("-h,--help", "Print this help and exit");
    root.footer(
        "Examples:\n"
        "  fascia demo                                      bake the bundled bunny, with pictures\n"
        "  fascia info hero.glb                             what is in a file, and what is wrong with it\n"
        "  fascia bake hero.glb --motion walk -o walk.glb   deform a clip and write it\n"
        "\n'fascia COMMAND --help' says more about each command.");
}

Status run(int argc, char** argv) {
    CLI::App root;
    Action action;
    describe(root);
    add_info_command(root, action);
    add_bake_command(root, action);
    add_compare_command(root, action);
    add_rig_command(root, action);
    add_handles_command(root, action);
    add_neck_command(root, action);
    add_bench_command(root, action);
    add_demo_command(root, action);
    add_characters_command(root, action);
    try {
        root.parse(argc, argv);
    } catch (const CLI::Success& asked) {
        return print_asked(root, asked);
    } catch (const CLI::ParseError& error) {
        return explain(root, error);
    }
    if (!action) return explain_missing_command(root);
    return action();
}

/// Bad input must never end in a crash: exceptions of the standard library become a sentence too.
Status run_guarded(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        return input_error("not enough memory for this; try a smaller character, motion or resolution");
    } catch (const std::exception& error) {
        return input_error(std::string("something unexpected happened: ") + error.what());
    }
}

}  // namespace
}  // namespace fascia::cli

int main(int argc, char** argv) {
    using namespace fascia::cli;
    // A closed pipe or a file-size limit is a write error, not the end of the process.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    share_memory_where_addresses_are_limited();
    watch_for_interrupt();
    const fascia::Status status = run_guarded(argc, argv);
    if (!status) return fail(status.error());
    const fascia::Status flushed = flush_output();
    return flushed ? exit_done : fail(flushed.error());
}
