// Joints that were paired by hand, kept by this browser: the next motion of the same skeleton needs no hand.
import type { JointMap, MotionMatch } from '../sim/api';

const kept_as = 'fascia-joint-maps';
const most = 40;

type Kept = [key: string, map: JointMap][];

function all(): Kept {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(kept_as) ?? '[]');
    return Array.isArray(list) ? (list as Kept) : [];
  } catch {
    return [];
  }
}

/** Of both skeletons, by the names of their joints. */
export function skeletons_key(match: MotionMatch, joints: { name: string }[]): string {
  const text = [...match.joints, { name: '\n' }, ...joints].map((joint) => joint.name).join('\t');
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${match.joints.length} ${joints.length} ${(hash >>> 0).toString(16)}`;
}

export const kept_map = (key: string): JointMap => all().find(([own]) => own === key)?.[1] ?? {};

export function keep_map(key: string, map: JointMap) {
  const others = all().filter(([own]) => own !== key);
  const mine: Kept = Object.keys(map).length > 0 ? [[key, map]] : [];
  try {
    localStorage.setItem(kept_as, JSON.stringify([...mine, ...others].slice(0, most)));
  } catch {
    // A browser that keeps nothing asks again.
  }
}
