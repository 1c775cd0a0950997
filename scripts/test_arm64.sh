#!/bin/sh
# Builds the core for ARM64 and checks in qemu that it gives the same bits as the native builds. Every second run will do:
# each method is among them, and the emulator takes fifteen times as long.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh arm64 golden_hashes
hashes=build/arm64/hashes.txt
qemu-aarch64 -L /usr/aarch64-linux-gnu build/arm64/tests/golden_hashes 1 60 2 >$hashes
if grep -vxFf tests/golden/hashes.txt $hashes; then
    echo "these differ from tests/golden/hashes.txt"
    exit 1
fi
for method in $(cut -d" " -f1 tests/golden/hashes.txt | sort -u); do
    grep -q "^$method " $hashes || { echo "no run of $method"; exit 1; }
done
