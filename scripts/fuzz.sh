#!/bin/bash
# Runs every fuzz target for a while under ASan and UBSan, from the committed seeds:  scripts/fuzz.sh SECONDS [TARGET...]
# New inputs are kept under build/fuzz/found/, crashes under build/fuzz/crashes/. Ends with an error at the first crash.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-20}
shift || true
targets=${*:-gltf bvh mesh flesh rig tgf}

cmake --preset fuzz >/dev/null
mkdir -p build/fuzz/crashes
for target in $targets; do
    cmake --build --preset fuzz --target "fuzz_$target"
    mkdir -p "build/fuzz/found/$target"
    dictionary=()
    [ -f "fuzz/$target.dict" ] && dictionary=(-dict="fuzz/$target.dict")
    echo "== $target: $seconds s"
    # tinygltf and draco come as shared libraries without leak information of their own.
    "build/fuzz/fuzz/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=120 -max_len=65536 \
        "${dictionary[@]}" -artifact_prefix="build/fuzz/crashes/$target-" -print_final_stats=1 \
        "build/fuzz/found/$target" "fuzz/corpus/$target" 2>&1 | tail -n "${FUZZ_LINES:-12}"
    [ "${PIPESTATUS[0]}" = 0 ] || { echo "fuzz_$target failed; the input is in build/fuzz/crashes/"; exit 1; }
done
