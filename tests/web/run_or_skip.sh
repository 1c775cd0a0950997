#!/bin/sh
# Runs a node script of this folder, or says in one line what is missing and exits with 77 (skipped).
#
#     run_or_skip.sh SCRIPT.mjs ARGUMENTS...      data:NAME stands for a file of the shared data
here=$(cd "$(dirname "$0")" && pwd)
data=${FASCIA_DATA:-$here/../../../shared/data}
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "node is not installed (make test installs it)"
[ -d "$here/node_modules/three" ] && [ -d "$here/node_modules/gltf-validator" ] ||
    skip "node packages are missing (run npm ci in tests/web)"
script=$here/$1
shift
for argument in "$@"; do
    shift
    case $argument in
    data:*)
        argument=$data/${argument#data:}
        [ -e "$argument" ] || skip "no $argument (set FASCIA_DATA to the folder of the shared data)"
        ;;
    esac
    set -- "$@" "$argument"
done
exec node "$script" "$@"
