#!/bin/sh
# Splits a linked WASM module in two: what every visitor of the studio needs, and what is loaded when it is first called.
#     scripts/split_wasm.sh LINKED.wasm OUT.wasm DEFERRED.wasm
# What is deferred is chosen by source file, so that it does not depend on a measurement: methods with large solvers,
# finding handles, weights that are computed, writers of files, worlds.
set -eu
cd "$(dirname "$0")/.."
linked=$1
out=$2
deferred=$3
list=${out%.wasm}.deferred.txt
# Of the library, by folder and file or by batch of a folder.
rare='/(methods/(handles|neck|volumetric|particles|bones_blending|lattice)|rigging|weights|rectify|contact)/'
rare="$rare|/batches/fascia_(methods_(handles|neck|volumetric|particles|bones_blending|lattice)|contact|rectify)_"
rare="$rare|/sim/(reduced_arap|surface_arap|grid_arap|soft_system|coupled_system|elastic_mesh|rigid_bodies|hill_muscle|mass_properties|tile_cholesky|sparse_cholesky|cotangent_graph|layered_particles|ball_regions|listed_regions|slice_ring|lattice_swing|sub_volumes|blend_points|swing_passes)"
rare="$rare|/embed/(radial_basis|domains|single_system|system_per_domain|dense_solver|surface_samples|combined_points)"
rare="$rare|/skin/(bones_blending|dual_cell|cell_carrier|cell_lines|volume_parts|swollen_parts)"
rare="$rare|fascia_wasm_calls.dir/(posing|bake|worlds)"
find build/wasm/src build/wasm/bindings -name '*.o' | sort >"$list.objects"
names() { llvm-nm --defined-only --format=just-symbols "$@" 2>/dev/null | grep -v ':$' | sort -u; }
# shellcheck disable=SC2046
names $(grep -E "$rare" "$list.objects") >"$list.rare"
# shellcheck disable=SC2046
names $(grep -vE "$rare" "$list.objects") >"$list.common"
# Only functions that are in the module; inline ones belong to whoever else has them.
comm -23 "$list.rare" "$list.common" >"$list"
features="--enable-threads --enable-bulk-memory --enable-exception-handling --enable-simd --enable-mutable-globals --enable-sign-ext"
# shellcheck disable=SC2086
wasm-split $features "$linked" --split-funcs="@$list" -o1 "$out" -o2 "$deferred" --export-prefix=% 2>/dev/null
rm -f "$list" "$list.objects" "$list.rare" "$list.common"
