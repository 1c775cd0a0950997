// Reads a PC2: {vertices, frames: [Float32Array]}.
import { readFileSync } from 'node:fs';

export function readPc2(path) {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 12).toString('latin1') !== 'POINTCACHE2\0') throw new Error(`${path} is not a PC2`);
  const version = bytes.readInt32LE(12), vertices = bytes.readInt32LE(16);
  const start = bytes.readFloatLE(20), rate = bytes.readFloatLE(24), count = bytes.readInt32LE(28);
  if (version !== 1 || start !== 0 || rate !== 1) throw new Error(`${path}: version ${version}, start ${start}, rate ${rate}`);
  if (bytes.length !== 32 + count * vertices * 12) throw new Error(`${path} has ${bytes.length} bytes`);
  const frames = [];
  for (let k = 0; k < count; ++k) {
    const at = bytes.byteOffset + 32 + k * vertices * 12;
    frames.push(new Float32Array(bytes.buffer.slice(at, at + vertices * 12)));
  }
  return { vertices, frames };
}

/// Longest side of the bounding box of the points, which tolerances are relative to.
export function sizeOf(points) {
  let size = 0;
  for (let axis = 0; axis < 3; ++axis) {
    let low = Infinity, high = -Infinity;
    for (let i = axis; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    size = Math.max(size, high - low);
  }
  return size;
}

export function largestDifference(a, b) {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; ++i) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // NaN counts as a difference
  }
  return largest;
}
