#!/bin/bash
# Contact sheets of the characters of a data folder in motion, layers below plain skinning (docs/looks.md):
#     scripts/contact_sheets.sh DATA_FOLDER OUT_FOLDER
set -eu
data=$1
out=$2
fascia=$(dirname "$0")/../build/release/bin/fascia
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sheet NAME CHARACTER OPTIONS...
sheet() {
    local name=$1 character=$2
    shift 2
    "$fascia" compare "$character" --methods lbs,layers -o "$work/$name" --quiet "$@"
    mv "$work/$name/sheet.png" "$out/looks_$name.png"
    echo "$out/looks_$name.png"
}

sheet bunny bunny --motion jump
sheet gnome gnome --motion dance
sheet bloat bloat --motion shake --from 1.9 --to 2.4
sheet cesium_man "$data/characters/CesiumMan.glb" --motion "$data/motion/cmu_09_01_run.bvh"
sheet fox "$data/characters/Fox.glb" --motion Run
sheet yeti "$data/characters/Yeti.gltf" --motion "$data/motion/cmu_13_29_jumping_jacks.bvh" --from 2 --to 3
sheet cool_bunny "$data/characters/CoolBunny.vrm" --motion "$data/motion/cmu_60_01_salsa.bvh" --from 4 --to 6
sheet heavy_male "$data/characters/mh_heavy_male.glb" --motion "$data/motion/cmu_13_29_jumping_jacks.bvh" --from 2 --to 3
sheet frog "$data/characters/quaternius_Frog.glb" --motion 3
sheet manta_ray "$data/characters/quaternius_Manta_ray.glb" --motion 0
