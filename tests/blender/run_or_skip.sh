#!/bin/sh
# Bakes CHARACTER (a file of the shared data) and checks the result in Blender, or says in one line what is missing and
# exits with 77 (skipped).
#
#     run_or_skip.sh FASCIA CHARACTER FOLDER
here=$(cd "$(dirname "$0")" && pwd)
data=${FASCIA_DATA:-$here/../../../shared/data}
skip() {
    echo "skipped: $1"
    exit 77
}
command -v blender >/dev/null 2>&1 || skip "Blender is not installed (make test installs it)"
[ -e "$data/$2" ] || skip "no $data/$2 (set FASCIA_DATA to the folder of the shared data)"
exec blender -b --factory-startup --python-exit-code 1 -P "$here/check_bake.py" -- "$1" "$data/$2" "$3"
