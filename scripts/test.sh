#!/bin/bash
# Runs the tests and ends with the line "N passed, N failed".
#     scripts/test.sh quick    the core's tests, one build
#     scripts/test.sh all      every build, sanitizer, fuzzer, browser and Blender check
set -u
cd "$(dirname "$0")/.."
mode=${1:-quick}
passed=0
failed=0
skipped=0

# Runs ctest on a preset's build folder and adds its counts.
run_ctest() {
    local preset=$1
    shift
    local log=build/$preset.tests.log
    ctest --test-dir "build/$preset" --output-on-failure -j2 "$@" >"$log" 2>&1
    local ran bad skip
    ran=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#' "$log")
    bad=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*(\*\*\*Failed|\*\*\*Timeout|\*\*\*Exception|\*\*\*Not Run)' "$log")
    skip=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*\*\*\*Skipped' "$log")
    [ "$ran" = 0 ] && { cat "$log"; bad=1; ran=1; }
    [ "$bad" != 0 ] && cat "$log"
    count "$preset" $((ran - bad - skip)) "$bad" "$skip"
}

count() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
    printf '%-28s %4d passed, %d failed, %d skipped  (%d s)\n' "$1" "$2" "$3" "$4" $((SECONDS - started))
    started=$SECONDS
}

# One check that either succeeds or not.
check() {
    local name=$1
    shift
    local log=build/check.log
    mkdir -p build
    if "$@" >"$log" 2>&1; then count "$name" 1 0 0; else cat "$log"; count "$name" 0 1 0; fi
}

# Runs one file of node's own tests and adds its counts.
run_node() {
    local name=$1 file=$2 log=build/node.log
    (cd tests/web && node --test --test-reporter=tap "$file") >"$log" 2>&1
    local good bad skip
    good=$(sed -n 's/^# pass //p' "$log")
    bad=$(awk '/^# (fail|cancelled) / {n += $3} END {print n + 0}' "$log")
    skip=$(sed -n 's/^# skipped //p' "$log")
    [ -n "$good" ] && [ "$((good + bad + skip))" != 0 ] || { good=0; bad=1; skip=0; }
    [ "$bad" != 0 ] && cat "$log"
    count "$name" "$good" "$bad" "$skip"
}

# build_and_test PRESET "TARGETS" CTEST_OPTIONS...: no targets means all.
build_and_test() {
    local preset=$1 targets=$2
    shift 2
    if scripts/build.sh "$preset" $targets; then run_ctest "$preset" "$@"; else count "$preset: build" 0 1 0; fi
}

started=$SECONDS
check "format" make -s check-format
check "folder arrows" scripts/check_arrows.sh
if [ "$mode" = quick ]; then
    build_and_test release "" -LE "web|blender|docs|slow"
else
    node=$(scripts/install_node.sh) && export PATH="$node:$PATH"
    check "node packages" scripts/npm_ci.sh tests/web
    build_and_test release ""
    # `checks` holds the programs of all tests but the slow ones; ctest names what was left out NAME_NOT_BUILT, without a label.
    build_and_test asan "checks" -LE "web|blender|docs|slow|outside" -E 'golden\.(threads_[14]|level_)|^test_(looks|soak)_NOT_BUILT$'
    # Builds that prove one thing each build only what proves it.
    # The sanitizer that looks for races needs threads, the other compilers the same bits once.
    build_and_test tsan "test_base test_skin test_methods golden_hashes" -R "Thread|thread" -E 'golden\.threads_[12]$'
    build_and_test clang "golden_hashes" -L golden -E 'golden\.threads_[24]$'
    build_and_test debug "golden_hashes" -R 'golden\.threads_1$'
    check "wasm gives the same bits" scripts/test_wasm.sh
    run_node "wasm in node" wasm.test.mjs
    check "studio builds" scripts/build_studio.sh
    run_node "server" serve.test.mjs
    run_node "studio in the browser" studio.test.mjs
    check "fuzzers, 20 s each" scripts/fuzz.sh 20
fi

[ "$skipped" != 0 ] && echo "$skipped skipped (shared data, browser or Blender absent: each says so in its log)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
