// glTF files in node, as three.js sees them: reads .glb, .gltf and .vrm with their buffers, and passes them to three's
// GLTFLoader. There is no browser here, so images and materials are left out; geometry, nodes and clips are kept.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';

const GLB_MAGIC = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942;

/// {json, bin}: all buffers merged into one, so that the loader never looks for a file.
export function readGltf(path) {
  const { json, buffers } = readParts(path);
  return mergeBuffers(json, buffers);
}

function readParts(path) {
  const bytes = readFileSync(path);
  if (bytes.length >= 12 && bytes.readUInt32LE(0) === GLB_MAGIC) return readGlb(bytes);
  const json = JSON.parse(bytes.toString('utf8'));
  return { json, buffers: (json.buffers ?? []).map((buffer) => readBuffer(buffer, dirname(path))) };
}

function readGlb(bytes) {
  let json = null, bin = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at), type = bytes.readUInt32LE(at + 4);
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === JSON_CHUNK) json = JSON.parse(chunk.toString('utf8'));
    if (type === BIN_CHUNK) bin = chunk;
    at += 8 + length;
  }
  return { json, buffers: (json.buffers ?? []).map((_, i) => (i === 0 ? bin : null)) };
}

function readBuffer(buffer, folder) {
  if (buffer.uri === undefined) return null;  // a fallback for compressed data that nothing reads
  if (buffer.uri.startsWith('data:')) return Buffer.from(buffer.uri.slice(buffer.uri.indexOf(',') + 1), 'base64');
  return readFileSync(join(folder, decodeURIComponent(buffer.uri)));
}

function mergeBuffers(json, buffers) {
  let size = 0;
  const starts = buffers.map((buffer) => {
    const start = size;
    size += Math.ceil((buffer?.length ?? 0) / 4) * 4;
    return start;
  });
  const bin = new Uint8Array(size);
  buffers.forEach((buffer, i) => buffer && bin.set(buffer, starts[i]));
  const move = (view) => {
    view.byteOffset = (view.byteOffset ?? 0) + starts[view.buffer];
    view.buffer = 0;
  };
  for (const view of json.bufferViews ?? []) {
    move(view);
    const packed = view.extensions?.EXT_meshopt_compression;
    if (packed) move(packed);
  }
  if (buffers.length > 0) json.buffers = [{ byteLength: size }];
  return { json, bin };
}

function packGlb({ json, bin }) {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = Buffer.alloc(12 + 8 + padded + 8 + bin.length, 0x20);
  out.writeUInt32LE(GLB_MAGIC, 0);
  out.writeUInt32LE(2, 4);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(padded, 12);
  out.writeUInt32LE(JSON_CHUNK, 16);
  text.copy(out, 20);
  out.writeUInt32LE(bin.length, 20 + padded);
  out.writeUInt32LE(BIN_CHUNK, 24 + padded);
  out.set(bin, 28 + padded);
  return out.buffer.slice(out.byteOffset, out.byteOffset + out.length);
}

/// Removes what needs a browser: images, and the materials that use them.
export function withoutMaterials(file) {
  const { json } = file;
  for (const key of ['materials', 'textures', 'images', 'samplers']) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  return file;
}

/// Leaves only nodes and clips, so that no mesh decoder is needed.
export function withoutMeshes(file) {
  const { json } = withoutMaterials(file);
  for (const node of json.nodes ?? []) {
    delete node.mesh;
    delete node.skin;
  }
  delete json.meshes;
  delete json.skins;
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    if (json[key]) json[key] = json[key].filter((name) => name !== 'KHR_draco_mesh_compression');
  }
  return file;
}

/// three's own result, {scene, animations, parser, ...}.
export function loadWithThree(file) {
  globalThis.self ??= globalThis;
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  return loader.parseAsync(packGlb(file), '');
}
