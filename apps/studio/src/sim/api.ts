// What the page may ask of the simulation. This file types both sides of the worker.
import type {
  Clip, Embed, Flesh, HandleOptions, Joint, JointMap, JointVolume, LayerCount, Measures, MethodInfo, MotionMatch, Part, Solved,
} from '../../../../bindings/wasm/index';
import type { Motion } from '../pose/document';

export type {
  Clip, Embed, FieldInfo, FieldValue, Flesh, HandleOptions, Joint, JointMap, JointVolume, LayerCount, LayerFlesh, Measures, MethodInfo,
  MotionMatch, Part, PartFlesh, Solved,
} from '../../../../bindings/wasm/index';

export interface NamedBytes { name: string; bytes: Uint8Array; }

export interface Hello {
  version: string;
  threads: number;
  bundledNames: string[];
  bundledMotions: string[];
  methods: MethodInfo[];
  presets: Record<string, Flesh>;
}

/** A character as the page needs it: a plain GLB to draw, and what each run of its vertices is. */
export interface CharacterInfo {
  name: string;
  glb: Uint8Array;
  vertices: number;
  triangles: number;
  size: number;
  joints: Joint[];
  clips: Clip[];
  parts: Part[];
  rigidParts: Part[];
  remarks: string[];
  /** [vertices] joint with the largest weight, for picking a body part. */
  mainJoint: Uint16Array;
  triangleIndices: Uint32Array;
  /** [vertices * 3] */
  restPositions: Float32Array;
  /** A mesh whose joints are handles. */
  posed: boolean;
}

export interface RigInfo {
  method: string;
  points: number;
  /** From the bone outwards; empty if the method has none. */
  layers: LayerCount[];
  insidePoints: number;
  pointSpacing: number;
  pointLayers: Uint8Array;
  /** [insidePoints * 3] in the bind pose. */
  restPoints: Float32Array;
  /** Null if the method has no parts. */
  parts: PartsInfo | null;
  /** [cells * 8] points; corners by bits, 1 for the upper side along x, 2 y, 4 z. Empty if the method has none. */
  cells: Uint32Array;
  /** [vertices] the domain of each; empty where the surface is not carried by domains. */
  domains: Uint32Array;
  /** Vertices nearest to the samples that carry the surface. */
  samples: Uint32Array;
  warnings: string[];
  bindMs: number;
}

/** Which part of the body each point belongs to. */
export interface PartsInfo {
  /** [insidePoints] joint of the bone that carries each point most. */
  bones: Uint16Array;
  /** [insidePoints] joint around which each point lies. */
  joints: Uint16Array;
}

export const embeds: readonly Embed[] = ['auto', 'trilinear', 'blend', 'dq', 'rbf', 'domains'];

/** What the skin is coloured by. */
export type Paint = 'none' | 'weights' | 'strain' | 'offset' | 'difference' | 'domains';

export interface FrameWish {
  /** Seconds since the last frame. */
  dt: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  paint: Paint;
  /** Joint whose weights are shown; -1: the strongest joint of each vertex. */
  paintJoint: number;
  points: boolean;
  /** Somebody looks at how well the points are solved. */
  solved: boolean;
  /** False: plain skinning is shown, while the flesh swings on unseen. */
  flesh: boolean;
  /** How far the flesh has swung of late. */
  extremes: boolean;
  /** Buffers of an earlier frame, to be reused. */
  recycle: ArrayBuffer[];
}

/** Milliseconds per step; per frame for stages that run once per frame. */
export interface StageMs { name: string; ms: number; }

export interface Machine { ms: number; frame: number; }

/** How much of the simulation a slow machine runs. */
export type Level = 'full' | 'fewer' | 'skinning';

export interface Frame {
  time: number;
  ended: boolean;
  a: { positions: Float32Array; normals: Float32Array };
  b: { positions: Float32Array; normals: Float32Array } | null;
  /** [vertices] 0..1 for the colours, or joint numbers for the weights of all joints. */
  scalar: Float32Array | null;
  /** The same for the second method, if it has its own. */
  scalarB: Float32Array | null;
  points: Float32Array | null;
  /** [joints * 3] where handles are, if the method has any. */
  handles: Float32Array | null;
  /** [rigid parts * 12] */
  rigid: Float64Array;
  /** A ball that has been thrown. */
  ball: { at: [number, number, number]; radius: number } | null;
  measures: Measures;
  /** Of the second method. */
  second: { measures: Measures; stages: StageMs[] } | null;
  /** [2] surfaces at the extremes of the swing. */
  extremes: Float32Array[] | null;
  /** Of the parts around joints, if the method has any. */
  volumes: JointVolume[];
  /** If it was asked for and the method solves for its points. */
  solved: Solved | null;
  stages: StageMs[];
  /** Steps run in this frame. */
  steps: number;
  /** Seconds by which this frame advanced the motion. */
  seconds: number;
  /** Milliseconds that the whole frame took. */
  workMs: number;
  level: Level;
  pulling: boolean;
}

/** The body at some moments of a clip: some of its vertices, and [rigid parts * 12] matrices. */
export type Survey = { points: Float32Array; rigid: Float64Array }[];

export interface SimApi {
  /** stop: anything but 0 asks a bind to stop; null without shared memory. */
  start(options: { base: string; threads: number; stop?: Int32Array | null }): Promise<Hello>;
  open(files: NamedBytes[]): Promise<CharacterInfo>;
  openBundled(name: string): Promise<CharacterInfo>;
  /** How its joints would be paired with the character's. map: pairs made by hand */
  matchMotion(file: NamedBytes, map: JointMap): Promise<MotionMatch>;
  /** As a new clip, or in place of clip `index`. */
  addMotion(file: NamedBytes, map?: JointMap, index?: number): Promise<{ clips: Clip[]; index: number }>;
  /** Adds one of the bundled motions as a clip. */
  borrowMotion(name: string): Promise<{ clips: Clip[]; index: number }>;
  readFlesh(file: NamedBytes): Promise<Flesh>;
  /** The values of the flesh at one joint, by the keys of the part fields of the chosen methods. */
  fleshAt(flesh: Flesh, joint: string): Promise<Record<string, number>>;
  bind(a: string, b: string | null, flesh: Flesh, embed?: Embed): Promise<{ a: RigInfo; b: RigInfo | null }>;
  setFlesh(flesh: Flesh): Promise<{ a: RigInfo; b: RigInfo | null } | null>;
  setClip(index: number, time: number): Promise<void>;
  /** Where the body goes in the present clip. */
  survey(): Promise<Survey>;
  seek(time: number): Promise<void>;
  /** One frame forward (1), with flesh, or back (-1), without: the past is not kept. */
  step(by: 1 | -1): Promise<void>;
  frame(wish: FrameWish): Promise<Frame | null>;
  pullStart(at: [number, number, number]): Promise<boolean>;
  pullMove(to: [number, number, number]): Promise<void>;
  pullEnd(): Promise<void>;
  /** A short push at a point of the skin, by a displacement; false if there is no flesh. */
  poke(at: [number, number, number], by: [number, number, number]): Promise<boolean>;
  /** A ball that arrives at `to` half a second later. */
  throwBall(from: [number, number, number], to: [number, number, number]): Promise<void>;
  /** Wind from now on: acceleration of the flesh, in sizes of the body per second squared. */
  blow(push: [number, number, number]): Promise<void>;
  /** Moves the whole body beside its place; the flesh lags behind. */
  moveBody(to: [number, number, number]): Promise<void>;
  /** [vertices] softness for the mask COLOR_1.r; the next bind reads it. */
  paint(softness: Float32Array): Promise<void>;
  /** [joints] the amount that the flesh gives to each. */
  amounts(flesh: Flesh): Promise<number[]>;
  /** The character as a GLB, painted as it is now. */
  writeCharacter(): Promise<Uint8Array>;
  bake(format: 'glb' | 'pc2', fps: number): Promise<Uint8Array | null>;
  /** The open body with other handles: a new character. */
  giveHandles(options: HandleOptions): Promise<CharacterInfo>;
  /** What the handles do becomes the clip `pose`. */
  setMotion(motion: Motion): Promise<{ clips: Clip[]; index: number }>;
  /** While a handle is dragged; null: what the clip says. [handles * 7] as in Motion */
  dragPose(pose: Float64Array | null): Promise<void>;
  /** `skinned`: to the handles as joints, because that comes near enough; otherwise every vertex of every frame. */
  bakePosed(fps: number): Promise<{ bytes: Uint8Array; skinned: boolean; off: number } | null>;
  cancelBake(): Promise<void>;
  /** For tests: the current points of the simulation, and its hash. */
  inspect(): Promise<{ points: Float32Array; hash: string; time: number }>;
  /**
   * For tests: pretends to be a machine on which a frame with all its steps takes `ms`, and `frame` ms pass between
   * frames; null: the real one.
   */
  pretendMachine(machine: Machine | null): Promise<void>;
}

export type ToSim = { id: number; name: keyof SimApi; values: unknown[] };
export type FromSim =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { progress: number }
  /** Share of a bind that is done; null at its end. */
  | { binding: number | null };
