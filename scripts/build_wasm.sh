#!/bin/sh
# Builds the WASM modules (with and without threads) and puts the package together in build/fascia-wasm; in
# build/fascia-wasm-lean, the same modules split in two for the studio.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh wasm fascia_wasm fascia_wasm_threads
out=build/fascia-wasm
lean=build/fascia-wasm-lean
linked=build/wasm/bindings/wasm/out
mkdir -p "$out" "$lean"
# cp -u: unchanged files keep their date.
cp -u bindings/wasm/*.js bindings/wasm/*.d.ts bindings/wasm/package.json bindings/wasm/README.md LICENSE "$out"
if [ ! "$lean/fascia.lean.wasm" -nt "$linked/fascia.wasm.orig" ] || [ ! "$lean/fascia.lean.wasm" -nt "$linked/fascia_threads.wasm.orig" ]; then
    node scripts/split_wasm.mjs "$linked" "$lean"
    for name in fascia fascia_threads; do
        # Without the names of functions, and without saying that it loads the other half.
        wasm-opt --all-features --strip-debug "$linked/$name.wasm.orig" -o "$out/$name.wasm"
        sed -E 's/[a-zA-Z_]+\("(placeholder function called: |instantiated deferred module)[^;]*;//g' "$linked/$name.js" >"$out/$name.js"
    done
fi
cp -u "$linked"/*.worker.js "$out"
