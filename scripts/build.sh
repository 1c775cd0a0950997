#!/bin/sh
# Configures and builds a preset; prints only problems, and with FASCIA_PROGRESS=1 how far it is.
#     scripts/build.sh PRESET [TARGET...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p build
log=build/$preset.log
# ccache trusts the compiler's own list of headers instead of preprocessing every file first: a tenth of a cold build.
export CCACHE_DEPEND=1
# Paths within the clone count relative to it, so that clones share what one of them has compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
configure="cmake --preset $preset"
if [ "$preset" = wasm ]; then
    # emscripten's scripts look for their node modules here on Debian.
    export NODE_PATH=/usr/share/nodejs
    configure="emcmake cmake --preset wasm -DEigen3_DIR=/usr/share/eigen3/cmake"
fi
if ! $configure >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
say_progress() {
    said=
    while sleep 3; do
        at=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1)
        [ "$at" = "$said" ] || echo "    $at"
        said=$at
    done
}
if [ -n "${FASCIA_PROGRESS:-}" ]; then
    say_progress &
    trap 'kill $! 2>/dev/null' EXIT
fi
if ! cmake --build --preset "$preset" ${*:+--target "$@"} >"$log" 2>&1; then
    grep -E "error|FAILED|undefined" -A 6 "$log" >&2 || tail -n 60 "$log" >&2
    exit 1
fi
