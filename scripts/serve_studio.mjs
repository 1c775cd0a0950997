// Serves a folder of static files on loopback only, with the headers that threads in WASM need. A file that has a compressed
// twin beside it (scripts/compress_files.mjs) is sent compressed to clients that accept it.
//     node scripts/serve_studio.mjs [FOLDER] [PORT] [--no-isolation]
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const kinds = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.woff2': 'font/woff2', '.glb': 'model/gltf-binary', '.d.ts': 'text/plain', '.md': 'text/plain; charset=utf-8',
};

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; font-src 'self'; " +
  "img-src 'self' blob: data:; media-src blob:; connect-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The file that a request asks for, or null if there is none inside `folder`. Symbolic links that lead outside are not
 * followed.
 */
export function find_file(folder, url) {
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.split(/[/\\]/).includes('..')) return null;
  try {
    const root = realpathSync(folder);
    let file = realpathSync(join(root, path));
    if (file !== root && !file.startsWith(root + sep)) return null;
    if (statSync(file).isDirectory()) file = realpathSync(join(file, 'index.html'));
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

/** Compressed twins by the name of their encoding, the smallest first. */
const encodings = { br: '.br', gzip: '.gz' };

/** The twin of `file` to send instead, and its encoding; the file itself where there is none or the request refuses it. */
function choose_encoding(file, accepted = '') {
  const names = accepted.split(',').filter((a) => !/;\s*q=0(\.0*)?\s*$/.test(a)).map((a) => a.split(';')[0].trim());
  for (const [encoding, extension] of Object.entries(encodings))
    if (names.includes(encoding) && existsSync(file + extension)) return { sent: file + extension, encoding };
  return { sent: file, encoding: null };
}

/** `isolated`: with the cross-origin headers. `strict`: with the studio's own content security policy. */
export function serve(folder, port, { isolated = true, strict = true } = {}) {
  const server = createServer((request, response) => {
    const headers = {
      ...(strict ? { 'Content-Security-Policy': policy } : {}),
      'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-cache',
      ...(isolated ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Resource-Policy': 'same-origin' } : {}),
    };
    // Requests under any other host name come from somebody else's page.
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!['127.0.0.1', 'localhost'].includes(host)) return response.writeHead(403, headers).end('Only for this machine.\n');
    if (!['GET', 'HEAD'].includes(request.method)) return response.writeHead(405, headers).end();
    const file = find_file(folder, request.url);
    if (file === null) return response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('There is no such file here.\n');
    const { sent, encoding } = choose_encoding(file, request.headers['accept-encoding']);
    response.writeHead(200, {
      ...headers, 'Content-Type': kinds[extname(file)] ?? 'application/octet-stream', 'Content-Length': statSync(sent).size,
      Vary: 'Accept-Encoding', ...(encoding ? { 'Content-Encoding': encoding } : {}),
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(sent).pipe(response);
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => done(server));
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2).filter((w) => !w.startsWith('--'));
  const folder = words[0] ?? fileURLToPath(new URL('../build/studio', import.meta.url));
  const isolated = !process.argv.includes('--no-isolation');
  const wanted = Number(words[1] ?? 8080);
  const server = await serve(folder, wanted, { isolated }).catch(() => serve(folder, 0, { isolated }));
  console.log(`Fascia Studio is at http://127.0.0.1:${server.address().port}/   (Ctrl C ends it)`);
}
