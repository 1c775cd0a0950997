#!/bin/bash
# Checks that every relative link and picture in the documents points to an existing file.
cd "$1" || exit 1
bad=0
for page in *.md docs/*.md docs/papers/*.md fuzz/*.md bench/*.md; do
    [ -e "$page" ] || continue
    for target in $(grep -oE '\]\([^)#]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:'); do
        [ -e "$(dirname "$page")/$target" ] || { echo "$page: $target is missing"; bad=1; }
    done
done
exit $bad
