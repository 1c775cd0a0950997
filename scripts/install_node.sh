#!/bin/sh
# Prints the folder of a node that is new enough (20.19). If the system's is older (Debian 12 has 18), first installs
# one from the npm registry under build/node.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
new_enough() {
    [ -x "$1" ] || return 1
    "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
}
system=$(command -v node || true)
if [ -n "$system" ] && new_enough "$system"; then
    dirname "$system"
    exit 0
fi
local_node=$root/build/node/node_modules/node/bin/node
if ! new_enough "$local_node"; then
    mkdir -p "$root/build/node"
    npm install --silent --no-audit --no-fund --prefix "$root/build/node" node@22 >&2
fi
dirname "$local_node"
