// Flesh for a character that GLTFLoader has loaded, a glTF or a VRM, in one call:
//
//     const flesh = await attachFlesh(gltf);          // after loading
//     flesh.update(dt);                               // each frame, after the mixer
//     flesh.dispose();
//
// The bones of three.js drive the body; plain meshes with the same materials show it in place of the skinned ones.
import { BufferAttribute, DynamicDrawUsage, Group, Mesh } from 'three';
import { createFascia } from './core.js';
import { unpackGltf } from './unpack_gltf.js';

/** A frame that took longer, behind a hidden tab for example, counts as this long. */
const longest_frame = 0.1;

let shared = null;
const shared_fascia = () => (shared ??= createFascia());

/** The file that `gltf` came from, as one plain GLB without images, which the core does not need. */
async function file_of({ parser }, { name, draco, meshopt }) {
  const { json } = parser;
  const materials = json.materials?.map((material) => ({ name: material.name }));
  const lean = { ...json, materials, textures: undefined, images: undefined, samplers: undefined };
  const binary = parser.extensions.KHR_binary_glTF?.body ?? null;
  const files = new Map();
  for (const [i, { uri }] of (json.buffers ?? []).entries())
    if (uri !== undefined && !uri.startsWith('data:')) files.set(decodeURIComponent(uri), new Uint8Array(await parser.getDependency('buffer', i)));
  return unpackGltf(container(lean, binary), { name, files, draco, meshopt });
}

/** JSON and the binary chunk as a GLB; the JSON alone if there is none. */
function container(json, binary) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  if (!binary) return text;
  const even = (n) => Math.ceil(n / 4) * 4;
  const out = new Uint8Array(20 + even(text.length) + 8 + even(binary.byteLength));
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, even(text.length), 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true));
  out.fill(0x20, 20 + text.length, 20 + even(text.length));
  out.set(text, 20);
  const at = 20 + even(text.length);
  view.setUint32(at, even(binary.byteLength), true);
  view.setUint32(at + 4, 0x004e4942, true);
  out.set(new Uint8Array(binary), at + 8);
  return out;
}

/** Objects by the number of their node in the file, and meshes by node, mesh and primitive: names may occur twice, and
    GLTFLoader changes them. */
function objects_of(gltf) {
  const nodes = new Map(), meshes = new Map();
  const { associations } = gltf.parser;
  const node_of = (object) => (object === null ? undefined : (associations.get(object)?.nodes ?? node_of(object.parent)));
  for (const scene of new Set([gltf.scene, ...(gltf.scenes ?? [])])) {
    scene.traverse((object) => {
      const link = associations.get(object);
      if (!link) return;
      if (link.nodes !== undefined) nodes.set(link.nodes, object);
      if (object.isMesh && link.meshes !== undefined) meshes.set(`${node_of(object)}/${link.meshes}/${link.primitives ?? 0}`, object);
    });
  }
  return { nodes, meshes };
}

/** The skinned mesh of one part of the character, and the plain one that shows its flesh. */
function make_shown(part, meshes) {
  const skinned = meshes.get(`${part.sourceNode}/${part.mesh}/${part.primitive}`);
  if (!skinned || skinned.geometry.attributes.position.count !== part.vertexCount) return null;
  const geometry = skinned.geometry.clone();
  geometry.morphAttributes = {};
  for (const name of ['tangent', 'skinIndex', 'skinWeight', 'skinIndex_1', 'skinWeight_1']) geometry.deleteAttribute(name);
  for (const name of ['position', 'normal'])
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * part.vertexCount), 3).setUsage(DynamicDrawUsage));
  const plain = new Mesh(geometry, skinned.material);
  plain.name = `${skinned.name} flesh`;
  plain.castShadow = skinned.castShadow;
  plain.receiveShadow = skinned.receiveShadow;
  plain.renderOrder = skinned.renderOrder;
  plain.layers.mask = skinned.layers.mask;
  plain.frustumCulled = false; // its bounds change with every frame
  // Vertices come in world space.
  plain.matrixAutoUpdate = plain.matrixWorldAutoUpdate = false;
  return { skinned, plain, from: 3 * part.firstVertex, to: 3 * (part.firstVertex + part.vertexCount) };
}

/**
 * options: method ('layers'), flesh (a flesh file as object or text; null: the default), fascia (a module of your own),
 * bytes (the file, if the parser of GLTFLoader is gone), name (for messages), clock (a THREE.Clock for update() without
 * dt), draco and meshopt as in unpackGltf.
 */
export async function attachFlesh(gltf, options = {}) {
  if (!gltf?.parser && !options.bytes) throw new Error('attachFlesh() needs what GLTFLoader gives to its callback: an object with scene and parser.');
  const { method = 'layers', flesh = null, name = 'the character', clock = null } = options;
  const fascia = await (options.fascia ?? shared_fascia());
  const bytes = options.bytes ? await unpackGltf(options.bytes, { name, draco: options.draco, meshopt: options.meshopt }) : await file_of(gltf, { ...options, name });
  const character = fascia.load(bytes, name);
  try {
    return new AttachedFlesh(gltf, character, character.bind({ method, flesh }), clock);
  } catch (problem) {
    character.free();
    throw problem;
  }
}

class AttachedFlesh {
  constructor(gltf, character, instance, clock) {
    this.character = character;
    this.instance = instance;
    this.clock = clock;
    this.scene = gltf.scene;
    const { nodes, meshes } = objects_of(gltf);
    this.bones = character.joints.map((joint) => nodes.get(joint.sourceNode) ?? null);
    const lost = character.joints.filter((_, i) => this.bones[i] === null).map((joint) => joint.name);
    if (lost.length > 0) throw new Error(`The scene has no node for ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ', …' : ''}: attach the flesh before nodes are removed.`);
    this.parts = character.parts.map((part) => make_shown(part, meshes)).filter((part) => part !== null);
    if (this.parts.length === 0) throw new Error('None of the scene’s meshes is in the character: was the geometry changed after loading?');
    /** Holds the plain meshes. */
    this.group = new Group();
    this.group.name = 'flesh';
    for (const { skinned, plain } of this.parts) {
      this.group.add(plain);
      skinned.visible = false;
    }
    this.scene.add(this.group);
    this.reset();
  }

  /** The meshes that show the flesh. */
  get meshes() {
    return this.parts.map(({ plain }) => plain);
  }

  read_bones() {
    this.scene.updateWorldMatrix(true, true);
    this.bones.forEach((bone, joint) => this.instance.setJoint(joint, bone.matrixWorld));
  }

  /** After a teleport or a cut: the flesh is where the bones carry it, at rest. */
  reset() {
    this.read_bones();
    this.instance.reset();
    this.show();
  }

  /** One frame of dt seconds, after the mixer has posed the bones. Without dt, the clock's time. */
  update(dt = this.clock?.getDelta()) {
    if (!Number.isFinite(dt)) throw new Error('update(dt) needs the seconds since the last frame, or a clock given to attachFlesh().');
    this.read_bones();
    this.instance.advance(Math.min(Math.max(dt, 0), longest_frame));
    this.show();
  }

  show() {
    this.instance.embed();
    const { positions, normals } = this.instance;
    for (const { skinned, plain, from, to } of this.parts) {
      plain.material = skinned.material; // which the page may have changed
      const { position, normal } = plain.geometry.attributes;
      position.array.set(positions.subarray(from, to));
      normal.array.set(normals.subarray(from, to));
      position.needsUpdate = normal.needsUpdate = true;
    }
  }

  /** Shows the skinned meshes again and frees everything. */
  dispose() {
    if (!this.instance) return;
    for (const { skinned, plain } of this.parts) {
      skinned.visible = true;
      plain.geometry.dispose();
    }
    this.group.removeFromParent();
    this.instance.free();
    this.character.free();
    this.instance = null;
  }
}
