#!/bin/bash
# Runs every command of the ```sh blocks in the documents given, in a scratch folder, with `fascia` on the PATH.
# Lines that start with make, git, cmake or cd set up the project itself and are run by the tests as a whole.
#     run_docs.sh PROJECT FASCIA_BINARY SCRATCH
set -u
project=$1
binary=$2
scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
PATH="$(dirname "$binary"):$PATH"
cd "$scratch" || exit 1
bad=0
ran=0
for page in "$project"/README.md "$project"/docs/*.md "$project"/docs/papers/*.md; do
    [ -e "$page" ] || continue
    while IFS= read -r line; do
        case "$line" in
            "" | \#* | make\ * | git\ * | cmake\ * | cd\ *) continue ;;
        esac
        ran=$((ran + 1))
        if ! timeout 300 bash -c "$line" >log 2>&1; then
            echo "FAILED in ${page#"$project"/}: $line"
            cat log
            bad=1
        fi
    done < <(awk '/^```sh *$/ {on = 1; next} /^```/ {on = 0} on' "$page" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta')
done
echo "$ran commands"
[ "$ran" -gt 0 ] || bad=1
exit $bad
