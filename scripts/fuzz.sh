#!/bin/bash
# Runs every fuzz target for a while under ASan and UBSan, from the committed seeds:  scripts/fuzz.sh SECONDS [TARGET...]
# New inputs are kept under build/asan/found/, crashes under build/asan/crashes/. Ends with an error if any target fails.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-20}
shift || true
targets=${*:-gltf bvh mesh flesh rig tgf world anatomy}

cmake --preset asan >/dev/null
# shellcheck disable=SC2086
cmake --build --preset asan --target $(printf 'fuzz_%s ' $targets)
mkdir -p build/asan/crashes

run() {
    local target=$1 log=build/asan/$1.log dictionary=()
    mkdir -p "build/asan/found/$target"
    [ -f "fuzz/$target.dict" ] && dictionary=(-dict="fuzz/$target.dict")
    # draco is a shared library without leak information of its own.
    local status=0
    "build/asan/fuzz/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=120 -max_len=65536 \
        "${dictionary[@]}" -artifact_prefix="build/asan/crashes/$target-" -print_final_stats=1 \
        "build/asan/found/$target" "fuzz/corpus/$target" >"$log" 2>&1 || status=$?
    echo "== $target: $seconds s"
    tail -n "${FUZZ_LINES:-12}" "$log"
    [ "$status" = 0 ] || { echo "fuzz_$target failed; the input is in build/asan/crashes/"; return 1; }
}

# Two at a time.
bad=0
set -- $targets
while [ $# -gt 0 ]; do
    run "$1" & first=$!
    second=
    [ $# -gt 1 ] && { run "$2" & second=$!; }
    wait "$first" || bad=1
    [ -z "$second" ] || wait "$second" || bad=1
    shift $(($# > 1 ? 2 : 1))
done
exit $bad
