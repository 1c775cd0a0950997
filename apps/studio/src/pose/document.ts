// A posed body as plain values: its handles and their links, where each has been moved, and keys over time. Every
// change makes a new document, so that it can be undone.
export type Point = [number, number, number];
/** How a key goes over into the next. */
export type Ease = 'smooth' | 'linear' | 'hold';
/** at: in the rest pose. link: the handle it is linked to, -1 for none; a free handle (not held) goes where others take it. */
export interface PosedHandle { name: string; at: Point; link: number; held: boolean; }
/** For each handle how far it has been moved and how it is turned: x, y, z, then w, x, y, z. */
export type Pose = number[];
export interface Key { time: number; pose: Pose; ease: Ease; }
export interface PoseDocument {
  /** Those they are linked to come first. */
  handles: PosedHandle[];
  /** What is shown while there are no keys. */
  pose: Pose;
  /** Ascending by time. */
  keys: Key[];
  /** Seconds. */
  length: number;
}

export const per_handle = 7;
const same_time = 1e-3;
const samples_per_second = 30;

export const still = (count: number): Pose => Array.from({ length: count * per_handle }, (_, k) => (k % per_handle === 3 ? 1 : 0));

export function from_joints(joints: { name: string; parent: number; rest: Point }[]): PoseDocument {
  const handles = joints.map(({ name, parent, rest }) => ({ name, at: rest, link: parent, held: true }));
  return { handles, pose: still(handles.length), keys: [], length: 2 };
}

// ---- poses over time -----------------------------------------------------------------------------------------------
const shares: Record<Ease, (t: number) => number> = { smooth: (t) => t * t * (3 - 2 * t), linear: (t) => t, hold: () => 0 };

/** Between two quaternions the short way; w, x, y, z from `at` on. */
function blend_turn(a: Pose, b: Pose, at: number, share: number, out: Pose) {
  let along = 0;
  for (let c = at; c < at + 4; c++) along += a[c]! * b[c]!;
  const sign = along < 0 ? -1 : 1, angle = Math.acos(Math.min(1, Math.abs(along)));
  const [p, q] = angle < 1e-4 ? [1 - share, share] : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
  let square = 0;
  for (let c = at; c < at + 4; c++) square += (out[c] = p * a[c]! + sign * q * b[c]!) ** 2;
  for (let c = at; c < at + 4; c++) out[c]! /= Math.sqrt(square) || 1;
}

function blend(a: Pose, b: Pose, share: number): Pose {
  const out = a.map((value, i) => value + (b[i]! - value) * share);
  for (let at = 3; at < out.length; at += per_handle) blend_turn(a, b, at, share, out);
  return out;
}

export function pose_at({ keys, pose }: PoseDocument, time: number): Pose {
  if (keys.length === 0) return pose;
  const next = keys.findIndex((key) => key.time > time);
  if (next === 0) return keys[0]!.pose;
  const key = keys.at(next < 0 ? -1 : next - 1)!, after = keys[next];
  return after ? blend(key.pose, after.pose, shares[key.ease]((time - key.time) / (after.time - key.time))) : key.pose;
}

/** Evenly sampled. poses: [times * handles * 7] */
export interface Motion { times: number[]; poses: Float64Array; held: boolean[]; }

export function motion_of(document: PoseDocument): Motion {
  const { keys, handles, length } = document;
  const count = keys.length > 0 ? Math.round(length * samples_per_second) + 1 : 2;
  const times = Array.from({ length: count }, (_, k) => (k * length) / (count - 1));
  const poses = Float64Array.from(times.flatMap((time) => pose_at(document, time)));
  return { times, poses, held: handles.map((handle) => handle.held) };
}

// ---- changes -------------------------------------------------------------------------------------------------------
export const key_near = ({ keys }: PoseDocument, time: number, within = same_time) => keys.findIndex((key) => Math.abs(key.time - time) <= within);

export function with_key(document: PoseDocument, time: number, pose: Pose): PoseDocument {
  const at = key_near(document, time), key: Key = { time, pose, ease: document.keys[at]?.ease ?? 'smooth' };
  const keys = [...document.keys.filter((_, k) => k !== at), key].sort((a, b) => a.time - b.time);
  return { ...document, keys };
}

/** Once there are keys, a pose is one. */
export const with_pose = (document: PoseDocument, time: number, pose: Pose): PoseDocument =>
  document.keys.length > 0 ? with_key(document, time, pose) : { ...document, pose };

/** The last key leaves its pose behind. */
export function without_key(document: PoseDocument, at: number): PoseDocument {
  const keys = document.keys.filter((_, k) => k !== at);
  return { ...document, keys, pose: keys.length === 0 ? (document.keys[at]?.pose ?? document.pose) : document.pose };
}

export const with_ease = (document: PoseDocument, at: number, ease: Ease): PoseDocument =>
  ({ ...document, keys: document.keys.map((key, k) => (k === at ? { ...key, ease } : key)) });

/** Keys behind the new end are lost. */
export const with_length = (document: PoseDocument, length: number): PoseDocument =>
  ({ ...document, length, keys: document.keys.filter((key) => key.time <= length + same_time) });

export const with_held = (document: PoseDocument, handle: number, held: boolean): PoseDocument =>
  ({ ...document, handles: document.handles.map((h, k) => (k === handle ? { ...h, held } : h)) });

const moves_of = (pose: Pose, handle: number) => pose.slice(handle * per_handle, (handle + 1) * per_handle);

/** The handles in another order; `order` says which of the old ones comes where, missing ones are gone. */
function reordered(document: PoseDocument, order: number[]): PoseDocument {
  const place = (old: number) => order.indexOf(old);
  const pose_of = (pose: Pose) => order.flatMap((old) => moves_of(pose, old));
  return {
    ...document,
    handles: order.map((old) => ({ ...document.handles[old]!, link: place(document.handles[old]!.link) })),
    pose: pose_of(document.pose),
    keys: document.keys.map((key) => ({ ...key, pose: pose_of(key.pose) })),
  };
}

/** Handles after those they are linked to. */
function sorted(document: PoseDocument): PoseDocument {
  const order: number[] = [], { handles } = document;
  const visit = (k: number) => {
    if (k < 0 || order.includes(k)) return;
    visit(handles[k]!.link);
    order.push(k);
  };
  handles.forEach((_, k) => visit(k));
  return reordered(document, order);
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** How far a point is from the link between two others. */
function distance_to_link(from: Point, to: Point, at: Point): number {
  const along = to.map((value, c) => value - from[c]!), square = along.reduce((sum, value) => sum + value * value, 0) || 1;
  const share = Math.min(1, Math.max(0, along.reduce((sum, value, c) => sum + value * (at[c]! - from[c]!), 0) / square));
  return distance(at, from.map((value, c) => value + share * along[c]!) as Point);
}

/** The handle whose link a new one would part, because it lies on it rather than beside a handle; -1 if there is none. */
function parted_link(handles: PosedHandle[], at: Point, near: number): number {
  const far = (k: number) => distance_to_link(handles[k]!.at, handles[handles[k]!.link]!.at, at);
  const linked = handles.map((_, k) => k).filter((k) => handles[k]!.link >= 0).sort((p, q) => far(p) - far(q));
  return linked.length > 0 && far(linked[0]!) < 0.6 * near ? linked[0]! : -1;
}

/** A new handle parts the link that it lies on or is linked to the nearest handle, and moves with it in all keys. shift: how far its flesh has been moved. */
export function with_handle(document: PoseDocument, at: Point, shift: Point): PoseDocument {
  const { handles } = document;
  const nearest = handles.reduce((best, handle, k) => (best < 0 || distance(handle.at, at) < distance(handles[best]!.at, at) ? k : best), -1);
  const parted = nearest < 0 ? -1 : parted_link(handles, at, distance(handles[nearest]!.at, at));
  const link = parted < 0 ? nearest : handles[parted]!.link;
  const names = new Set(handles.map((handle) => handle.name));
  let number = handles.length + 1;
  while (names.has(`added_${number}`)) number++;
  const beside = (pose: Pose) => (link < 0 ? still(1) : moves_of(pose, link));
  const moved: Pose = [...shift, ...beside(document.pose).slice(3)];
  return sorted({
    ...document,
    handles: [...handles.map((handle, k) => (k === parted ? { ...handle, link: handles.length } : handle)), { name: `added_${number}`, at, link, held: true }],
    pose: [...document.pose, ...moved],
    keys: document.keys.map((key) => ({ ...key, pose: [...key.pose, ...beside(key.pose)] })),
  });
}

/** What was linked to it is linked to what it was linked to. */
export function without_handle(document: PoseDocument, handle: number): PoseDocument {
  const { link } = document.handles[handle]!;
  const handles = document.handles.map((h) => (h.link === handle ? { ...h, link } : h));
  return sorted(reordered({ ...document, handles }, handles.map((_, k) => k).filter((k) => k !== handle)));
}

function hangs_on({ handles }: PoseDocument, handle: number, on: number): boolean {
  for (let k = handle; k >= 0; k = handles[k]!.link) if (k === on) return true;
  return false;
}

/** Links two handles, or takes the link between them away. Links stay a tree: each handle hangs on one other at most. */
export function with_link(document: PoseDocument, a: number, b: number): PoseDocument {
  if (a === b) return document;
  const [above, below] = hangs_on(document, a, b) ? [b, a] : [a, b];
  const linked = document.handles[below]!.link === above;
  const handles = document.handles.map((h, k) => (k === below ? { ...h, link: linked ? -1 : above } : h));
  return sorted({ ...document, handles });
}

/** The same handles as those joints, in their order; null if there are others among them. */
export function in_order_of(document: PoseDocument, joints: { name: string; parent: number }[]): PoseDocument | null {
  const order = joints.map((joint) => document.handles.findIndex((handle) => handle.name === joint.name));
  if (order.includes(-1) || new Set(order).size !== order.length) return null;
  const next = reordered(document, order);
  return { ...next, handles: next.handles.map((handle, k) => ({ ...handle, link: joints[k]!.parent })) };
}

/** What the simulation binds: where handles are and how they are linked. */
export const structure_of = ({ handles }: PoseDocument) => handles.map(({ name, at, link }) => ({ name, at, parent: link }));
