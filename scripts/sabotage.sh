#!/bin/bash
# Breaks the code in one place at a time and checks whether the tests notice:
#     scripts/sabotage.sh all            every fault of scripts/sabotage.txt
#     scripts/sabotage.sh 5 [SEED]       five of them, chosen by the seed (default: today's date)
#     scripts/sabotage.sh lines WORD     those whose line contains the word
#     scripts/sabotage.sh check          none: only whether each still has its place in the code
# The sources stay as they are: a faulty copy of one file is compiled and linked with what the build has. BUILD (default
# build/release) must be built; the faulty programs go to BUILD/sabotage.
set -eu
cd "$(dirname "$0")/.."
exec python3 scripts/sabotage.py "${BUILD:-build/release}" "$@"
