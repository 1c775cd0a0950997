// A control for any setting, chosen by its field table: a slider, a switch, a choice, or a text box.
import type { FieldInfo, FieldValue } from '../sim/api';
import { box, segmented, select, slider, toggle } from './controls';
import { h } from './dom';
import { field_hints, type Hint } from './field_hints';

export interface FieldControl {
  element: HTMLElement;
  /** null: not set and without a default. */
  set(value: FieldValue | null): void;
}

/** `value` null: no longer set. `final`: released, so that it can be undone. */
export type Change = (value: FieldValue | null, final: boolean) => void;

/** Up to this many choices are shown side by side. */
const few_choices = 3;
/** Over a wider range a slider would be too coarse. */
const widest_slider = 1e4;
const plain_units = ['ratio', 'share', 'factor'];

const label_of = (field: FieldInfo, hint: Hint) => {
  const words = field.key.replaceAll('_', ' ');
  return hint.label ?? words[0]!.toUpperCase() + words.slice(1);
};

/** About a hundred steps over the range, of 1, 0.1, 0.01, ... */
function fine_step(field: FieldInfo, range: number): number {
  const step = 10 ** Math.floor(Math.log10(range / 100) + 1e-9);
  return field.kind === 'whole' ? Math.max(1, step) : step;
}

function number_slider(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const min = Math.max(field.min, hint.min ?? field.min), max = Math.min(field.max, hint.max ?? field.max);
  const step = hint.step ?? fine_step(field, max - min);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const unit = plain_units.includes(field.unit) ? '' : field.unit;
  const control = slider({ label: label_of(field, hint), help, min, max, step, value: min,
    format: hint.format ?? ((v) => `${Number(v.toFixed(digits))} ${unit}`.trim()),
    // Fields that need a bind wait until the slider is released: a bind takes a while.
    input: field.live || hint.quick_bind ? (v) => change(v, false) : undefined,
    change: (v) => change(v, true) });
  return { element: control.element, set: (value) => control.set(Number(value ?? field.usual ?? min)) };
}

/** A switch for "auto", where bind chooses the number, above the number's own control. */
function number_or_auto(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const number = number_slider(field, hint, help, change);
  let last = hint.start ?? field.min;
  const by_body = toggle(`${label_of(field, hint)}: automatic`, true, (on) => change(on ? 'auto' : last, true), 'Chosen for this character.');
  const set = (value: FieldValue | null) => {
    const automatic = (value ?? field.usual) === 'auto';
    by_body.set(automatic);
    number.element.hidden = automatic;
    if (!automatic) last = Number(value);
    number.set(automatic ? last : value);
  };
  return { element: h('div', { class: 'stack' }, by_body.element, number.element), set };
}

/** For numbers over a wide range or without a default. An empty box leaves the value unset. */
function number_box(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const label = label_of(field, hint) + (field.unit ? ` (${field.unit})` : '');
  const control = box('number', label, help, (text) => change(text === '' ? null : Number(text), true));
  return { element: control.element, set: (value) => control.set(value === null ? '' : String(value)) };
}

function text_box(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const control = box('text', label_of(field, hint), help, (text) => change(text, true));
  return { element: control.element, set: (value) => control.set(String(value ?? '')) };
}

function vector_box(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const label = `${label_of(field, hint)} (${field.unit})`;
  const control = box('text', label, help, (text) => {
    const numbers = text.split(/[\s,;]+/).filter(Boolean).map(Number);
    const value = numbers.some(Number.isNaN) ? text : numbers.length === 1 ? numbers[0]! : numbers;
    change(value as FieldValue, true); // the reader of flesh files says what is wrong with it
  });
  return { element: control.element, set: (value) => control.set(Array.isArray(value) ? value.join(', ') : String(value ?? '')) };
}

function choice(field: FieldInfo, hint: Hint, help: string, change: Change): FieldControl {
  const list = field.choices.map((name): [string, string] => [name, name]);
  const label = label_of(field, hint), take = (value: string) => change(value, true);
  if (list.length > few_choices) {
    const control = select(label, help, list, '', take);
    return { element: control.element, set: (value) => control.set(String(value ?? '')) };
  }
  const control = segmented(label, list, '', take);
  control.element.append(h('p', { class: 'help' }, help));
  return { element: control.element, set: (value) => control.set(String(value ?? '')) };
}

export function field_control(field: FieldInfo, help: string, change: Change): FieldControl {
  const hint = field_hints[field.key] ?? {};
  switch (field.kind) {
    case 'boolean': {
      const control = toggle(label_of(field, hint), false, (v) => change(v, true), help);
      return { element: control.element, set: (value) => control.set(Boolean(value)) }; // 0 and 1 in older files
    }
    case 'choice': return choice(field, hint, help, change);
    case 'text': return text_box(field, hint, help, change);
    case 'vector': return vector_box(field, hint, help, change);
    default: {
      const boxed = field.scope === 'joint' || (hint.max === undefined && field.max - field.min > widest_slider);
      return (boxed ? number_box : field.auto ? number_or_auto : number_slider)(field, hint, help, change);
    }
  }
}
