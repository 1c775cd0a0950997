#!/bin/bash
# How many lines of each reader the committed seeds reach: prints a table, and fails if one is below 60 %.
#     scripts/fuzz_coverage.sh [FOLDER]      (default: fuzz/corpus)
set -eu
cd "$(dirname "$0")/.."
corpus=${1:-fuzz/corpus}
build=build/fuzz-coverage

cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" -DFASCIA_MULTI_ISA=OFF \
    -DFASCIA_BUILD_TESTS=OFF -DFASCIA_BUILD_FUZZ=ON -DFASCIA_FUZZ_REPLAY=ON >/dev/null
cmake --build $build --target fuzz_gltf fuzz_bvh fuzz_mesh fuzz_flesh fuzz_rig fuzz_tgf fuzz_world fuzz_anatomy >/dev/null

# The files that make up one reader.
files_of() {
    case $1 in
    gltf) ls src/io/gltf_*.cpp src/io/accessor_reader.cpp src/character/bone_tails.cpp src/io/glb_container.cpp src/io/json_guard.cpp \
        src/io/load_character.cpp src/io/memory_budget.cpp src/io/mesh_append.cpp src/character/mesh_normals.cpp \
        src/io/remarks.cpp src/io/skin_weights.cpp src/io/uri.cpp ;;
    bvh) ls src/io/bvh_reader.cpp src/io/text_scanner.cpp ;;
    mesh) ls src/io/obj_reader.cpp src/io/off_reader.cpp src/io/ply_*.cpp src/io/mesh_finish.cpp src/io/check_mesh.cpp \
        src/io/component_overlap.cpp ;;
    flesh) ls src/io/flesh_file.cpp ;;
    rig) ls src/methods/shared/rig_file.cpp src/methods/shared/rest_surface.cpp src/methods/layers/layers_file.cpp ;;
    tgf) ls src/io/skeleton_reader.cpp ;;
    world) ls src/io/world_file.cpp src/contact/convex_hull.cpp src/contact/solid.cpp ;;
    anatomy) ls src/io/anatomy_file.cpp src/io/anatomy_writer.cpp src/methods/neck/neck_file.cpp ;;
    esac
}

low=0
for target in gltf bvh mesh flesh rig tgf world anatomy; do
    profile=$build/$target
    LLVM_PROFILE_FILE=$profile.profraw "$build/fuzz/fuzz_$target" "$corpus/$target" >/dev/null
    llvm-profdata merge -sparse "$profile.profraw" -o "$profile.profdata"
    llvm-cov report "$build/fuzz/fuzz_$target" -instr-profile="$profile.profdata" >"$profile.txt"
    # Columns: name, regions missed %, functions missed %, lines missed %, ...; only the reader's own files count.
    percent=$(files_of "$target" | awk 'NR == FNR {own[$1]; next} $1 in own {lines += $8; missed += $9}
        END {printf "%.1f", 100 * (lines - missed) / lines}' - "$profile.txt")
    printf '%-6s %s %% of the lines\n' "$target" "$percent"
    awk -v p="$percent" 'BEGIN {exit !(p < 60)}' && low=1
done
echo "per file: $build/*.txt"
[ "$low" = 0 ]
