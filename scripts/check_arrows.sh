#!/bin/bash
# Checks the arrows between folders (docs/architecture.md): who may include whom.
set -eu
cd "$(dirname "$0")/.."

# folder: folders of src/ it may include besides itself
allowed() {
    case "$1" in
        base | image) echo "" ;;
        character) echo "base" ;;
        io) echo "base character measure image" ;;
        lattice | weights | skin | sim | embed | measure) echo "base" ;;
        render) echo "base image" ;;
        methods) echo "base character lattice weights skin sim embed measure" ;;
        *) echo "unknown" ;;
    esac
}

bad=0
for file in $(git ls-files 'src/*.h' 'src/*.cpp'); do
    folder=$(echo "$file" | cut -d/ -f2)
    ok=" $folder $(allowed "$folder") "
    for include in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
        target=${include%%/*}
        [ "$target" = fascia ] && continue
        case "$ok" in
            *" $target "*) ;;
            *) echo "$file includes $include: $folder may not include $target"; bad=1 ;;
        esac
    done
done

# The public headers include nothing but the standard library and each other.
for file in $(git ls-files 'include/fascia/*'); do
    for include in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$file"); do
        case "$include" in
            fascia/*) ;;
            *.h) case "$include" in stddef.h | stdint.h) ;; *) echo "$file includes $include"; bad=1 ;; esac ;;
            */*) echo "$file includes $include"; bad=1 ;;
        esac
    done
done

# characters/ and apps/ stand on the public interface only.
for file in $(git ls-files 'characters/*.h' 'characters/*.cpp' 'apps/cli/*.h' 'apps/cli/*.cpp' 'examples/*.cpp' 'examples/*.c'); do
    folder=$(dirname "$file")
    for include in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
        case "$include" in
            fascia/*) ;;
            */*) echo "$file includes $include: only fascia/ and its own folder are allowed"; bad=1 ;;
            *) [ -e "$folder/$include" ] || { echo "$file includes $include, which is not beside it"; bad=1; } ;;
        esac
    done
done
exit $bad
