#!/bin/sh
# Runs a node script of this folder, or says in one line what is missing and exits 77 (skipped).
#
#     run_or_skip.sh NEEDED_FILE SCRIPT.mjs ARGUMENTS...      NEEDED_FILE may be - for none
here=$(dirname "$0")
needed=$1
shift
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "node is not installed (make test installs it)"
[ -d "$here/node_modules/three" ] && [ -d "$here/node_modules/gltf-validator" ] ||
    skip "node packages are missing (run npm ci in tests/web)"
[ "$needed" = - ] || [ -e "$needed" ] || skip "no $needed (set FASCIA_DATA to the folder of the shared data)"
script=$1
shift
exec node "$here/$script" "$@"
