// The bundled characters as files: written by the command line, checked by the glTF validator.
//
//     node check_characters.mjs FASCIA FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [fascia, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
  execFileSync(fascia, ['characters', '-o', folder], { stdio: 'inherit' });
  const files = readdirSync(folder).filter((name) => name.endsWith('.glb')).map((name) => join(folder, name));
  if (files.length < 4) throw new Error(`only ${files.length} characters were written`);
  execFileSync(process.execPath, [join(here, 'validate.mjs'), ...files], { stdio: 'inherit' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
