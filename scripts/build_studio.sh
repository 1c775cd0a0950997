#!/bin/sh
# Builds the studio into build/studio: a folder of static files for any web server.
set -eu
cd "$(dirname "$0")/.."
node=$(scripts/install_node.sh)
export PATH="$node:$PATH"
scripts/npm_ci.sh apps/studio
scripts/build_wasm.sh
cd apps/studio
npx --no-install tsc --noEmit
npx --no-install vite build --logLevel warn
node ../../scripts/compress_files.mjs ../../build/studio
