#!/bin/sh
# Installs the node packages of a folder once, and again only when its lock file has changed.
set -eu
cd "$(dirname "$0")/../$1"
stamp=node_modules/.installed
if [ ! -e "$stamp" ] || ! cmp -s package-lock.json "$stamp"; then
    # npm ci refuses a lock file if the registry lacks the packages for other systems that it lists; npm install reads
    # the same lock file and carries on without them.
    npm ci --silent --no-audit --no-fund >/dev/null 2>&1 || npm install --no-save --silent --no-audit --no-fund
    cp package-lock.json "$stamp"
fi
