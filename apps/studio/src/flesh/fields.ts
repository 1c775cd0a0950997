// The settings of the chosen methods, according to their field tables.
import type { FieldInfo, MethodInfo } from '../sim/api';

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
