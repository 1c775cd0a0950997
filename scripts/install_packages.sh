#!/bin/sh
# Installs what is missing for the groups named: core (library, command line, tests), web (node, emscripten, browser),
# dcc (Blender), arm (cross compiler and emulator). Quick when nothing is missing. On systems other than Debian 12 and
# its derivatives it prints the list instead.
#     scripts/install_packages.sh core web dcc arm
set -eu

core="g++ cmake ninja-build ccache clang clang-format lld llvm pkg-config libeigen3-dev nlohmann-json3-dev
libstb-dev libcli11-dev libfmt-dev libmeshoptimizer-dev libdraco-dev libwebp-dev libgtest-dev libbenchmark-dev libclang-rt-14-dev
libbullet-dev ffmpeg locales valgrind"
web="emscripten chromium"
dcc="blender python3-numpy"
arm="g++-aarch64-linux-gnu qemu-user"

packages=""
for group in "$@"; do
    case "$group" in
        core) packages="$packages $core" ;;
        web)
            packages="$packages $web"
            # A node that is already installed will do instead of Debian's.
            command -v node >/dev/null 2>&1 || packages="$packages nodejs"
            command -v npm >/dev/null 2>&1 || packages="$packages npm"
            ;;
        dcc) packages="$packages $dcc" ;;
        arm) packages="$packages $arm" ;;
        *) echo "unknown package group: $group (known: core, web, dcc, arm)" >&2; exit 2 ;;
    esac
done

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This system has no apt. Fascia needs the equivalent of these Debian 12 packages:"
    echo $packages | tr ' ' '\n' | sed 's/^/    /'
    echo "Install them, then run the command again with FASCIA_SKIP_INSTALL=1."
    [ "${FASCIA_SKIP_INSTALL:-0}" = 1 ] && exit 0
    exit 1
fi
[ "${FASCIA_SKIP_INSTALL:-0}" = 1 ] && exit 0

missing=""
for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Missing packages, and neither root nor sudo to install them:$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "installing:$missing"
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
