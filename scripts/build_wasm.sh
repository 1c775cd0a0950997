#!/bin/sh
# Builds the WASM modules (with and without threads) and puts the package together in build/fascia-wasm.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh wasm fascia_wasm fascia_wasm_threads
out=build/fascia-wasm
mkdir -p "$out"
# cp -u: unchanged files keep their date.
cp -u build/wasm/bindings/wasm/out/* "$out"
cp -u bindings/wasm/*.js bindings/wasm/*.d.ts bindings/wasm/package.json bindings/wasm/README.md LICENSE "$out"
