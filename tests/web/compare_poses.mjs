// Compares our node matrices with three.js's, for every clip of every rigged file in a folder.
//
//     node compare_poses.mjs DUMP_POSES DATA         DUMP_POSES is the program of tests/character
//
// The largest difference over the file's size must stay below 1e-5. Exit status 77: nothing to compare with.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const TOLERANCE = 1e-5;
const [dumpPoses, data] = process.argv.slice(2);
const folder = join(process.env.FASCIA_DATA || data, 'characters');
if (!existsSync(folder) || !existsSync(new URL('./node_modules/three', import.meta.url))) {
  console.log(`skipped: needs the characters in ${folder} and three (npm ci in tests/web)`);
  process.exit(77);
}
const { AnimationMixer, LoopOnce } = await import('three');
const { loadWithThree, readGltf, withoutMeshes } = await import('./gltf_files.mjs');

/// World matrices by node index, at one time of a clip. A new mixer each time, so that no state is carried over.
function poseOfThree(gltf, clip, seconds) {
  if (clip) {
    const mixer = new AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(seconds);
  }
  gltf.scene.updateMatrixWorld(true);
  const matrices = new Map();
  gltf.scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined) matrices.set(index, object.matrixWorld.elements);
  });
  return matrices;
}

/// Largest difference of any position relative to `size`, and of any axis relative to the node's own scale.
function difference(ours, first, theirs, size) {
  let largest = 0;
  const scale = Math.max(...[0, 1, 2].map((c) => Math.hypot(theirs[4 * c], theirs[4 * c + 1], theirs[4 * c + 2])));
  for (let row = 0; row < 3; ++row) {
    for (let column = 0; column < 4; ++column) {
      const d = Math.abs(ours[first + 4 * row + column] - theirs[4 * column + row]);
      largest = Math.max(largest, d / (column === 3 ? size : scale));
    }
  }
  return largest;
}

async function compareFile(path) {
  const dump = spawnSync(dumpPoses, [path], { maxBuffer: 1 << 30, encoding: 'utf8' });
  if (dump.status !== 0) {
    console.log(`FAIL ${path.split('/').pop()}: ${dump.stderr.trim()}`);
    return false;
  }
  const ours = JSON.parse(dump.stdout);
  let worst = { difference: 0 }, compared = 0;
  for (const { clip, times, frames } of ours.clips) {
    // Loaded anew for each clip: whatever one clip has moved would stay moved in the next.
    const gltf = await loadWithThree(withoutMeshes(readGltf(path)));
    if (clip >= gltf.animations.length) throw new Error(`${path}: three.js has no clip ${clip}`);
    times.forEach((time, frame) => {
      const theirs = poseOfThree(gltf, clip < 0 ? null : gltf.animations[clip], time);
      ours.sources.forEach((source, node) => {
        const matrix = theirs.get(source);
        if (!matrix) {
          if (ours.joints[node]) throw new Error(`${path}: three.js has no node ${source}`);
          return;
        }
        const d = difference(frames[frame], 12 * node, matrix, ours.size);
        ++compared;
        if (!(d <= worst.difference)) worst = { difference: d, clip, time, node: source };
      });
    });
  }
  const good = worst.difference <= TOLERANCE && compared > 0;
  const where = worst.difference > 0 ? ` (node ${worst.node}, clip ${worst.clip}, ${worst.time} s)` : '';
  console.log(`${good ? 'ok  ' : 'FAIL'} ${path.split('/').pop()}: ${ours.clips.length - 1} clips, ` +
              `${compared} matrices, largest difference ${worst.difference.toExponential(2)} of the size${where}`);
  return good;
}

let failed = 0, files = 0;
for (const name of readdirSync(folder).sort()) {
  if (!/\.(glb|gltf|vrm)$/.test(name)) continue;
  const path = join(folder, name);
  if (!readGltf(path).json.skins) continue;  // nothing to pose
  ++files;
  if (!(await compareFile(path))) ++failed;
}
console.log(`${files} files, ${failed} failed`);
process.exit(failed || !files ? 1 : 0);
