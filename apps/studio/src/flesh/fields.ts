// The settings of the chosen methods, according to their field tables.
import type { FieldInfo, Flesh, MethodInfo } from '../sim/api';

export type Scope = FieldInfo['scope'];

/** The fields that the page always shows, in this order; all others are under More. */
const first_shown: Record<Scope, string[]> = {
  layer: ['frequency', 'damping', 'amount'],
  part: ['amount', 'muscle', 'delta', 'bone_width'],
  joint: [],
  whole: ['delta', 'preserve_volume', 'resolution'],
};
/** Fields of the whole body that are not about how it swings. */
const about_detail = (field: FieldInfo) => field.key === 'resolution' || !is_first(field);
/** Presets choose the mode, together with the values that belong to it. */
const chosen_by_preset = ['mode'];

/** Settings that have an effect only with certain values of another setting. */
const physical = (flesh: Flesh) => (flesh.mode ?? 'physical') === 'physical';
const published = (flesh: Flesh) => !physical(flesh);
const read_when: Record<string, ((flesh: Flesh) => boolean) | undefined> = {
  frequency: physical,
  damping: physical,
  tone: physical,
  anatomy: physical,
  contact: physical,
  k_s: published,
  k_d: published,
  bone_depth: published,
  point_budget: (flesh) => (flesh.resolution ?? 'auto') === 'auto',
  hold_above: (flesh) => (flesh.hold ?? 'weights') === 'weights',
};
/** Does the field do anything in this flesh? If not, it is not shown. */
export const has_effect = (field: FieldInfo, flesh: Flesh) => read_when[field.key]?.(flesh) ?? true;

export const is_first = (field: FieldInfo) => first_shown[field.scope].includes(field.key);

function place(field: FieldInfo): number {
  const at = first_shown[field.scope].indexOf(field.key);
  return at < 0 ? first_shown[field.scope].length : at;
}

/** Each key once, from the first method that has it. */
export function fields_of(methods: MethodInfo[], scope: Scope): FieldInfo[] {
  const found = new Map<string, FieldInfo>();
  for (const method of methods)
    for (const field of method.fields) if (field.scope === scope && !found.has(field.key)) found.set(field.key, field);
  return [...found.values()].filter((field) => !chosen_by_preset.includes(field.key)).sort((a, b) => place(a) - place(b));
}

/** The fields of the whole body that are always shown, under the names of the methods that have them. */
export const swing_fields = (methods: MethodInfo[]) => fields_of(methods, 'whole').filter((field) => !about_detail(field));
export const detail_fields = (methods: MethodInfo[]) => fields_of(methods, 'whole').filter(about_detail);

/** A part field means the same as the field of the whole body with the same key. */
export function meaning_of(field: FieldInfo, methods: MethodInfo[]): string {
  const whole = field.scope === 'part' ? fields_of(methods, 'whole').find((f) => f.key === field.key) : undefined;
  return `${(whole ?? field).meaning}.`;
}

/** The presets that suit all methods with flesh among these. */
export function presets_for(methods: MethodInfo[]): string[] {
  const [first, ...others] = methods.filter((m) => m.presets.length > 0).map((m) => m.presets);
  return (first ?? []).filter((name) => others.every((list) => list.includes(name)));
}
