// Puts a compressed twin beside every text and WASM file of a folder, for web servers that send those: NAME.br and NAME.gz.
//     node scripts/compress_files.mjs FOLDER
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// Quality 9 of 11: the last two take ten times as long for a twentieth of the size.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 } };
const worth_it = new Set(['.html', '.js', '.css', '.svg', '.json', '.wasm']);

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true })) {
  const path = join(folder, entry);
  if (!worth_it.has(extname(path))) continue;
  const bytes = readFileSync(path);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, brotli));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
