// The simulation, off the page's thread: one character, one or two methods on the same motion.
import type { Character, Embed, Fascia, Flesh, Instance } from '../../../../bindings/wasm/index';
import type {
  CharacterInfo, Frame, FrameWish, FromSim, Hello, Machine, Measures, NamedBytes, PartsInfo, RigInfo, SimApi, StageMs, ToSim,
} from './api';
import { Buffers } from './buffers';
import { Extremes } from './extremes';
import { Pace } from './pace';
import { Posed } from './posed';
import { per_frame } from './stages';
import { Surroundings } from './surroundings';
import { survey } from './survey';

type Package = typeof import('../../../../bindings/wasm/index');

const frame_seconds = 1 / 60;
/** In seconds. A longer frame counts as this long; beyond asleep_after (a hidden tab), as one ordinary frame. */
const longest_frame = 0.25;
const asleep_after = 2;
const swing_seconds = 4;
const pull_strength = 4;
const poke_seconds = 0.12;
/** Share of the size: skinning that is off by less at every vertex stands for the handles. */
const near_enough = 0.02;
/** Voxels for the weights of handles: half as many as usual, because somebody waits. */
const resolution = 32;

let library: Package;
let fascia: Fascia;
let character: Character | null = null;
let a: Instance | null = null;
let b: Instance | null = null;
let methods: { a: string; b: string | null } = { a: '', b: null };
let flesh: Flesh = {};
/** How points carry the surface, in methods that leave a choice. */
let embed: Embed = 'auto';
let clip = 0;
let time = 0;
/** The next frame is a jump, not a motion: after a seek, a new clip, a loop. */
let jumped = true;
let pace = new Pace();
/** The machine that a test pretends to run on. */
let pretended: Machine | null = null;
/** The page writes here to stop a bind. */
let stop_bind: Int32Array | null = null;
let pending_step = 0;
let pulling = false;
/** While paused, flesh that was pulled keeps swinging back for this long. */
let swing_left = 0;
/** Seconds until a poke lets go. */
let poke_left = 0;
/** Where the whole body is going when moved by hand, and where it is now. */
const body_goal: [number, number, number] = [0, 0, 0], body_at: [number, number, number] = [0, 0, 0];
let extremes: Extremes | null = null;
/** Wind in sizes per second squared, which blows for every character, and what the present one meets. */
let wind: [number, number, number] = [0, 0, 0];
let surroundings: Surroundings | null = null;
let meter: Meter;
/** What handles do, if the character has any. */
let posed = new Posed();
const buffers = new Buffers();

// ---- characters ----------------------------------------------------------------------------------------------------
const file_name = (name: string) => name.split('/').pop()!;
const plain_name = (name: string) => file_name(name).replace(/\.[^.]+$/, '');
const is_mesh = ({ name }: NamedBytes) => /\.(obj|ply|off)$/i.test(name);

async function unpack(files: NamedBytes[]): Promise<{ glb: Uint8Array; name: string }> {
  const main = files.find((f) => /\.(glb|vrm|gltf)$/i.test(f.name));
  if (!main) {
    const names = files.map((f) => f.name).join(', ');
    throw new Error(`${names} is no character. Drop a .glb, .gltf with its .bin, .vrm, a mesh (.obj, .ply, .off), or a .bvh motion.`);
  }
  const beside = new Map(files.filter((f) => f !== main).map((f) => [f.name, f.bytes]));
  const glb = await library.unpackGltf(main.bytes, {
    name: main.name,
    files: beside,
    meshopt: async () => (await import('three/examples/jsm/libs/meshopt_decoder.module.js')).MeshoptDecoder,
    draco: load_draco,
  });
  return { glb, name: main.name };
}

async function load_draco() {
  const [{ default: create }, { default: url }] = await Promise.all([import('virtual:draco'), import('virtual:draco-wasm')]);
  const wasmBinary = new Uint8Array(await (await fetch(url)).arrayBuffer());
  return create({ wasmBinary });
}

/** A GLB whose meshes have no skin is a mesh to be posed. */
function has_skin(glb: Uint8Array): boolean {
  try {
    const size = new DataView(glb.buffer, glb.byteOffset, glb.byteLength).getUint32(12, true);
    const { skins, meshes } = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size)));
    return (skins?.length ?? 0) > 0 || (meshes?.length ?? 0) === 0;
  } catch {
    return true; // the reader says what is wrong with it
  }
}

/** A mesh with handles, through a file, so that its parts carry the numbers that the page draws. */
function take_posed(made: Character): CharacterInfo {
  const glb = made.toGlb(), { remarks, name } = made;
  made.free();
  const info = take(fascia.load(glb, `${name}.glb`), glb);
  return { ...info, remarks: [...remarks, ...info.remarks], posed: true };
}

function take(next: Character, glb: Uint8Array): CharacterInfo {
  const last = character;
  a?.free();
  b?.free();
  a = b = null;
  if (last !== baked) last?.free(); // an export finishes what it began
  buffers.clear();
  character = next;
  clip = 0;
  time = 0;
  jumped = true;
  pace = new Pace();
  extremes = null;
  meter = new Meter();
  posed = new Posed();
  body_goal.fill(0);
  body_at.fill(0);
  surroundings?.free();
  surroundings = new Surroundings(fascia, next.size, lowest(next.restPositions));
  surroundings.blow(wind);
  return {
    name: plain_name(next.name),
    glb,
    vertices: next.vertices,
    triangles: next.triangles,
    size: next.size,
    joints: next.joints,
    clips: next.clips,
    parts: next.parts,
    rigidParts: next.rigidParts,
    remarks: next.remarks,
    mainJoint: main_joints(next),
    triangleIndices: next.triangleIndices.slice(),
    restPositions: next.restPositions.slice(),
    posed: false,
  };
}

function lowest(positions: Float32Array): number {
  let least = Infinity;
  for (let i = 1; i < positions.length; i += 3) least = Math.min(least, positions[i]!);
  return least;
}

function main_joints(of: Character): Uint16Array {
  const joints = of.weightJoints, n = of.influences;
  const out = new Uint16Array(of.vertices);
  for (let v = 0; v < out.length; v++) out[v] = joints[v * n]!; // largest first
  return out;
}

// ---- rigs ----------------------------------------------------------------------------------------------------------
/** Fewer steps means longer steps: the flesh file sets their length, a slow machine doubles it. */
const with_pace = (of: Flesh): Flesh =>
  pace.level === 'full' ? of : { ...of, step: 2 * ((of.step as number | undefined) ?? 1 / 240) };

function rest_points(instance: Instance): Float32Array {
  if (instance.insidePoints === 0) return new Float32Array(0);
  instance.pose('bind');
  instance.reset();
  return instance.points.slice();
}

function parts_of(instance: Instance): PartsInfo | null {
  return instance.hasParts ? { bones: instance.pointBones.slice(), joints: instance.pointJoints.slice() } : null;
}

function rig_info(instance: Instance, ms: number): RigInfo {
  return {
    method: instance.method,
    points: instance.pointCount,
    layers: instance.layerCounts,
    insidePoints: instance.insidePoints,
    pointSpacing: instance.pointSpacing,
    pointLayers: instance.pointLayers.slice(),
    restPoints: rest_points(instance),
    parts: parts_of(instance),
    cells: instance.cellCorners.slice(),
    domains: instance.vertexDomains.slice(),
    samples: instance.sampleVertices.slice(),
    warnings: instance.warnings,
    bindMs: ms,
  };
}

function embed_of(method: string): Embed {
  return fascia.methods.find((m) => m.name === method)?.abilities.embeddings.includes(embed) ? embed : 'auto';
}

function bind_one(method: string): { instance: Instance; info: RigInfo } {
  const started = performance.now();
  if (stop_bind) Atomics.store(stop_bind, 0, 0);
  post({ binding: 0 });
  let instance: Instance;
  try {
    instance = character!.bind({ method, flesh: with_pace(flesh), embed: embed_of(method) });
  } finally {
    post({ binding: null });
  }
  const info = rig_info(instance, performance.now() - started);
  take_pose(instance, time);
  instance.reset();
  return { instance, info };
}

/** Is the preset one that the methods know? If not, a bind says so. */
function suits_all(of: Flesh): boolean {
  const chosen = fascia.methods.filter((m) => m.presets.length > 0 && [methods.a, methods.b].includes(m.name));
  return chosen.every((m) => of.preset === undefined || m.presets.includes(of.preset));
}

/** Applies other settings to the existing rigs; false if they need a bind. */
function retune_all(): boolean {
  return instances().every((instance) => instance.retune(with_pace(flesh)));
}

/** Binds all chosen methods; on failure everything stays as it was. */
function rebind() {
  if (!character) throw new Error('There is no character yet.');
  const next_a = bind_one(methods.a);
  let next_b: ReturnType<typeof bind_one> | null = null;
  try {
    next_b = methods.b === null ? null : bind_one(methods.b);
  } catch (problem) {
    next_a.instance.free();
    throw problem;
  }
  a?.free();
  b?.free();
  a = next_a.instance;
  b = next_b?.instance ?? null;
  meter = new Meter();
  return { a: next_a.info, b: next_b?.info ?? null };
}

const instances = () => [a, b].filter((i): i is Instance => i !== null);
/** null: a character without clips stands in its default pose. */
const shown_clip = () => (character!.clips.length > 0 ? clip : null);
const duration = () => character?.clips[clip]?.duration ?? 0;
/** By the clip; handles by what was keyed, or where one is being dragged. */
function take_pose(instance: Instance, at: number) {
  instance.pose(shown_clip(), at);
  if (clip === posed.clip) posed.write(instance, at);
}

// ---- frames --------------------------------------------------------------------------------------------------------
/** Advances the time of the motion; true if the clip ended. */
function move_clock(wish: FrameWish, dt: number): boolean {
  if (!wish.playing) return false;
  const end = duration();
  if (end <= 0) return false;
  time += dt * wish.speed;
  if (time < end) return false;
  if (wish.loop) {
    time %= end;
    jumped = !joins_up(end);
    return false;
  }
  time = end;
  return true;
}

/** Does the clip end where it begins? Then the flesh swings on through the seam. */
function joins_up(end: number): boolean {
  a!.pose(shown_clip(), 0);
  const first = a!.joints.slice();
  a!.pose(shown_clip(), end);
  const last = a!.joints;
  const far = first.reduce((most, value, i) => Math.max(most, Math.abs(value - last[i]!) / (i % 4 === 3 ? character!.size : 1)), 0);
  return far < 0.05;
}

const body_is_moved = () => [...body_goal, ...body_at].some((value) => value !== 0);

/** Moves the body smoothly towards its goal; a body back at its place stays there. */
function move_body(dt: number) {
  const near = 1e-4 * character!.size, share = 1 - Math.exp(-14 * dt);
  body_goal.forEach((goal, k) => {
    body_at[k]! += (goal - body_at[k]!) * share;
    if (Math.abs(goal - body_at[k]!) < near) body_at[k] = goal;
  });
}

/** matrices: [n * 12] rows of (A | t) */
function shift(matrices: Float64Array) {
  if (body_at.every((value) => value === 0)) return;
  for (let i = 0; i < matrices.length; i += 12) body_at.forEach((value, k) => { matrices[i + 4 * k + 3]! += value; });
}

/** skinned: the skin without flesh is needed, too. */
function simulate(dt: number, moving: boolean, skinned: boolean) {
  const world = moving && !jumped && dt > 0 ? surroundings!.advance(dt, a!.skinned) : null;
  for (const instance of instances()) {
    take_pose(instance, time);
    shift(instance.joints);
    if (pace.level === 'skinning') instance.reset();
    else if (jumped) instance.advance(0);
    else if (moving) instance.advance(dt, world);
    instance.embed();
    if (skinned) instance.embedSkinned();
  }
  jumped = false;
}

/** Measuring a large body takes longer than everything else: a tenth of the time goes to it, unless somebody looks. */
class Meter {
  private last: { a: Measures; b: Measures | null } | null = null;
  private after = 0;

  due(looked_at: boolean): boolean {
    return looked_at || !this.last || performance.now() >= this.after;
  }
  /** Needs what embed() and embedSkinned() wrote. */
  read(due: boolean): { a: Measures; b: Measures | null } {
    if (!due && this.last && !this.last.b === !b) return this.last;
    const began = performance.now();
    this.last = { a: a!.measures(), b: b?.measures() ?? null };
    const ended = performance.now();
    this.after = ended + 9 * (ended - began);
    return this.last;
  }
}

function distances(from: Float32Array, to: Float32Array, scale: number): Float32Array {
  const out = new Float32Array(from.length / 3);
  for (let v = 0; v < out.length; v++) {
    const i = 3 * v;
    out[v] = Math.hypot(from[i]! - to[i]!, from[i + 1]! - to[i + 1]!, from[i + 2]! - to[i + 2]!) * scale;
  }
  return out;
}

function weights_of(joint: number): Float32Array {
  const { weightJoints, weights, influences, vertices } = character!;
  const out = new Float32Array(vertices);
  for (let k = 0; k < weights.length; k++)
    if (weightJoints[k] === joint) out[Math.floor(k / influences)]! += weights[k]!;
  return out;
}

/** Hottest at 5 % of the size, and at 50 % of stretch, as in the command line's pictures. */
function paint(wish: FrameWish, of: Instance): Float32Array | null {
  const hottest = 1 / (0.05 * character!.size);
  switch (wish.paint) {
    case 'strain': return of.strain.map((value) => value * 2);
    case 'offset': return distances(of.positions, of.skinned, hottest);
    case 'difference': return b ? distances(a!.positions, b.positions, hottest) : new Float32Array(character!.vertices);
    case 'domains': return of.domains > 0 ? Float32Array.from(of.vertexDomains) : new Float32Array(character!.vertices);
    case 'weights': return wish.paintJoint < 0 ? Float32Array.from(main_joints(character!)) : weights_of(wish.paintJoint);
    default: return null;
  }
}

function rigid_matrices(): Float64Array {
  const nodes = a!.nodes, parts = character!.rigidParts;
  const out = new Float64Array(parts.length * 12);
  parts.forEach((part, i) => out.set(nodes.subarray(12 * part.node, 12 * part.node + 12), 12 * i));
  shift(out);
  return out;
}

function stage_times(of: Instance, steps_before: number): { stages: StageMs[]; steps: number } {
  const times = of.times();
  const steps = times.steps - steps_before;
  const per_step = 1000 / Math.max(1, steps);
  return { stages: times.stages.map(({ name, seconds }) => ({ name, ms: seconds * (name === per_frame ? 1000 : per_step) })), steps };
}

/** What the frame cost and how much time it had, on this machine or the one that a test pretends to run on. */
function note_load(work_ms: number, dt: number) {
  const shares = { full: 1, fewer: 0.5, skinning: 0.05 };
  const work = pretended ? pretended.ms * shares[pace.level] : work_ms;
  const had = pretended ? pretended.frame / 1000 : dt;
  if (had > 0 && pace.note(work / 1000 / had, had)) change_level();
}

function make_frame(wish: FrameWish): Frame | null {
  buffers.give(wish.recycle);
  if (!character || !a) return null;
  const started = performance.now();
  const late = wish.dt > asleep_after;
  const dt = late ? frame_seconds : Math.min(wish.dt, longest_frame);
  const stepped = pending_step;
  pending_step = 0;
  if (poke_left > 0 && (poke_left -= dt) <= 0 && !pulling) for (const instance of instances()) instance.release();
  const pushed = body_is_moved();
  if (pushed) move_body(dt);
  const ended = move_clock(stepped ? { ...wish, playing: true, speed: 1 } : wish, stepped || dt);
  const before = a.times().steps, second_before = b?.times().steps ?? 0;
  const met = surroundings!.active;
  const springing = pulling || pushed || met || swing_left > 0;
  swing_left = pulling || pushed || met ? swing_seconds : Math.max(0, swing_left - dt);
  const moving = wish.playing || stepped > 0 || springing || posed.has_news();
  const seconds = stepped || (wish.playing ? dt * wish.speed : dt);
  const measured = meter.due(wish.solved || pretended !== null);
  const compared = wish.extremes || !wish.flesh || wish.paint === 'offset' || surroundings!.ball !== null;
  simulate(seconds, moving, measured || compared);
  const measures = meter.read(measured);

  if (wish.extremes) (extremes ??= new Extremes(character.vertices)).take(a.positions, a.skinned, moving ? seconds : 0);
  else extremes = null;
  const surface = (of: Instance) => ({ positions: buffers.floats(wish.flesh ? of.positions : of.skinned), normals: buffers.floats(of.normals) });
  const own_paint = wish.paint === 'strain' || wish.paint === 'offset' || wish.paint === 'domains';
  const frame: Frame = {
    time,
    ended,
    a: surface(a),
    b: b && surface(b),
    scalar: paint(wish, a),
    scalarB: b && own_paint ? paint(wish, b) : null,
    points: wish.points && a.insidePoints > 0 ? buffers.floats(a.points) : null,
    handles: posed.places(a),
    rigid: rigid_matrices(),
    ball: surroundings!.ball && { at: [...surroundings!.ball.at], radius: surroundings!.radius },
    measures: measures.a,
    second: b && { measures: measures.b!, stages: stage_times(b, second_before).stages },
    extremes: extremes?.surfaces(a.skinned) ?? null,
    volumes: a.hasParts ? a.jointVolumes() : [],
    solved: wish.solved ? a.solved() : null,
    ...stage_times(a, before),
    seconds: moving ? seconds : 0,
    workMs: performance.now() - started,
    level: pace.level,
    pulling,
  };
  if (moving && (pretended || !late)) note_load(frame.workMs, wish.dt);
  return frame;
}

function change_level() {
  try {
    if (pace.level !== 'skinning' && !retune_all()) rebind();
  } catch {
    // Keep the old rig.
  }
}

// ---- baking --------------------------------------------------------------------------------------------------------
let bake_cancelled = false;
/** The character of the running export. */
let baked: Character | null = null;
const breathe = () => new Promise<void>((done) => setTimeout(done));

/** An export runs every step, however few this machine manages live. */
function unhurried_twin(of: Instance): Instance {
  const twin = of.twin();
  if (pace.level === 'full' || twin.retune(flesh)) return twin;
  twin.free();
  return character!.bind({ method: methods.a, flesh, embed: embed_of(methods.a) });
}

async function bake(format: 'glb' | 'pc2', fps: number): Promise<Uint8Array | null> {
  if (!a) throw new Error('There is no character to export.');
  bake_cancelled = false;
  const frames = Math.floor(duration() * fps + 1e-6) + 1;
  const baked_clip = shown_clip();
  const twin = unhurried_twin(a);
  baked = twin.character;
  const file = twin.bake(format, fps, frames);
  const blowing = surroundings!.wind();
  try {
    const own = posed; // another body may be opened meanwhile
    const pose = (at: number) => {
      twin.pose(baked_clip, at);
      if (baked_clip === own.clip) own.write(twin, at);
    };
    own.hold(twin);
    pose(0);
    twin.resetSettled();
    for (let k = 0; k < frames; k++) {
      pose(k / fps);
      if (k > 0) {
        blowing?.beginFrame(1 / fps);
        twin.advance(1 / fps, blowing);
      }
      file.frame();
      if (k % 4 === 0) {
        post({ progress: k / frames });
        await breathe();
        if (bake_cancelled) return null;
      }
    }
    return file.finish();
  } finally {
    file.free();
    blowing?.free();
    twin.free();
    if (baked !== character) baked.free(); // another one was opened meanwhile
    baked = null;
  }
}

/** The clip is named after the file without its extension; errors are about the file. */
function about_motion<T>(file: NamedBytes, work: (of: Character, text: string, name: string) => T): T {
  if (!character) throw new Error('There is no character for this motion yet.');
  const name = plain_name(file.name);
  try {
    return work(character, new TextDecoder().decode(file.bytes), name);
  } catch (problem) {
    const text = problem instanceof Error ? problem.message : String(problem);
    throw new Error(text.startsWith(name) ? file.name + text.slice(name.length) : text);
  }
}

// ---- calls ---------------------------------------------------------------------------------------------------------
const api: SimApi = {
  async start({ base, threads, stop }): Promise<Hello> {
    library = (await import(/* @vite-ignore */ new URL('core.js', base).href)) as Package;
    fascia = await library.createFascia({ threads, base, lean: true });
    stop_bind = stop ?? null;
    fascia.onBind = (share) => {
      post({ binding: share });
      return !stop_bind || Atomics.load(stop_bind, 0) === 0;
    };
    const presets = Object.fromEntries(fascia.presetNames.map((name) => [name, fascia.preset(name)]));
    const { version, bundledNames, bundledMotionNames } = fascia;
    return { version, threads: fascia.threads, bundledNames, bundledMotions: bundledMotionNames, methods: fascia.methods, presets };
  },
  async open(files) {
    const mesh = files.find(is_mesh);
    if (mesh) return take_posed(fascia.fromMesh(mesh.bytes, file_name(mesh.name), { resolution }));
    const { glb, name } = await unpack(files);
    if (!has_skin(glb)) return take_posed(fascia.fromMesh(glb, `${plain_name(name)}.glb`, { resolution }));
    return take(fascia.load(glb, name), glb);
  },
  async giveHandles(options) {
    if (!character) throw new Error('There is no body yet.');
    return take_posed(character.withHandles({ resolution, ...options }));
  },
  async setMotion(motion) {
    if (!character) throw new Error('There is no body yet.');
    const index = posed.set(motion, character, a);
    for (const instance of instances()) posed.hold(instance);
    return { clips: character.clips, index };
  },
  async dragPose(pose) {
    posed.drag(pose);
  },
  async bakePosed(fps) {
    if (!a || !character) throw new Error('There is no body to export.');
    const off = posed.off_when_skinned(character, a);
    if (off <= near_enough) return { bytes: character.toGlb(), skinned: true, off };
    const bytes = await bake('glb', fps);
    return bytes && { bytes, skinned: false, off };
  },
  async openBundled(name) {
    // Written to a file and read back, so that its parts carry the numbers of the nodes and meshes that the page draws.
    const made = fascia.bundled(name);
    const glb = made.toGlb();
    made.free();
    return take(fascia.load(glb, `${name}.glb`), glb);
  },
  async matchMotion(file, map) {
    return about_motion(file, (of, text, name) => of.matchMotion(text, name, map));
  },
  async addMotion(file, map = {}, index = -1) {
    return about_motion(file, (of, text, name) => {
      // A running export finishes what it began: the motion that it plays stays as it is.
      const added = of.addMotion(text, name, { map, index: of === baked ? -1 : index });
      return { clips: of.clips, index: added };
    });
  },
  async borrowMotion(name) {
    if (!character) throw new Error('There is no character for this motion yet.');
    const index = character.addBundledMotion(name);
    return { clips: character.clips, index };
  },
  async readFlesh(file) {
    return fascia.readFlesh(new TextDecoder().decode(file.bytes), file.name, character);
  },
  async fleshAt(of, joint) {
    const names = [methods.b, methods.a].filter((name): name is string => !!name); // the first method comes last and wins
    return Object.assign({}, ...names.map((name) => fascia.fleshAt(name, of, joint)));
  },
  async bind(first, second, wanted, how) {
    const old = { methods, flesh, embed };
    methods = { a: first, b: second };
    flesh = wanted;
    embed = how ?? embed;
    try {
      return rebind();
    } catch (problem) {
      ({ methods, flesh, embed } = old);
      throw problem;
    }
  },
  async setFlesh(wanted) {
    const old = flesh;
    flesh = wanted;
    if (suits_all(wanted) && retune_all()) return null;
    flesh = old;
    return api.bind(methods.a, methods.b, wanted);
  },
  async setClip(index, at) {
    clip = index;
    time = at;
    // A new motion begins with flesh at rest.
    for (const instance of instances()) {
      take_pose(instance, time);
      instance.reset();
    }
  },
  async survey() {
    return character && a ? survey(character, a, shown_clip(), duration()) : [];
  },
  async seek(to) {
    time = Math.min(Math.max(0, to), duration());
    jumped = true;
  },
  async step(by) {
    if (by === 1) pending_step = frame_seconds;
    else await api.seek(time - frame_seconds);
  },
  async frame(wish) {
    return make_frame(wish);
  },
  async pullStart(at) {
    if (pace.level === 'skinning') return false;
    const held = instances().map((instance) => instance.pull(at, pull_strength));
    pulling = held.includes(true);
    return pulling;
  },
  async pullMove(to) {
    for (const instance of instances()) instance.pullTo(to);
  },
  async pullEnd() {
    for (const instance of instances()) instance.release();
    pulling = false;
  },
  async poke(at, by) {
    if (pulling || pace.level === 'skinning') return false;
    const held = instances().map((instance) => instance.pull(at, pull_strength)).includes(true);
    if (!held) return false;
    for (const instance of instances()) instance.pullTo([at[0] + by[0], at[1] + by[1], at[2] + by[2]]);
    poke_left = poke_seconds;
    swing_left = swing_seconds;
    return true;
  },
  async throwBall(from, to) {
    surroundings?.throw(from, to);
  },
  async blow(push) {
    wind = push;
    surroundings?.blow(push);
  },
  async moveBody(to) {
    to.forEach((value, k) => { body_goal[k] = value; });
  },
  async paint(softness) {
    character?.paint(softness);
  },
  async amounts(of) {
    const method = fascia.methods.find((m) => m.name === methods.a && m.abilities.mask)?.name ?? 'layers';
    return character!.joints.map((joint) => fascia.fleshAt(method, of, joint.name).amount ?? 1);
  },
  async writeCharacter() {
    return character!.toGlb();
  },
  bake,
  async cancelBake() {
    bake_cancelled = true;
  },
  async inspect() {
    return { points: a?.points.slice() ?? new Float32Array(0), hash: a?.hash() ?? '', time };
  },
  async pretendMachine(machine) {
    pretended = machine;
  },
};

function post(message: FromSim, transfer: Transferable[] = []) {
  (self as unknown as Worker).postMessage(message, transfer);
}

function transfers(name: string, value: unknown): Transferable[] {
  if (name !== 'frame' || value === null) return [];
  const frame = value as Frame;
  const arrays = [frame.a.positions, frame.a.normals, frame.b?.positions, frame.b?.normals, frame.scalar, frame.scalarB,
    frame.points, frame.handles, frame.rigid, ...(frame.extremes ?? [])];
  return arrays.filter((x) => !!x).map((x) => x.buffer as ArrayBuffer);
}

self.onmessage = async (event: MessageEvent<ToSim>) => {
  const { id, name, values } = event.data;
  try {
    const value = await (api[name] as (...v: unknown[]) => Promise<unknown>)(...values);
    post({ id, value }, transfers(name, value));
  } catch (problem) {
    post({ id, error: problem instanceof Error ? problem.message : String(problem) });
  }
};
