// Plays a baked GLB with three.js and compares every vertex with the PC2 of the same bake.
//
//     node play_glb.mjs FILE.glb FILE.pc2 FPS
//
// The PC2 has the skinned surface first, then the rigid parts. In the GLB the skinned surface consists of the meshes
// with morph targets driven by the clip; rigid parts are ordinary meshes carried by their nodes.
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { loadWithThree, readGltf, withoutMaterials } from './gltf_files.mjs';
import { largestDifference, readPc2, sizeOf } from './point_cache.mjs';

const [glbPath, pc2Path, fps] = process.argv.slice(2);
const cache = readPc2(pc2Path);
const file = readGltf(glbPath);
const order = meshOrder(file.json);
const gltf = await loadWithThree(withoutMaterials(file));
if (gltf.animations.length !== 1) fail(`${glbPath} has ${gltf.animations.length} clips, not 1`);

/// Node indices: baked ones (targets of a weights channel) by their first vertex in the file, then rigid ones in order.
function meshOrder(json) {
  const baked = json.animations[0].channels.filter((c) => c.target.path === 'weights').map((c) => c.target.node);
  const rigid = json.nodes.map((_, i) => i).filter((i) => json.nodes[i].mesh !== undefined && !baked.includes(i));
  const inScene = new Set();
  const visit = (i) => {
    inScene.add(i);
    (json.nodes[i].children ?? []).forEach(visit);
  };
  json.scenes[json.scene ?? 0].nodes.forEach(visit);
  return [...baked, ...rigid].filter((i) => inScene.has(i));
}

const meshesOfNode = new Map();
gltf.scene.traverse((object) => {
  if (!object.isMesh) return;
  for (let at = object; at; at = at.parent) {
    const index = gltf.parser.associations.get(at)?.nodes;
    if (index === undefined) continue;
    meshesOfNode.set(index, [...(meshesOfNode.get(index) ?? []), object]);
    break;
  }
});

function fail(text) {
  console.error(text);
  process.exit(1);
}

function surfaceAt(seconds) {
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(seconds);
  gltf.scene.updateMatrixWorld(true);
  const points = [], vertex = new Vector3();
  for (const node of order) {
    for (const mesh of meshesOfNode.get(node) ?? []) {
      for (let v = 0; v < mesh.geometry.attributes.position.count; ++v) {
        mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld);
        points.push(vertex.x, vertex.y, vertex.z);
      }
    }
  }
  return points;
}

const size = sizeOf(cache.frames[0]);
const last = cache.frames.length - 1;
let worst = 0;
for (const k of new Set([0, 1, Math.floor(last / 2), last])) {
  if (k > last) continue;
  const points = surfaceAt(k / Number(fps));
  if (points.length !== cache.vertices * 3) fail(`three has ${points.length / 3} vertices, the PC2 ${cache.vertices}`);
  worst = Math.max(worst, largestDifference(points, cache.frames[k]) / size);
}
// Between two frames the surface is their mean.
if (last > 0) {
  const between = surfaceAt(0.5 / Number(fps));
  const mean = cache.frames[0].map((x, i) => (x + cache.frames[1][i]) / 2);
  const skinned = skinnedCount() * 3;
  worst = Math.max(worst, largestDifference(between.slice(0, skinned), mean.slice(0, skinned)) / size);
}
function skinnedCount() {
  return order.flatMap((node) => meshesOfNode.get(node) ?? [])
      .filter((mesh) => mesh.geometry.morphAttributes.position?.length === cache.frames.length)
      .reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
}
console.log(`${glbPath}: ${cache.vertices} vertices, ${cache.frames.length} frames, off by ${worst.toExponential(2)} of the size`);
if (!(worst <= 1e-5)) fail('more than 1e-5 of the size');
