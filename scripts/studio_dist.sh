#!/bin/sh
# Puts the studio, once built, into build/studio-dist, ready to be copied to any static host.
set -eu
cd "$(dirname "$0")/../build"
rm -rf studio-dist
cp -r studio studio-dist
cp ../LICENSE studio-dist/LICENSE.txt
# Netlify, Cloudflare Pages and some others read this file.
cat >studio-dist/_headers <<'END'
/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  X-Content-Type-Options: nosniff
END
cat >studio-dist/README.txt <<'END'
Fascia Studio: static files. Copy this folder to any web server, into any folder of it, and open index.html there.
(It does not run from file:// addresses, because browsers load no modules from there.)

With these two headers on every file, the page uses several threads; without them, one:

    Cross-Origin-Opener-Policy: same-origin
    Cross-Origin-Embedder-Policy: require-corp

Beside each file lie compressed copies, NAME.br and NAME.gz. nginx: "gzip_static on;" and "brotli_static on;".
Caddy: "file_server { precompressed br gzip }". Servers that compress by themselves do not need them.
The server should send .wasm as application/wasm and .js as text/javascript, as all common ones do.
END
echo "build/studio-dist: $(du -sh studio-dist | cut -f1), see README.txt there"
