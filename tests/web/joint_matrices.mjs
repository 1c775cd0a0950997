// World matrices of every node as three.js's AnimationMixer gives them, for comparison with ours.
//
//     node joint_matrices.mjs FILE CLIP T1,T2,...      CLIP counts from 0; -1 is the default pose
//
// Prints {"nodes": [{"name", "index", "joint"}], "frames": [[16 numbers per node, column by column], ...]}:
// `index` is the node's place in the file, `joint` whether a skin names it. Nodes outside the scene are left out.
import { AnimationMixer, LoopOnce } from 'three';
import { loadWithThree, readGltf, withoutMeshes } from './gltf_files.mjs';

const [path, clipArgument = '0', timesArgument = '0'] = process.argv.slice(2);
if (!path) {
  console.error('usage: node joint_matrices.mjs FILE CLIP T1,T2,...');
  process.exit(2);
}

const file = readGltf(path);
const joints = new Set((file.json.skins ?? []).flatMap((skin) => skin.joints));
const names = file.json.nodes.map((node) => node.name ?? '');
const gltf = await loadWithThree(withoutMeshes(file));

const objects = [];
gltf.scene.traverse((object) => {
  const index = gltf.parser.associations.get(object)?.nodes;
  if (index !== undefined) objects.push({ object, index });
});
objects.sort((a, b) => a.index - b.index);

const clipIndex = Number(clipArgument);
const clip = clipIndex < 0 ? null : gltf.animations[clipIndex];
if (clipIndex >= 0 && !clip) {
  console.error(`${path} has ${gltf.animations.length} clips; there is no clip ${clipArgument}`);
  process.exit(2);
}

function poseAt(seconds) {
  if (clip) {
    // A new mixer for each time, so that no state is carried over. Clamped, like ours.
    const mixer = new AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(seconds);
  }
  gltf.scene.updateMatrixWorld(true);
  return objects.flatMap(({ object }) => object.matrixWorld.elements);
}

const frames = timesArgument.split(',').map((t) => poseAt(Number(t)));
const nodes = objects.map(({ index }) => ({ name: names[index], index, joint: joints.has(index) }));
process.stdout.write(JSON.stringify({ nodes, frames }) + '\n');
