#!/bin/bash
# Checks the dependencies between folders (docs/architecture.md): which folder may include which.
set -eu
cd "$(dirname "$0")/.."

# folder of src/: folders of src/ it may include besides itself
allowed() {
    case "$1" in
        base | image) echo "" ;;
        lattice | weights | skin | sim | contact | embed | measure | settings) echo "base" ;;
        render) echo "base image" ;;
        character) echo "base" ;;
        io) echo "base character measure image" ;;
        body) echo "base lattice weights" ;;
        methods) echo "base settings character lattice weights skin sim contact embed measure body" ;;
        rectify) echo "base lattice weights skin sim embed body methods/lattice methods/shared" ;;
        rigging) echo "base character lattice weights embed measure body" ;;
        binding) echo "base body methods rectify" ;;
        *) echo "unknown" ;;
    esac
}

# Folders of src/methods never include each other, only shared code. The registry includes all of them.
allowed_of_method() {
    case "$1" in
        shared) echo "methods/shared methods/method_lookup.h" ;;
        *) echo "methods/shared" ;;
    esac
}

bad=0
say() { echo "$1"; bad=1; }

includes_of() { sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$1"; }

is_below() { # TARGET FOLDER...: is the target one of the folders, or in one of them?
    local target=$1 folder
    shift
    for folder in "$@"; do
        case "$target" in "$folder" | "$folder"/*) return 0 ;; esac
    done
    return 1
}

for file in $(git ls-files 'src/*.h' 'src/*.cpp'); do
    folder=$(echo "$file" | cut -d/ -f2)
    method=$(echo "$file" | sed -n 's,^src/methods/\([^/]*\)/.*,\1,p')
    for include in $(includes_of "$file"); do
        is_below "$include" fascia && continue
        if [ -n "$method" ] && is_below "$include" methods; then
            # shellcheck disable=SC2046
            is_below "$include" "methods/$method" $(allowed_of_method "$method") ||
                say "$file includes $include: methods never include each other"
            continue
        fi
        # shellcheck disable=SC2046
        is_below "$include" "$folder" $(allowed "$folder") || say "$file includes $include: $folder may not include it"
    done
done

# The public headers include nothing but the standard library and each other.
for file in $(git ls-files 'include/fascia/*'); do
    for include in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$file"); do
        case "$include" in
            fascia/*) ;;
            *.h) case "$include" in stddef.h | stdint.h) ;; *) say "$file includes $include" ;; esac ;;
            */*) say "$file includes $include" ;;
        esac
    done
done

# Folders that may use only the public interface: their own files and fascia/.
for file in $(git ls-files 'characters/*.h' 'characters/*.cpp' 'apps/cli/*.h' 'apps/cli/*.cpp' 'examples/*.cpp' \
    'examples/*.c' 'bindings/*.h' 'bindings/*.cpp'); do
    folder=$(dirname "$file")
    for include in $(includes_of "$file"); do
        case "$include" in
            fascia/*) ;;
            */*) say "$file includes $include: only fascia/ and its own folder are allowed" ;;
            *) [ -e "$folder/$include" ] || say "$file includes $include, which is not beside it" ;;
        esac
    done
done

# The studio uses the WASM package and none of our other code.
for file in $(git ls-files 'apps/studio/src/*.ts'); do
    for import in $(sed -n "s,.*from '\(\.\./[^']*\)'.*,\1,p" "$file"); do
        target=$(realpath -m --relative-to=. "$(dirname "$file")/$import")
        is_below "$target" apps/studio bindings/wasm || say "$file imports $import: only bindings/wasm is allowed"
    done
done
exit $bad
