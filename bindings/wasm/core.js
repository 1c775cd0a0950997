// Fascia for JavaScript: characters, rigs and instances over the C functions of the WASM module.
// Arrays (positions, joints, ...) are views into the module's memory: read them at once, or copy them.
import { unpackGltf } from './unpack_gltf.js';

export { unpackGltf };

const in_node = typeof process === 'object' && !!process.versions?.node && typeof WorkerGlobalScope === 'undefined';

/** Threads need shared memory, which browsers grant only to pages with the cross-origin headers. */
export function canUseThreads() {
  return !in_node && globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function';
}

async function read(url) {
  if (in_node) return (await import(/* webpackIgnore: true */ 'node:fs/promises')).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} cannot be loaded (${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Emscripten's code expects some things from node that ES modules do not have. */
async function prepare_node(url) {
  const { createRequire } = await import(/* webpackIgnore: true */ 'node:module');
  globalThis.require ??= createRequire(url);
  globalThis.__dirname ??= new URL('.', url).pathname;
}

/** The files of the module, each named as bundlers want to see it: they copy the files and put their addresses here. */
const files = {
  'fascia.js': new URL('./fascia.js', import.meta.url),
  'fascia.wasm': new URL('./fascia.wasm', import.meta.url),
  'fascia_threads.js': new URL('./fascia_threads.js', import.meta.url),
  'fascia_threads.wasm': new URL('./fascia_threads.wasm', import.meta.url),
  'fascia_threads.worker.js': new URL('./fascia_threads.worker.js', import.meta.url),
};

/**
 * Loads the module. `threads`: how many to use at most; 1 (or a page without the cross-origin headers) takes the build
 * without threads. `base`: where the files of the module are, unless beside this file. `lean`, for workers: half of the
 * module is loaded when it is first called; needs the files that scripts/split_wasm.mjs writes.
 */
export async function createFascia({ threads = 0, base = null, lean = false } = {}) {
  const place = (file) => (base === null ? files[file] : new URL(file, base)).href;
  const wanted = threads > 0 ? threads : Math.min(4, Math.max(1, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));
  const count = canUseThreads() ? Math.min(16, wanted) : 1;
  const name = count > 1 ? 'fascia_threads' : 'fascia';
  const script = place(`${name}.js`);
  if (in_node) await prepare_node(script);
  const [{ default: create }, wasmBinary] = await Promise.all([
    import(/* @vite-ignore */ /* webpackIgnore: true */ script),
    read(new URL(place(lean ? `${name}.lean.wasm` : `${name}.wasm`))),
  ]);
  const module = await create({ wasmBinary, threads: count, mainScriptUrlOrBlob: script, locateFile: place });
  return new Fascia(module, count);
}

/** The pointer of an object that has been freed. */
const freed = null;

/** An index into a list, or a sentence. */
function checked_index(index, count, what) {
  if (!Number.isInteger(index) || index < 0 || index >= count) throw new Error(`There is no ${what} ${index}: there are ${count}, counted from 0.`);
  return index;
}
const checked_numbers = (values, count, what) => {
  if (values?.length !== count || !Array.prototype.every.call(values, Number.isFinite)) throw new Error(`${what} takes ${count} finite numbers.`);
  return values;
};
const checked_seconds = (seconds, what) => {
  if (!Number.isFinite(seconds)) throw new Error(`${what} takes seconds as a finite number, not ${seconds}.`);
  return seconds;
};

/** Calls with texts and bytes; error messages instead of null pointers. */
class Calls {
  constructor(module) {
    this.module = module;
    this.decoder = new TextDecoder();
  }
  get buffer() {
    return (this.module.wasmMemory ?? this.module.HEAPU8).buffer;
  }
  view(Type, pointer, count) {
    return new Type(this.buffer, pointer, count);
  }
  text(pointer) {
    if (!pointer) this.fail();
    const bytes = new Uint8Array(this.buffer);
    let end = pointer;
    while (bytes[end] !== 0) end++;
    return this.decoder.decode(bytes.slice(pointer, end)); // a copy: shared memory cannot be decoded
  }
  json(pointer) {
    return JSON.parse(this.text(pointer));
  }
  fail() {
    throw new Error(this.text(this.module._fascia_error()));
  }
  /** Calls `name`; texts and byte arrays become pointers for the duration of the call. */
  call(name, ...values) {
    if (values[0] === freed) throw new Error(`This has been freed: ${name} cannot be called any more.`);
    const own = [];
    const take = (bytes) => {
      const pointer = this.module._malloc(bytes.length + 1);
      if (!pointer) throw new Error('There is not enough memory for this file.');
      own.push(pointer);
      const target = this.view(Uint8Array, pointer, bytes.length + 1);
      target.set(bytes);
      target[bytes.length] = 0;
      return pointer;
    };
    try {
      const plain = values.map((v) =>
        typeof v === 'string' ? take(new TextEncoder().encode(v)) : v instanceof Uint8Array ? take(v) : v);
      return this.module[`_fascia_${name}`](...plain);
    } finally {
      for (const pointer of own) this.module._free(pointer);
    }
  }
  /** A copy of the bytes that the last call left. */
  bytes() {
    const copy = this.view(Uint8Array, this.call('bytes'), this.call('bytes_size')).slice();
    this.call('bytes_drop');
    return copy;
  }
}

/** A setting as in `info --json`, with its key within its scope. */
const field_info = ({ key, range, choices = [], auto = false, default: usual, ...rest }) =>
  ({ ...rest, key: key.slice(key.lastIndexOf('.') + 1), min: range?.[0] ?? 0, max: range?.[1] ?? 0, choices, auto, usual });
const method_info = ({ settings, ...rest }) => ({ ...rest, fields: settings.map(field_info) });

const scope_of_group = { layers: 'layer', parts: 'part', joints: 'joint' };

/** The field that a key stands for: "delta", or "layers.fat.frequency" with any name in the middle. */
function find_field(method, key) {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const scope = first < 0 ? 'whole' : scope_of_group[key.slice(0, first)];
  return method?.fields.find((field) => field.scope === scope && field.key === key.slice(last + 1));
}

/** Text from the module as the kind of value that the field holds; null if a part keeps the default. */
function parse_value(field, text) {
  if (field.kind === 'choice' || field.kind === 'text') return text;
  if (text === '') return null;
  if (field.auto && text === 'auto') return text;
  if (field.kind === 'boolean') return text === 'true';
  return field.kind === 'vector' ? text.split(',').map(Number) : Number(text);
}

export class Fascia {
  constructor(module, threads) {
    this.calls = new Calls(module);
    this.threads = threads;
    this.version = this.calls.text(this.calls.call('version'));
    this.bundledNames = this.calls.json(this.calls.call('bundled_names'));
    this.bundledMotionNames = this.calls.json(this.calls.call('bundled_motion_names'));
    this.methods = this.calls.json(this.calls.call('methods')).map(method_info);
    this.presetNames = this.calls.json(this.calls.call('preset_names'));
  }
  /** Called during bind() with the share that is done, 0 to 1; returning false stops it, and bind() throws. */
  set onBind(listener) {
    this.calls.module.onBind = listener && ((share) => listener(share) !== false);
  }
  /** One of `bundledNames`. */
  bundled(name) {
    return new Character(this, this.calls.call('character_bundled', name));
  }
  /** A plain GLB or VRM; pass others through unpackGltf first. */
  load(bytes, name) {
    return new Character(this, this.calls.call('character_load', name, bytes, bytes.length));
  }
  /**
   * A mesh without a skeleton (.obj, .ply, .off, or a plain .glb) as a character with handles as joints: found by its
   * shape, `count` of them, or those in `points` ({ name, parent, at: [x, y, z] }, parents first).
   */
  fromMesh(bytes, name, { count = 0, points = [], resolution = 0 } = {}) {
    const options = JSON.stringify({ count, points, resolution, threads: this.threads });
    return new Character(this, this.calls.call('character_from_mesh', name, bytes, bytes.length, options));
  }
  /** The flesh of a preset, in the form of a flesh file. */
  preset(name) {
    return this.calls.json(this.calls.call('preset', name));
  }
  /**
   * Reads and checks a flesh file (text) and returns it complete; with `character`, also checks the names of joints.
   */
  readFlesh(text, name = 'flesh', character = null) {
    return this.calls.json(this.calls.call('flesh_read', character?.pointer ?? 0, name, text));
  }
  /** What bodies touch, and the wind: the contents of a world file (docs/schemas), as an object or text. */
  world(contents) {
    return new World(this.calls, this.calls.call('world_make', typeof contents === 'string' ? contents : JSON.stringify(contents)));
  }
  /** The values of the flesh at one joint: a number for each of the method's part fields. */
  fleshAt(method, flesh, joint) {
    return this.calls.json(this.calls.call('flesh_at', method, JSON.stringify(flesh), joint));
  }
}

export class Character {
  constructor(fascia, pointer) {
    if (!pointer) fascia.calls.fail();
    this.fascia = fascia;
    this.pointer = pointer;
    this.instances = new Set();
    this.describe();
  }
  describe() {
    Object.assign(this, this.fascia.calls.json(this.fascia.calls.call('character_describe', this.pointer)));
  }
  /** [vertices * 3] */
  get restPositions() {
    return this.view(Float32Array, 'character_positions', this.vertices * 3);
  }
  /** [triangles * 3] */
  get triangleIndices() {
    return this.view(Uint32Array, 'character_triangles', this.triangles * 3);
  }
  /** [vertices * influences] */
  get weightJoints() {
    return this.view(Uint16Array, 'character_weight_joints', this.vertices * this.influences);
  }
  /** [vertices * influences] */
  get weights() {
    return this.view(Float32Array, 'character_weights', this.vertices * this.influences);
  }
  view(Type, name, count) {
    const { calls } = this.fascia;
    return calls.view(Type, calls.call(name, this.pointer), count);
  }
  /**
   * Adds the motion of a BVH file (text) as a clip, or puts it in place of clip `index`; returns its index. map: joints
   * that are paired by hand, { "joint of the motion": "joint of the character" }.
   */
  addMotion(text, name, { map = {}, index = -1 } = {}) {
    return this.added(this.fascia.calls.call('character_add_motion', this.pointer, index, name, text, JSON.stringify(map)));
  }
  /** How addMotion() would pair the joints: { joints: [{ name, parent }], pairs: [[motion's, character's]], enough }. */
  matchMotion(text, name, map = {}) {
    const { calls } = this.fascia;
    return calls.json(calls.call('character_match_motion', this.pointer, name, text, JSON.stringify(map)));
  }
  /** Adds one of bundledMotionNames as a clip; returns its index. */
  addBundledMotion(name) {
    return this.added(this.fascia.calls.call('character_add_bundled_motion', this.pointer, name));
  }
  /** The same mesh with other handles: a new character. */
  withHandles({ count = 0, points = [], resolution = 0 } = {}) {
    const { fascia } = this;
    const options = JSON.stringify({ count, points, resolution, threads: fascia.threads });
    return new Character(fascia, fascia.calls.call('character_with_handles', this.pointer, options));
  }
  /**
   * A clip made of poses, in place of clip `index` or as a new one (-1); returns its index. times: seconds, ascending;
   * matrices: [times * joints * 12] rows of (A | t), world.
   */
  setClip(index, name, times, matrices) {
    const wanted = times.length * this.joints.length * 12;
    if (times.length === 0 || matrices.length !== wanted) throw new Error(`setClip() takes ${wanted} numbers for ${times.length} times, not ${matrices.length}.`);
    const bytes = (list) => new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
    const { calls } = this.fascia;
    return this.added(calls.call('character_set_clip', this.pointer, index, name, bytes(Float32Array.from(times)), times.length, bytes(Float64Array.from(matrices))));
  }
  added(clip) {
    if (clip < 0) this.fascia.calls.fail();
    this.describe();
    return clip;
  }
  /** softness: [vertices] 0..1, kept as the vertex colour COLOR_1, which the setting mask: 'COLOR_1.r' reads. */
  paint(softness) {
    if (softness.length !== this.vertices) throw new Error(`paint() needs ${this.vertices} numbers, one for each vertex, not ${softness.length}.`);
    const { calls } = this.fascia;
    calls.call('character_paint', this.pointer, new Uint8Array(Float32Array.from(softness).buffer));
  }
  /** The character as a GLB. */
  toGlb() {
    if (this.fascia.calls.call('character_write', this.pointer) !== 0) this.fascia.calls.fail();
    return this.fascia.calls.bytes();
  }
  /** embed: how points carry the surface; kernel and samples apply to rbf and domains. */
  bind({ method = 'layers', flesh = null, threads = this.fascia.threads, embed = 'auto', kernel = 'gauss', samples = 300 } = {}) {
    const { calls } = this.fascia;
    const text = flesh === null ? '' : typeof flesh === 'string' ? flesh : JSON.stringify(flesh);
    return new Instance(this, calls.call('bind', this.pointer, method, text, threads, embed, kernel, samples));
  }
  /** Its instances go with it. */
  free() {
    if (this.pointer === freed) return;
    for (const instance of [...this.instances]) instance.free();
    this.fascia.calls.call('character_free', this.pointer);
    this.pointer = freed;
  }
}

export class Instance {
  constructor(character, pointer) {
    this.character = character;
    this.calls = character.fascia.calls;
    if (!pointer) this.calls.fail();
    this.pointer = pointer;
    this.bakes = new Set();
    character.instances.add(this);
    Object.assign(this, this.calls.json(this.calls.call('instance_describe', pointer)));
  }
  /** Another instance of the same rig, with its own state. */
  twin() {
    return new Instance(this.character, this.calls.call('instance_twin', this.pointer));
  }
  /** Takes the pose of a clip; null means the file's default pose, 'bind' the bind pose. */
  pose(clip = null, seconds = 0) {
    const number = clip === 'bind' ? -2 : clip === null ? -1 : checked_index(clip, this.character.clips.length, 'clip');
    this.calls.call('pose', this.pointer, number, checked_seconds(seconds, 'pose()'));
  }
  /** [joints * 12] rows of (A | t): write here to pose the character yourself. */
  get joints() {
    return this.view(Float64Array, 'joints', this.character.joints.length * 12);
  }
  /** [nodes * 12] after pose(): the nodes of the scene, for parts without a skin. */
  get nodes() {
    return this.view(Float64Array, 'nodes', this.character.nodes * 12);
  }
  /** Writes the world matrix of a three.js bone (Matrix4) as joint `index`. */
  setJoint(index, matrix) {
    checked_index(index, this.character.joints.length, 'joint');
    const e = checked_numbers(matrix?.elements, 16, 'The matrix of setJoint()');
    const m = this.joints;
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++) m[12 * index + 4 * row + column] = e[4 * column + row];
  }
  /** Method handles: lets the handles (joints) that match a pattern hold the surface, or not. */
  enableHandles(pattern, on) {
    if (this.calls.call('enable_handles', this.pointer, pattern, on ? 1 : 0) !== 0) this.calls.fail();
  }
  /** Method handles: turns handles about themselves. turn: [w, x, y, z] in the axes of the rest pose. */
  turnHandles(pattern, turn) {
    const [w, x, y, z] = checked_numbers(turn, 4, 'turnHandles()');
    if (this.calls.call('turn_handles', this.pointer, pattern, w, x, y, z) !== 0) this.calls.fail();
  }
  /** [joints * 12] as the handles carry the surface since the last advance(); without handles: the joints. */
  get handlePose() {
    return this.view(Float64Array, 'handle_pose', this.character.joints.length * 12);
  }
  /** For the first frame and teleports: puts the flesh where the skeleton carries it. */
  reset() {
    this.calls.call('reset', this.pointer);
  }
  /** The same, but the flesh first comes to rest in this pose: a start without a jolt, at the cost of about a second.
  */
  resetSettled() {
    this.calls.call('reset_settled', this.pointer);
  }
  /**
   * Takes over from `other`, an instance of the same character at another level of detail: shows the same surface at
   * first, and the difference fades within `seconds`. False if their skeletons differ.
   */
  resetFrom(other, seconds = 0.4) {
    if (!(other instanceof Instance) || other.pointer === freed) throw new Error('resetFrom() takes another instance that has not been freed.');
    return this.calls.call('reset_from', this.pointer, other.pointer, seconds) === 1;
  }
  /** One frame of dt seconds that ends in the pose taken last; with `world`, in that world. */
  advance(dt, world = null) {
    checked_seconds(dt, 'advance()');
    if (world === null) return this.calls.call('advance', this.pointer, dt);
    if (!(world instanceof World) || world.pointer === freed) throw new Error('advance() takes a world that has not been freed.');
    this.calls.call('advance_in', this.pointer, dt, world.pointer);
  }
  /** Writes `positions` and `normals`. */
  embed() {
    this.calls.call('embed', this.pointer);
  }
  /** Writes `skinned`: the same pose without simulation. */
  embedSkinned() {
    this.calls.call('embed_skinned', this.pointer);
  }
  /** Applies other settings without a bind and without a jump; false if they need a bind. */
  retune(flesh) {
    return this.calls.call('retune', this.pointer, typeof flesh === 'string' ? flesh : JSON.stringify(flesh)) === 0;
  }
  /** Changes one setting by its key ("delta", "layers.fat.frequency") without a jump; throws if it needs a bind. */
  set(key, value) {
    if (this.calls.call('set', this.pointer, key, String(value)) !== 0) this.calls.fail();
  }
  /** The setting that the instance runs with; null if a part keeps the default. */
  get(key) {
    const text = this.calls.text(this.calls.call('get', this.pointer, key));
    return parse_value(find_field(this.character.fascia.methods.find((m) => m.name === this.method), key), text);
  }
  /**
   * Takes hold of the flesh at a point of the surface (scene space); a strength of 1 is a firm hand. False if there is
   * none.
   */
  pull(point, strength = 1) {
    const [x, y, z] = checked_numbers(point, 3, 'pull()');
    return this.calls.call('pull', this.pointer, x, y, z, strength) === 0;
  }
  /** Where to pull from now on. */
  pullTo(target) {
    const [x, y, z] = checked_numbers(target, 3, 'pullTo()');
    this.calls.call('pull_to', this.pointer, x, y, z);
  }
  release() {
    this.calls.call('release', this.pointer);
  }
  get positions() {
    return this.view(Float32Array, 'positions', this.character.vertices * 3);
  }
  get normals() {
    return this.view(Float32Array, 'normals', this.character.vertices * 3);
  }
  get skinned() {
    return this.view(Float32Array, 'skinned', this.character.vertices * 3);
  }
  /** [insidePoints * 3] where the points of the simulation are now. */
  get points() {
    return this.view(Float32Array, 'points', this.insidePoints * 3);
  }
  /** [insidePoints] 0 bone, then the layers outwards. */
  get pointLayers() {
    return this.view(Uint8Array, 'point_layers', this.insidePoints);
  }
  /** [insidePoints] joint of the bone that carries each point most; empty unless `hasParts`. */
  get pointBones() {
    return this.view(Uint16Array, 'point_bones', this.hasParts ? this.insidePoints : 0);
  }
  /** [insidePoints] joint around which each point lies; empty unless `hasParts`. */
  get pointJoints() {
    return this.view(Uint16Array, 'point_joints', this.hasParts ? this.insidePoints : 0);
  }
  /** [cells * 8] points at the corners of each cell, numbered by bits: 1 for the upper side along x, 2 y, 4 z. */
  get cellCorners() {
    return this.view(Uint32Array, 'cells', this.cells * 8);
  }
  /** [vertices] number of the domain of each, where the surface is carried by domains. */
  get vertexDomains() {
    return this.view(Uint32Array, 'vertex_domains', this.domains);
  }
  /** [samples] the vertex nearest to each sample or centre that carries the surface. */
  get sampleVertices() {
    return this.view(Uint32Array, 'sample_vertices', this.samples);
  }
  /** Rounds per frame and the energy that is left (mean over the points), or null if the method does not solve. */
  solved() {
    const [is, rounds, volumeRounds, energy] = this.view(Float64Array, 'solved', 4);
    return is === 1 ? { rounds, volumeRounds, energy } : null;
  }
  /**
   * Volume of the part around each joint as the skeleton alone carries it, divided by its rest volume: [{joint,
   * ratio}].
   */
  jointVolumes() {
    const at = this.calls.call('joint_volumes', this.pointer);
    const [count] = this.calls.view(Float64Array, at, 1);
    const values = this.calls.view(Float64Array, at, 1 + 2 * count);
    return Array.from({ length: count }, (_, k) => ({ joint: values[1 + 2 * k], ratio: values[2 + 2 * k] }));
  }
  /** [vertices] stretch of the surface that embed() wrote. */
  get strain() {
    return this.view(Float32Array, 'strain', this.character.vertices);
  }
  /** After embed() and embedSkinned(). */
  measures() {
    const [volume, secondary, largest, strain] = this.view(Float64Array, 'measures', 4);
    return { volume: Number.isNaN(volume) ? null : volume, secondary, largest, strain };
  }
  /** Seconds by stage since the last call, and counters since the beginning. */
  times() {
    return this.calls.json(this.calls.call('times', this.pointer));
  }
  /** The same motion gives the same hash, here and in every native build. */
  hash() {
    return this.calls.text(this.calls.call('hash', this.pointer));
  }
  /** Opens a file in memory: 'glb', 'pc2', 'mdd' or 'usda'. */
  bake(extension, fps, frames) {
    return new Bake(this, this.calls.call('bake_open', this.pointer, extension, fps, frames));
  }
  view(Type, name, count) {
    return this.calls.view(Type, this.calls.call(name, this.pointer), count);
  }
  free() {
    if (this.pointer === freed) return;
    for (const bake of [...this.bakes]) bake.free();
    this.calls.call('instance_free', this.pointer);
    this.pointer = freed;
    this.character.instances.delete(this);
  }
}

/** Any number of instances may be advanced in one world. */
export class World {
  constructor(calls, pointer) {
    if (!pointer) calls.fail();
    this.calls = calls;
    this.pointer = pointer;
    this.colliders = calls.call('world_colliders', pointer);
  }
  /** Before instances are advanced by dt seconds: whatever moved in the last frame has arrived. */
  beginFrame(dt) {
    this.calls.call('world_begin_frame', this.pointer, checked_seconds(dt, 'beginFrame()'));
  }
  /** Where a collider will be at the end of this frame; `atOnce`: it is there already, without speed. */
  move(collider, place, atOnce = false) {
    checked_index(collider, this.colliders, 'collider');
    const [x, y, z] = checked_numbers(place, 3, 'move()');
    this.calls.call('world_move', this.pointer, collider, x, y, z, atOnce ? 1 : 0);
  }
  free() {
    if (this.pointer === freed) return;
    this.calls.call('world_free', this.pointer);
    this.pointer = freed;
  }
}

/** Call frame() for each frame, then finish() for the bytes; free() in any case. */
export class Bake {
  constructor(instance, pointer) {
    this.calls = instance.calls;
    if (!pointer) this.calls.fail();
    this.pointer = pointer;
    this.instance = instance;
    instance.bakes.add(this);
  }
  frame() {
    if (this.calls.call('bake_frame', this.pointer) !== 0) this.calls.fail();
  }
  finish() {
    if (this.calls.call('bake_finish', this.pointer) !== 0) this.calls.fail();
    return this.calls.bytes();
  }
  free() {
    if (this.pointer === freed) return;
    this.calls.call('bake_free', this.pointer);
    this.pointer = freed;
    this.instance.bakes.delete(this);
  }
}
