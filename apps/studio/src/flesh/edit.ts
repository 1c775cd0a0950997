// Changes to a flesh file, always on a copy.
import type { FieldValue, Flesh, Joint, LayerFlesh, PartFlesh } from '../sim/api';

/** The lists of a flesh file whose entries belong to joints. */
export type JointList = 'parts' | 'joints';

/** name: null for all layers. */
export function with_layers(flesh: Flesh, name: string | null, key: string, value: FieldValue): Flesh {
  const layers = (flesh.layers ?? []).map((layer) => (name === null || layer.name === name ? { ...layer, [key]: value } : layer));
  return { ...flesh, layers };
}

/**
 * Parts are matched by pattern: characters with a special meaning in patterns become "?", which matches any one
 * character.
 */
export const exact_pattern = (joint: string) => joint.replace(/[*?[\]]/g, '?');

/** A value of null removes the key from the entries. */
export function with_entries(flesh: Flesh, list: JointList, joints: string[], key: string, value: FieldValue | null): Flesh {
  const entries: PartFlesh[] = [...(flesh[list] ?? [])];
  for (const joint of joints.map(exact_pattern)) {
    const at = entries.findIndex((e) => e.joint === joint);
    const { [key]: _, ...rest } = at >= 0 ? entries[at]! : { joint };
    const entry = { ...rest, ...(value === null ? {} : { [key]: value }) } as PartFlesh;
    if (at >= 0) entries[at] = entry;
    else entries.push(entry);
  }
  return { ...flesh, [list]: entries.filter((e) => Object.keys(e).length > 1) };
}

/** The value in the entry of exactly this joint. */
export function entry_value(flesh: Flesh, list: JointList, joint: string, key: string): FieldValue | null {
  return flesh[list]?.find((e) => e.joint === exact_pattern(joint))?.[key] ?? null;
}

export function without_entries(flesh: Flesh, joints: string[]): Flesh {
  const patterns = new Set(joints.map(exact_pattern));
  const out = { ...flesh };
  for (const list of ['parts', 'joints'] as const) if (out[list]) out[list] = out[list].filter((e) => !patterns.has(e.joint));
  return out;
}

const sides: [RegExp, (found: string) => string][] = [
  [/left/i, (s) => same_case(s, 'right')],
  [/right/i, (s) => same_case(s, 'left')],
  [/(?<=[._\- ])l(?=$|[._\- ])|^l(?=[._\- ])/i, (s) => same_case(s, 'r')],
  [/(?<=[._\- ])r(?=$|[._\- ])|^r(?=[._\- ])/i, (s) => same_case(s, 'l')],
  [/^L(?=[A-Z])|(?<=[a-z])L$/, () => 'R'],
  [/^R(?=[A-Z])|(?<=[a-z])R$/, () => 'L'],
];

function same_case(like: string, word: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return like[0] === like[0]!.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word;
}

/** The joint on the other side, if the skeleton has one. */
export function mirror_of(joint: string, all: string[]): string | null {
  for (const [pattern, other] of sides) {
    if (!pattern.test(joint)) continue;
    const name = joint.replace(pattern, other);
    if (name !== joint && all.includes(name)) return name;
  }
  return null;
}

/** True if the left side lies where a character facing +z has its right side, as in VRM 0 avatars. */
export function faces_backwards(joints: Joint[]): boolean {
  const names = joints.map((j) => j.name);
  let left = 0;
  joints.forEach((joint, i) => {
    const is_left = sides.findIndex(([pattern]) => pattern.test(joint.name)) % 2 === 0;
    const other = is_left ? names.indexOf(mirror_of(names[i]!, names) ?? '') : -1;
    if (other >= 0) left += joint.rest[0] - joints[other]!.rest[0];
  });
  return left < 0;
}

/** What differs from the preset it started from: short enough for a link. */
export function difference(flesh: Flesh, preset: Flesh): Flesh {
  const out: Flesh = { preset: flesh.preset ?? 'default' };
  for (const [key, value] of Object.entries(flesh)) {
    if (key === 'preset' || JSON.stringify(value) === JSON.stringify(preset[key])) continue;
    out[key] = value;
  }
  return out;
}

export function layer_of(flesh: Flesh, name: string): LayerFlesh | undefined {
  return flesh.layers?.find((layer) => layer.name === name);
}
