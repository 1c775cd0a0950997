#!/bin/sh
# The documents say of settings what the methods' tables say:  check_settings.sh SOURCE PROGRAM [--write]
# --write brings them up to date instead (make docs).
set -eu
cd "$1"
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" table >"$work/table"
"$program" schema >"$work/schema"
# What stands between the two marks is made by the program.
awk -v table="$work/table" '
    /<!-- settings: end -->/ { inside = 0 }
    !inside { print }
    /<!-- settings: begin -->/ { inside = 1; while ((getline line < table) > 0) print line }' docs/cli.md >"$work/cli.md"
if [ "${3:-}" = --write ]; then
    cp "$work/cli.md" docs/cli.md
    cp "$work/schema" docs/schemas/flesh.schema.json
    exit 0
fi
diff docs/cli.md "$work/cli.md" && diff docs/schemas/flesh.schema.json "$work/schema" && exit 0
echo "docs/cli.md or docs/schemas/flesh.schema.json are not what the methods' tables say: run make docs"
exit 1
