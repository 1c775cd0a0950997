#!/bin/sh
# Installs the node packages of a folder once; again only when its lock file changed.
set -eu
cd "$(dirname "$0")/../$1"
stamp=node_modules/.installed
if [ ! -e "$stamp" ] || ! cmp -s package-lock.json "$stamp"; then
    # npm ci refuses a lock file without the packages of other systems, which a registry need not hold; npm install reads
    # the same lock file and goes on without them.
    npm ci --silent --no-audit --no-fund >/dev/null 2>&1 || npm install --no-save --silent --no-audit --no-fund
    cp package-lock.json "$stamp"
fi
