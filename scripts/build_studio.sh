#!/bin/sh
# Builds the studio into build/studio: a folder of static files for any web server.
set -eu
cd "$(dirname "$0")/.."
say() { echo "studio: $1"; }
say "1 of 4, node and its packages"
node=$(scripts/install_node.sh)
export PATH="$node:$PATH"
scripts/npm_ci.sh apps/studio
say "2 of 4, the core as WebAssembly (some minutes the first time)"
FASCIA_PROGRESS=1 scripts/build_wasm.sh
cd apps/studio
say "3 of 4, the page"
npx --no-install tsc --noEmit
npx --no-install vite build --logLevel warn
say "4 of 4, compressed copies"
node ../../scripts/compress_files.mjs ../../build/studio
