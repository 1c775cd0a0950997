#!/bin/sh
# Builds the WASM modules (with and without threads) and puts the package together in build/fascia-wasm.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh wasm fascia_wasm fascia_wasm_threads
out=build/fascia-wasm
lean=build/fascia-wasm-lean
linked=build/wasm/bindings/wasm/out
mkdir -p "$out" "$lean"
# cp -u: unchanged files keep their date.
cp -u bindings/wasm/*.js bindings/wasm/*.d.ts bindings/wasm/package.json bindings/wasm/README.md LICENSE "$out"
for name in fascia fascia_threads; do
    whole=$linked/$name.wasm.orig
    [ "$out/$name.wasm" -nt "$whole" ] && continue
    # The script need not say that it loads the other half.
    sed -E 's/err\("(placeholder function called: |instantiated deferred module)[^;]*;//g' "$linked/$name.js" >"$out/$name.js"
    scripts/split_wasm.sh "$whole" "$lean/$name.lean.wasm" "$lean/$name.deferred.wasm"
    # Without the names of functions.
    wasm-opt --all-features --strip-debug "$whole" -o "$out/$name.wasm"
done
cp -u "$linked"/*.worker.js "$out"
