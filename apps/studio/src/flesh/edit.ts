// Changes to a flesh file, always on a copy.
import type { Flesh, Joint, LayerFlesh, PartFlesh } from '../sim/api';

export type PartField = 'bone_width' | 'muscle' | 'amount' | 'delta';
export type LayerField = 'frequency' | 'damping' | 'amount';

export function with_layer(flesh: Flesh, name: string, field: LayerField, value: number): Flesh {
  const layers = (flesh.layers ?? []).map((layer) => (layer.name === name ? { ...layer, [field]: value } : layer));
  return { ...flesh, layers };
}

/** Parts match by pattern: signs that mean something in a pattern stand for any one character. */
export const exact_pattern = (joint: string) => joint.replace(/[*?[\]]/g, '?');

export function with_part(flesh: Flesh, joints: string[], field: PartField, value: number): Flesh {
  const parts: PartFlesh[] = [...(flesh.parts ?? [])];
  for (const joint of joints.map(exact_pattern)) {
    const at = parts.findIndex((p) => p.joint === joint);
    if (at >= 0) parts[at] = { ...parts[at]!, [field]: value };
    else parts.push({ joint, [field]: value });
  }
  return { ...flesh, parts };
}

export function without_part(flesh: Flesh, joints: string[]): Flesh {
  const patterns = new Set(joints.map(exact_pattern));
  return { ...flesh, parts: (flesh.parts ?? []).filter((p) => !patterns.has(p.joint)) };
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

/** The joint on the other side, where the skeleton has one. */
export function mirror_of(joint: string, all: string[]): string | null {
  for (const [pattern, other] of sides) {
    if (!pattern.test(joint)) continue;
    const name = joint.replace(pattern, other);
    if (name !== joint && all.includes(name)) return name;
  }
  return null;
}

/** Whether the left side lies where a character that looks along +z has its right: VRM 0 avatars do. */
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

/** What differs from the preset it began with: short enough for a link. */
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

/** Patterns of joint names as the flesh file has them: *, ? and [abc]; capitals do not matter. */
export function matches(pattern: string, name: string): boolean {
  const source = pattern.replace(/[.+^${}()|\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.').replace(/\[!/g, '[^');
  try {
    return new RegExp(`^${source}$`, 'i').test(name);
  } catch {
    return pattern === name;
  }
}
