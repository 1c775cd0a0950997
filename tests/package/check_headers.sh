#!/bin/sh
# Every public header stands on its own, without a warning, also for hosts without exceptions and type information.
#     check_headers.sh INCLUDE
set -u
include=$1
failed=0
strict="-Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -I$include"

# check COMPILER FLAGS HEADER: includes it twice.
check() {
    printf '#include "%s"\n#include "%s"\ntypedef int done;\n' "$3" "$3" | $1 $2 $strict - || { echo "$1 refuses $3"; failed=1; }
}

for file in "$include"/fascia/*.h; do
    header=fascia/${file##*/}
    check g++ "-std=c++20 -fno-exceptions -fno-rtti -x c++" "$header"
    case $header in
        */fascia_c.h | */version.h | */api.h) check gcc "-std=c99 -x c" "$header" ;;
        */fascia.h) ;;
        *) grep -q '^FASCIA_API_BEGIN$' "$file" || { echo "$header shows nothing: FASCIA_API_BEGIN is missing"; failed=1; } ;;
    esac
done
check clang++ "-std=c++20 -fno-exceptions -fno-rtti -x c++" fascia/fascia.h
check clang "-std=c99 -x c" fascia/fascia_c.h
exit $failed
