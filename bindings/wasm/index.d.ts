/** Fascia in JavaScript. Typed arrays are views into the module's memory: read them at once, or copy them. */

export type FieldValue = boolean | number | string | [number, number, number];
/** One setting of a method: everything needed to ask for it, check it and explain it. */
export interface FieldInfo {
  key: string;
  /** What it belongs to: the whole body, each layer, the parts around some joints, or single joints. */
  scope: 'whole' | 'layer' | 'part' | 'joint';
  kind: 'boolean' | 'whole' | 'number' | 'choice' | 'text' | 'vector';
  /** For numbers. */
  min: number;
  max: number;
  /** For numbers: 'auto' is allowed too, and bind() then chooses a value that suits the body. */
  auto: boolean;
  choices: string[];
  /** retune() and set() may change it; otherwise it is fixed at bind(). */
  live: boolean;
  unit: string;
  meaning: string;
  /** null: the value of the whole body. */
  usual: FieldValue | null;
}
export interface Abilities {
  /** The result depends on the motion so far. */
  simulates: boolean;
  layers: boolean;
  cells: boolean;
  parts: boolean;
  clothes: boolean;
  mask: boolean;
  /** Can be pulled. */
  hand: boolean;
  gravity: boolean;
  /** Ways in which its points can carry the surface, besides its own: what bind() takes as `embed`. */
  embeddings: string[];
}
export type Embed = 'auto' | 'trilinear' | 'blend' | 'dq' | 'rbf' | 'domains';
/** Of a method that solves for its points: rounds per frame, and the energy that is left, mean over the points. */
export interface Solved { rounds: number; volumeRounds: number; energy: number; }
export interface MethodInfo {
  name: string;
  from: string;
  summary: string;
  abilities: Abilities;
  /** Stages of a frame, in the order in which they run. */
  stages: string[];
  /** Those of presetNames that suit it. */
  presets: string[];
  fields: FieldInfo[];
}
/** Values by the keys of the methods' fields. */
export interface LayerFlesh { name: string; [key: string]: FieldValue; }
export interface PartFlesh { joint: string; [key: string]: FieldValue; }
/** A flesh file (docs/schemas): values by the keys of the methods' fields, and lists of layers, parts and joints. */
export interface Flesh {
  preset?: string;
  layers?: LayerFlesh[];
  parts?: PartFlesh[];
  joints?: PartFlesh[];
  [key: string]: FieldValue | LayerFlesh[] | PartFlesh[] | undefined;
}
/** Volume of the part of a body around one joint, divided by its rest volume. */
export interface JointVolume { joint: number; ratio: number; }
/** sourceNode: the number of its node in the file, -1 if it has none. */
export interface Joint { name: string; parent: number; node: number; sourceNode: number; rest: [number, number, number]; }
export interface Clip { name: string; duration: number; }
/** How the joints of a motion and of a character are paired. joints: of the motion, parents first (-1: none). */
export interface MotionMatch { joints: { name: string; parent: number }[]; pairs: [motion: string, character: string][]; enough: boolean; }
/** { "joint of the motion": "joint of the character" } */
export type JointMap = Record<string, string>;
/** A run of vertices: one primitive of one mesh node of the file. */
export interface Part {
  name: string; node: number; sourceNode: number; mesh: number; primitive: number;
  firstVertex: number; vertexCount: number; firstTriangle: number; triangleCount: number;
}
/** parent: the place of the handle that it is linked to, -1 for none; parents come first. */
export interface HandlePoint { name: string; parent: number; at: [number, number, number]; }
/** count, resolution: 0 for the usual ones. */
export interface HandleOptions { count?: number; points?: HandlePoint[]; resolution?: number; }
/** From the bone outwards. */
export interface LayerCount { name: string; points: number; }
/** Volume divided by rest volume (null if nothing is closed); the others are divided by the character's size. */
export interface Measures { volume: number | null; secondary: number; largest: number; strain: number; }
export interface Times {
  stages: { name: string; seconds: number }[];
  steps: number; refusedPoses: number; resets: number; limitedPoints: number; droppedSteps: number;
}

export interface UnpackOptions {
  name?: string;
  files?: Map<string, Uint8Array>;
  meshopt?: () => Promise<unknown>;
  draco?: () => Promise<unknown>;
}
/** One plain GLB from a .glb, .vrm or .gltf with its accompanying files; Draco and meshopt decoded. */
export function unpackGltf(bytes: Uint8Array, options?: UnpackOptions): Promise<Uint8Array>;

export function canUseThreads(): boolean;
export function createFascia(options?: { threads?: number; base?: string | URL; lean?: boolean }): Promise<Fascia>;
/** The module, loaded once with as many threads as the page allows. */
export const ready: Promise<Fascia>;

export class Fascia {
  readonly version: string;
  readonly threads: number;
  readonly bundledNames: string[];
  readonly bundledMotionNames: string[];
  readonly methods: MethodInfo[];
  readonly presetNames: string[];
  /** Called during bind() with the share that is done, 0 to 1; returning false stops it, and bind() throws. */
  set onBind(listener: ((share: number) => boolean | void) | null);
  bundled(name: string): Character;
  load(bytes: Uint8Array, name: string): Character;
  /** A mesh without a skeleton (.obj, .ply, .off, a plain .glb) as a character with handles as joints. */
  fromMesh(bytes: Uint8Array, name: string, options?: HandleOptions): Character;
  preset(name: string): Flesh;
  readFlesh(text: string, name?: string, character?: Character | null): Flesh;
  fleshAt(method: string, flesh: Flesh, joint: string): Record<string, number>;
  /** What bodies touch, and the wind: the contents of a world file (docs/schemas/world.schema.json). */
  world(contents: object | string): World;
}

export class Character {
  readonly name: string;
  readonly vertices: number;
  readonly triangles: number;
  readonly influences: number;
  readonly size: number;
  readonly nodes: number;
  readonly rigidVertices: number;
  readonly joints: Joint[];
  readonly clips: Clip[];
  readonly parts: Part[];
  readonly rigidParts: Part[];
  readonly remarks: string[];
  readonly restPositions: Float32Array;
  readonly triangleIndices: Uint32Array;
  readonly weightJoints: Uint16Array;
  readonly weights: Float32Array;
  /** As a new clip, or in place of clip `index`. */
  addMotion(bvh: string, name: string, options?: { map?: JointMap; index?: number }): number;
  matchMotion(bvh: string, name: string, map?: JointMap): MotionMatch;
  addBundledMotion(name: string): number;
  /** The same mesh with other handles: a new character. */
  withHandles(options?: HandleOptions): Character;
  /** A clip of world matrices ([times * joints * 12], rows of (A | t)) in place of clip `index`, or a new one (-1). */
  setClip(index: number, name: string, times: ArrayLike<number>, matrices: ArrayLike<number>): number;
  /** One number from 0 (stiff) to 1 for each vertex: the vertex colour COLOR_1, for the setting mask: 'COLOR_1.r'. */
  paint(softness: Float32Array): void;
  toGlb(): Uint8Array;
  bind(options?: {
    method?: string;
    flesh?: Flesh | string | null;
    threads?: number;
    embed?: Embed;
    kernel?: 'gauss' | 'wendland' | 'thin-plate';
    samples?: number;
  }): Instance;
  free(): void;
}

export class Instance {
  readonly character: Character;
  readonly method: string;
  readonly insidePoints: number;
  readonly pointSpacing: number;
  readonly pointCount: number;
  readonly layerCounts: LayerCount[];
  readonly warnings: string[];
  readonly joints: Float64Array;
  readonly nodes: Float64Array;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly skinned: Float32Array;
  readonly points: Float32Array;
  readonly pointLayers: Uint8Array;
  readonly cells: number;
  readonly hasParts: boolean;
  readonly pointBones: Uint16Array;
  readonly pointJoints: Uint16Array;
  readonly cellCorners: Uint32Array;
  /** Lengths of the two that follow. */
  readonly domains: number;
  readonly samples: number;
  readonly vertexDomains: Uint32Array;
  readonly sampleVertices: Uint32Array;
  readonly strain: Float32Array;
  twin(): Instance;
  pose(clip: number | null | 'bind', seconds?: number): void;
  setJoint(index: number, matrix: { elements: ArrayLike<number> }): void;
  /** Method handles: which joints hold the surface (a pattern, "*" for all), and how they turn about themselves. */
  enableHandles(pattern: string, on: boolean): void;
  turnHandles(pattern: string, turn: [number, number, number, number]): void;
  /** [joints * 12] as the handles carry the surface since the last advance(). */
  readonly handlePose: Float64Array;
  reset(): void;
  resetSettled(): void;
  /** Takes over from another instance of the same character, of any method and resolution, without a jump. */
  resetFrom(other: Instance, seconds?: number): boolean;
  advance(dt: number, world?: World | null): void;
  embed(): void;
  embedSkinned(): void;
  retune(flesh: Flesh | string): boolean;
  set(key: string, value: FieldValue): void;
  get(key: string): FieldValue | null;
  pull(point: [number, number, number], strength?: number): boolean;
  pullTo(target: [number, number, number]): void;
  release(): void;
  jointVolumes(): JointVolume[];
  solved(): Solved | null;
  measures(): Measures;
  times(): Times;
  hash(): string;
  bake(extension: 'glb' | 'pc2' | 'mdd' | 'usda', fps: number, frames: number): Bake;
  free(): void;
}

export class World {
  /** How many solids it has. */
  readonly colliders: number;
  /** Before instances are advanced by dt seconds. */
  beginFrame(dt: number): void;
  /** Where a solid will be at the end of this frame; atOnce: it is there already, without speed. */
  move(collider: number, place: [number, number, number], atOnce?: boolean): void;
  free(): void;
}

export class Bake {
  frame(): void;
  finish(): Uint8Array;
  free(): void;
}
