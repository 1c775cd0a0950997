// Opens a .usda with three's USDLoader and compares the surface that it shows (the first frame) with the PC2 of the
// same bake, triangle by triangle.
//
//     node read_usd.mjs FILE.usda FILE.pc2
import { readFileSync } from 'node:fs';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { readPc2 } from './point_cache.mjs';

const [usdPath, pc2Path] = process.argv.slice(2);
const cache = readPc2(pc2Path);
const group = new USDLoader().parse(readFileSync(usdPath, 'utf8'));
group.updateMatrixWorld(true);

const key = (x, y, z) => `${Math.fround(x)},${Math.fround(y)},${Math.fround(z)}`;
const known = new Set();
for (let i = 0; i < cache.vertices * 3; i += 3) known.add(key(...cache.frames[0].subarray(i, i + 3)));

let meshes = 0, corners = 0, strangers = 0;
const seen = new Set();
group.traverse((object) => {
  if (!object.isMesh) return;
  ++meshes;
  const { position, normal } = object.geometry.attributes;
  if (!normal) throw new Error(`${object.name} has no normals`);
  for (let v = 0; v < position.count; ++v, ++corners) {
    const at = key(position.getX(v), position.getY(v), position.getZ(v));
    if (!known.has(at)) ++strangers;
    seen.add(at);
  }
});
console.log(`${usdPath}: ${meshes} meshes, ${corners} corners, ${seen.size} of ${known.size} positions, ${strangers} unknown`);
process.exit(meshes > 0 && corners > 0 && strangers === 0 ? 0 : 1);
