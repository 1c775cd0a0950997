// The character's own file with its softness as the vertex colour COLOR_1; everything else in it stays as it is.
import type { CharacterInfo } from '../sim/api';

interface Gltf {
  buffers?: { byteLength: number }[];
  bufferViews?: object[];
  accessors?: object[];
  nodes?: { mesh?: number }[];
  meshes?: { primitives: { attributes: Record<string, number> }[] }[];
}

const even = (n: number) => Math.ceil(n / 4) * 4;
const [bytes_kind, vertex_data] = [5121, 34962];

/** softness: [vertices] 0..1 */
export function painted_glb(info: CharacterInfo, softness: Float32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(info.glb.buffer, info.glb.byteOffset, info.glb.byteLength);
  const json_size = view.getUint32(12, true), data_at = 20 + json_size + 8;
  const gltf: Gltf = JSON.parse(new TextDecoder().decode(info.glb.subarray(20, 20 + json_size)));
  const data = info.glb.subarray(data_at, data_at + view.getUint32(data_at - 8, true));
  const pieces: Uint8Array[] = [data, new Uint8Array(even(data.length) - data.length)];
  let end = even(data.length);

  /** Four bytes per vertex, as grey or white. */
  const add_colors = (grey: (vertex: number) => number, count: number): number => {
    const colors = new Uint8Array(4 * count);
    for (let v = 0; v < count; v++) colors.fill(Math.round(255 * grey(v)), 4 * v, 4 * v + 3), (colors[4 * v + 3] = 255);
    pieces.push(colors);
    (gltf.bufferViews ??= []).push({ buffer: 0, byteOffset: end, byteLength: colors.length, byteStride: 4, target: vertex_data });
    end += colors.length;
    return (gltf.accessors ??= []).push({ bufferView: gltf.bufferViews.length - 1, componentType: bytes_kind, normalized: true, count, type: 'VEC4' }) - 1;
  };
  for (const part of info.parts) {
    const attributes = gltf.meshes?.[part.mesh]?.primitives[part.primitive]?.attributes;
    if (!attributes) continue;
    attributes.COLOR_0 ??= add_colors(() => 1, part.vertexCount); // sets are numbered without gaps
    attributes.COLOR_1 = add_colors((v) => Math.min(1, Math.max(0, softness[part.firstVertex + v]!)), part.vertexCount);
  }
  gltf.buffers![0]!.byteLength = end;
  return glb_of(gltf, pieces, end);
}

function glb_of(gltf: Gltf, pieces: Uint8Array[], data_size: number): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(gltf)), json_size = even(text.length);
  const out = new Uint8Array(28 + json_size + data_size), view = new DataView(out.buffer);
  const words = [0x46546c67, 2, out.length, json_size, 0x4e4f534a];
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  out.fill(0x20, 20, 20 + json_size);
  out.set(text, 20);
  view.setUint32(20 + json_size, data_size, true);
  view.setUint32(24 + json_size, 0x004e4942, true);
  let at = 28 + json_size;
  for (const piece of pieces) out.set(piece, at), (at += piece.length);
  return out;
}
