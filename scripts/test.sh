#!/bin/bash
# Runs the tests; ends with a table of the stages' minutes and the line "N passed, N failed".
#     scripts/test.sh quick    the core's tests, one build that compiles fast
#     scripts/test.sh all      every build, sanitizer, fuzzer, browser and Blender check
# The output of each stage is kept in build/stages.
set -u
cd "$(dirname "$0")/.."
mode=${1:-quick}
stages=build/stages
rm -rf "$stages"
mkdir -p "$stages"

# stage NAME KIND ARGUMENTS...: runs one of the kinds below and records its counts and time for the table. `stage ... &`
# runs it in parallel. Stages that run side by side share the cores: the minutes of CPU tell what each of them costs.
stage() {
    local name=$1 file="$stages/${1//[^A-Za-z0-9]/_}" begun=$SECONDS
    times >"$file.cpu"
    shift
    "$@" "$file.log" >"$file.printed" 2>&1
    local counts
    counts=$(tail -n 1 "$file.printed")
    [[ $counts =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]] || counts="0 1 0"
    # shellcheck disable=SC2086
    set -- $counts
    [ "$2" = 0 ] || cat "$file.printed" "$file.log"
    times >>"$file.cpu"
    printf '%-28s %4d passed, %d failed, %d skipped  %5s min, %5s of CPU\n' "$name" "$1" "$2" "$3" \
        "$(minutes $((SECONDS - begun)))" "$(minutes "$(cpu_seconds "$file.cpu")")" | tee "$file.line"
    echo "$1 $2 $3" >"$file.counts"
}

minutes() {
    awk -v s="$1" 'BEGIN {printf "%.1f", s / 60}'
}

# cpu_seconds FILE: between two outputs of `times`, whose second line counts child processes.
cpu_seconds() {
    awk -F '[ms ]+' 'NR % 2 == 0 {used = 60 * $1 + $2 + 60 * $3 + $4 - used} END {print used}' "$1"
}

# The kinds: each gets a log file as its last argument and prints "PASSED FAILED SKIPPED" as its last line.

# check COMMAND...: succeeds or not.
check() {
    local log=${*: -1}
    if "${@:1:$#-1}" >"$log" 2>&1; then echo 1 0 0; else echo 0 1 0; fi
}

# tests PRESET "TARGETS" CTEST_OPTIONS...: builds the targets (none: all), runs the tests.
tests() {
    local preset=$1 targets=$2 log=${*: -1}
    # shellcheck disable=SC2086
    scripts/build.sh "$preset" $targets >"$log" 2>&1 || { echo 0 1 0; return; }
    ctest --test-dir "build/$preset" --output-on-failure -j2 "${@:3:$#-3}" >"$log" 2>&1
    count_tests "$log" "build/$preset/Testing/Temporary/LastTest.log"
}

# count_tests PRINTED LOG: what ctest printed and logged. Shares of programs count as the tests that they ran.
count_tests() {
    awk '/^ *[0-9]+\/[0-9]+ Test +#/ {
            if (/\*\*\*Skipped/) ++skipped; else if (/\*\*\*/) ++bad; else if (!/\.share_/) ++good
        }
        / Testing: / {share = /\.share_/}
        share && /^\[       OK \] / {++good}
        share && /^\[  SKIPPED \] .* ms\)$/ {++skipped}
        END {if (!good && !bad) bad = 1; print good + 0, bad + 0, skipped + 0}' "$1" "$2"
}

# node_tests FILE...: tests run by node itself.
node_tests() {
    local log=${*: -1}
    (cd tests/web && node --test --test-reporter=tap "${@:1:$#-1}") >"$log" 2>&1
    awk '/^# pass / {good = $3} /^# (fail|cancelled) / {bad += $3} /^# skipped / {skipped = $3}
        END {if (good + bad + skipped == 0) bad = 1; print good + 0, bad + 0, skipped + 0}' "$log"
}

# Checks by other programs of what was built for the web; they mostly wait, so they run alongside compilers.
web_stages() {
    stage "wasm in node" node_tests wasm.test.mjs
    stage "server" node_tests serve.test.mjs
    stage "studio in the browser" node_tests studio.test.mjs
    stage "a stranger's visit" node_tests studio_visit.test.mjs
    stage "posing in the browser" node_tests studio_pose.test.mjs
    stage "the package in a Vite app" node_tests package.test.mjs
}

# Tests whose programs `checks` leaves out: ctest names them NAME_NOT_BUILT, without a label.
not_built='^test_(looks|soak|bodies|toy)_NOT_BUILT$'

quick_stages() {
    stage "core" tests quick "" -E "golden\.(threads_[14]|level_)|^package\.|^test_threads"
}

# One build by clang for its warnings, both sanitizers and the fuzzers. At low priority: it fills what the others leave idle.
sanitizer_stages() {
    renice -n 10 $BASHPID >/dev/null
    stage "asan builds" check scripts/build.sh asan checks fuzzers
    stage "asan" tests asan "checks" -LE "web|blender|docs|slow|outside" -E "golden\.(threads_[14]|level_)|$not_built"
    stage "fuzzers, 20 s each" check scripts/fuzz.sh 20
}

all_stages() {
    local node
    node=$(scripts/install_node.sh) && export PATH="$node:$PATH"
    stage "node packages" check scripts/npm_ci.sh tests/web &
    local packages=$!
    stage "release builds" check scripts/build.sh release
    wait $packages
    sanitizer_stages &
    stage "wasm gives the same bits" check scripts/test_wasm.sh
    stage "arm64 gives the same bits" check scripts/test_arm64.sh
    stage "studio builds" check scripts/build_studio.sh
    web_stages &
    stage "release" tests release ""
    stage "sabotage, 5 faults" check scripts/sabotage.sh 5
    # Only what uses several threads: this sanitizer is slow to compile for and to run.
    stage "tsan" tests tsan "test_threads" -R '^threads$'
    wait
}

stage "format" check make -s check-format
stage "folder arrows" check scripts/check_arrows.sh
"${mode}_stages"

echo
cat $(ls -tr "$stages"/*.line)
read -r passed failed skipped <<<"$(cat "$stages"/*.counts | awk '{p += $1; f += $2; s += $3} END {print p, f, s}')"
[ "$skipped" = 0 ] || echo "$skipped skipped (shared data, browser or Blender absent: each says so in its log)"
echo "$(minutes $SECONDS) minutes"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
