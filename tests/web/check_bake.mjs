// Bakes one character with the command line and reads the result with other programs' code: the glTF validator, three's
// GLTFLoader and AnimationMixer, three's MDDLoader and USDLoader.
//
//     node check_bake.mjs FASCIA FOLDER CHARACTER MOTION
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [fascia, folder, character, motion] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const run = (program, ...args) => execFileSync(program, args, { stdio: 'inherit' });
const script = (name, ...args) => run(process.execPath, join(here, name), ...args);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const [glb, pc2, mdd, usd] = ['x.glb', 'x.pc2', 'x.mdd', 'x.usda'].map((name) => join(folder, name));
try {
  run(fascia, 'bake', character, '--method', 'lbs', '--motion', motion, '--fps', '30', '--from', '0', '--to', '0.4',
      '--quiet', '-o', glb, '-o', pc2, '-o', mdd, '-o', usd);
  script('validate.mjs', glb);
  script('play_glb.mjs', glb, pc2, '30');
  script('read_mdd.mjs', mdd, pc2, '30');
  script('read_usd.mjs', usd, pc2);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
