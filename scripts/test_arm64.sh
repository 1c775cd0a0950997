#!/bin/sh
# Builds the core for ARM64 and checks in qemu that it gives the same bits as the native builds.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh arm64 golden_hashes
qemu-aarch64 -L /usr/aarch64-linux-gnu build/arm64/tests/golden_hashes 2 60 >build/arm64/hashes.txt
grep -v ' 600 state ' tests/golden/hashes.txt | diff - build/arm64/hashes.txt
