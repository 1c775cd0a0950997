#!/bin/bash
# Contact sheets of docs/looks.md: characters in motion, layers below plain skinning, with the settings that the body
# chooses by itself.
#     scripts/contact_sheets.sh DATA_FOLDER OUT_FOLDER [METHODS [OPTIONS...]]
# METHODS (default: lbs,layers) and options such as `--preset jelly` are those of `fascia compare`. FASCIA_BUILD names the
# build folder (default: build/release); ONLY one sheet to make.
set -eu
data=$1
out=$2
methods=${3:-lbs,layers}
shift $(($# < 3 ? $# : 3))
options=("$@")
build=${FASCIA_BUILD:-$(dirname "$0")/../build/release}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/tests/write_bodies" "$work" > /dev/null

# sheet NAME CHARACTER OPTIONS...
sheet() {
    local name=$1 character=$2
    shift 2
    [ "${ONLY:-$name}" = "$name" ] || return 0
    "$build/bin/fascia" compare "$character" --methods "$methods" --size 240x270 --fps 30 -o "$work/$name" --quiet "$@" "${options[@]}"
    mv "$work/$name/sheet.png" "$out/looks_$name.png"
    echo "$out/looks_$name.png"
}

sheet bunny bunny --motion jump --from 0.6 --to 2
sheet gnome gnome --motion dance
sheet bloat bloat --motion shake --from 1.9 --to 2.4
sheet heavy_woman "$work/heavy.glb" --motion jump --from 0.6 --to 2
sheet pony "$work/pony.glb" --motion bite
sheet bust "$work/bust.glb" --motion nod
sheet mech "$work/mech.glb" --motion dance
sheet saurian "$work/saurian.glb" --motion leap --from 0.5 --to 2
sheet puffer "$work/puffer.glb" --motion shake --from 1.9 --to 2.5
sheet heavy_male "$data/characters/mh_heavy_male.glb" --motion "$data/motion/cmu_13_29_jumping_jacks.bvh" --from 2 --to 3
sheet fox "$data/characters/Fox.glb" --motion Run
sheet frog "$data/characters/quaternius_Frog.glb" --motion 3
