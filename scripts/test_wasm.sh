#!/bin/sh
# Builds the core with emscripten and checks in node that it gives the same bits as the native builds.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh wasm
scripts/build_wasm.sh
# emscripten 3.1.6 mistakes node's own fetch for a browser's.
node --no-experimental-fetch build/wasm/tests/golden_hashes.js 1 60 >build/wasm/hashes.txt
grep -v ' 600 state ' tests/golden/hashes.txt | diff - build/wasm/hashes.txt
