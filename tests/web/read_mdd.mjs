// Reads an MDD with three's MDDLoader and compares it with the PC2 of the same bake.
//
//     node read_mdd.mjs FILE.mdd FILE.pc2 FPS
import { readFileSync } from 'node:fs';
import { MDDLoader } from 'three/examples/jsm/loaders/MDDLoader.js';
import { largestDifference, readPc2 } from './point_cache.mjs';

const [mddPath, pc2Path, fps] = process.argv.slice(2);
const bytes = readFileSync(mddPath);
const cache = readPc2(pc2Path);
const mdd = new MDDLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));

const { morphTargets, clip } = mdd;
const problems = [];
if (morphTargets.length !== cache.frames.length) problems.push(`${morphTargets.length} frames, not ${cache.frames.length}`);
morphTargets.forEach((target, k) => {
  if (largestDifference(target.array, cache.frames[k]) !== 0) problems.push(`frame ${k} differs`);
});
const duration = (cache.frames.length - 1) / Number(fps);
if (Math.abs(clip.duration - duration) > 1e-5) problems.push(`lasts ${clip.duration} s, not ${duration}`);
problems.forEach((problem) => console.error(`${mddPath}: ${problem}`));
if (problems.length === 0) console.log(`${mddPath}: ${morphTargets.length} frames read by three, bit for bit those of the PC2`);
process.exit(problems.length > 0 ? 1 : 0);
