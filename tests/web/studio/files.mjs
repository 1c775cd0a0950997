// Independent readers for the files that the studio writes.
export function parse_pc2(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vertices = data.getUint32(16, true), count = data.getUint32(28, true);
  const frames = [];
  for (let k = 0; k < count; k++) frames.push(new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32 + 12 * vertices * k, bytes.byteOffset + 32 + 12 * vertices * (k + 1))));
  return { vertices, frames };
}

export function parse_glb(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.getUint32(0, true) !== 0x46546c67) throw new Error('not a GLB');
  const size = data.getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
}
