#!/bin/sh
# Installs the node packages of a folder once; again only when its lock file changed.
set -eu
cd "$(dirname "$0")/../$1"
stamp=node_modules/.installed
if [ ! -e "$stamp" ] || ! cmp -s package-lock.json "$stamp"; then
    npm ci --silent --no-audit --no-fund
    cp package-lock.json "$stamp"
fi
