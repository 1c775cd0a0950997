#!/bin/sh
# Lists the C and C++ sources of the project, for clang-format.
cd "$(dirname "$0")/.." && git ls-files '*.h' '*.cpp' '*.c'
