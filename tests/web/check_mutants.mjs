// What we write of damaged files, checked by the glTF validator: errors only, since a damaged file may deserve warnings.
//
//     node check_mutants.mjs BAKE_MUTANTS FOLDER SEEDS [COUNT] [SEED]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const validator = createRequire(import.meta.url)('gltf-validator');
const [program, folder, seeds, count = '400', seed = '7'] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const own = spawnSync(program, [count, seed, ...seeds.split(':'), '--keep', folder], {
  stdio: 'inherit',
  env: { ...process.env, KEEP_ALL: '1' },
});

let bad = 0, checked = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith('.glb'))) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, name))), { maxIssues: 20 });
  ++checked;
  // Flaws inside an image that we only pass on are the image's own.
  const errors = report.issues.messages.filter(({ severity, code }) => severity === 0 && !code.startsWith('IMAGE_'));
  if (errors.length === 0) continue;
  ++bad;
  console.log(`${name}: ${errors[0].code} at ${errors[0].pointer}: ${errors[0].message}`);
}
console.log(`${checked} files, ${bad} invalid`);
if (own.status !== 0 || bad > 0 || checked < 50) process.exit(1);
rmSync(folder, { recursive: true, force: true });
