// Where a body is throughout a clip, roughly: for the camera, which is to see all of it.
import type { Character, Instance } from '../../../../bindings/wasm/index';
import type { Survey } from './api';

const times = 9;
const vertices_looked_at = 500;

type Affine = ArrayLike<number>; // rows of (A | t)

function inverse(m: Affine, at: number): number[] {
  const [a, b, c, x, d, e, f, y, g, h, i, z] = Array.from({ length: 12 }, (_, k) => m[at + k]!) as [number, number, number, number, number, number, number, number, number, number, number, number];
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g, det = a * A + b * B + c * C;
  if (det === 0) return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const r = [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d].map((value) => value / det);
  const row = (k: number) => [r[k]!, r[k + 1]!, r[k + 2]!, -(r[k]! * x + r[k + 1]! * y + r[k + 2]! * z)];
  return [...row(0), ...row(3), ...row(6)];
}

const apply = (m: Affine, at: number, p: number[]) =>
  [0, 4, 8].map((row) => m[at + row]! * p[0]! + m[at + row + 1]! * p[1]! + m[at + row + 2]! * p[2]! + m[at + row + 3]!);

/** By plain skinning of some of the vertices. clip: null for the default pose. The instance's pose is changed. */
export function survey(character: Character, instance: Instance, clip: number | null, duration: number): Survey {
  instance.pose('bind');
  const rest = instance.joints.slice(), count = character.joints.length;
  const back = Array.from({ length: count }, (_, joint) => inverse(rest, 12 * joint));
  const { restPositions, weightJoints, weights, influences, vertices, rigidParts } = character;
  const step = Math.max(1, Math.floor(vertices / vertices_looked_at));
  // Of each vertex looked at: joint, share, and its place in the frame of that joint.
  const held: { joint: number; weight: number; at: number[] }[][] = [];
  for (let v = 0; v < vertices; v += step) {
    const place = [restPositions[3 * v]!, restPositions[3 * v + 1]!, restPositions[3 * v + 2]!], mine: typeof held[number] = [];
    for (let k = v * influences; k < (v + 1) * influences; k++)
      if (weights[k]! > 0) mine.push({ joint: weightJoints[k]!, weight: weights[k]!, at: apply(back[weightJoints[k]!]!, 0, place) });
    held.push(mine);
  }
  const moments = clip === null || duration <= 0 ? [0] : Array.from({ length: times }, (_, k) => (k * duration) / times);
  return moments.map((seconds) => {
    instance.pose(clip, seconds);
    const joints = instance.joints, nodes = instance.nodes;
    const points = new Float32Array(3 * held.length);
    held.forEach((mine, i) => {
      for (const { joint, weight, at } of mine) apply(joints, 12 * joint, at).forEach((value, k) => { points[3 * i + k]! += weight * value; });
    });
    const rigid = new Float64Array(12 * rigidParts.length);
    rigidParts.forEach((part, i) => rigid.set(nodes.subarray(12 * part.node, 12 * part.node + 12), 12 * i));
    return { points, rigid };
  });
}
