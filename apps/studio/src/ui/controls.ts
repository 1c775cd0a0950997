// The few kinds of controls. Each has a name, a readable value and one line of explanation.
import { h, icon, icons } from './dom';

let next_id = 0;
const fresh_id = (stem: string) => `${stem}-${++next_id}`;

export interface Slider {
  element: HTMLElement;
  set(value: number): void;
}

export interface SliderOptions {
  label: string;
  help: string;
  min: number;
  max: number;
  step: number;
  value: number;
  format?: (value: number) => string;
  /** While it moves. */
  input?: (value: number) => void;
  /** When it is released. */
  change?: (value: number) => void;
}

export function slider(o: SliderOptions): Slider {
  const id = fresh_id('slider');
  const format = o.format ?? ((v: number) => String(v));
  const output = h('output', { for: id, class: 'value' });
  const range = h('input', { type: 'range', id, min: o.min, max: o.max, step: o.step, 'aria-describedby': `${id}-help` });
  const show = (value: number) => {
    range.value = String(value);
    output.textContent = format(value);
    range.setAttribute('aria-valuetext', format(value));
    range.style.setProperty('--share', String((value - o.min) / (o.max - o.min)));
  };
  range.addEventListener('input', () => {
    show(Number(range.value));
    o.input?.(Number(range.value));
  });
  range.addEventListener('change', () => o.change?.(Number(range.value)));
  show(o.value);
  const element = h('div', { class: 'control slider' },
    h('div', { class: 'control-head' }, h('label', { for: id }, o.label), output),
    range,
    h('p', { class: 'help', id: `${id}-help` }, o.help));
  return { element, set: show };
}

export interface Choice {
  element: HTMLElement;
  set(value: string): void;
  options(list: [value: string, text: string][], value: string): void;
}

export interface GroupedChoice extends Choice {
  groups(list: [group: string, entries: [value: string, text: string][]][], value: string): void;
}

export function select(label: string, help: string, list: [string, string][], value: string, change: (value: string) => void): GroupedChoice {
  const id = fresh_id('select');
  const box = h('select', { id, 'aria-describedby': help ? `${id}-help` : undefined });
  const options_of = (entries: [string, string][]) => entries.map(([v, text]) => h('option', { value: v }, text));
  const take = (children: HTMLElement[], chosen: string) => {
    box.replaceChildren(...children);
    box.value = chosen;
    box.disabled = box.options.length === 0;
  };
  const fill: Choice['options'] = (entries, chosen) => take(options_of(entries), chosen);
  // A group without a name is not a group.
  const groups: GroupedChoice['groups'] = (of, chosen) =>
    take(of.flatMap(([group, entries]) => (group ? [h('optgroup', { label: group }, ...options_of(entries))] : options_of(entries))), chosen);
  fill(list, value);
  box.addEventListener('change', () => change(box.value));
  const element = h('div', { class: 'control' },
    h('label', { for: id }, label),
    h('div', { class: 'select' }, box),
    help && h('p', { class: 'help', id: `${id}-help` }, help));
  return { element, set: (v) => { box.value = v; }, options: fill, groups };
}

export function segmented(label: string, list: [string, string][], value: string, change: (value: string) => void): Choice {
  const name = fresh_id('choice');
  const box = h('div', { class: 'segments' });
  const fill = (entries: [string, string][], chosen: string) =>
    box.replaceChildren(...entries.map(([v, text]) => {
      const radio = h('input', { type: 'radio', name, value: v, checked: v === chosen });
      radio.addEventListener('change', () => change(v));
      return h('label', { class: 'segment' }, radio, h('span', {}, text));
    }));
  fill(list, value);
  const element = h('fieldset', { class: 'control' }, h('legend', {}, label), box);
  return {
    element,
    set: (v) => box.querySelectorAll('input').forEach((radio) => { radio.checked = radio.value === v; }),
    options: fill,
  };
}

export interface Toggle { element: HTMLElement; set(value: boolean): void; }

export function toggle(label: string, value: boolean, change: (value: boolean) => void, help = ''): Toggle {
  const id = fresh_id('toggle');
  const box = h('input', { type: 'checkbox', id, role: 'switch', checked: value });
  box.addEventListener('change', () => change(box.checked));
  const element = h('div', { class: 'control' },
    h('div', { class: 'toggle' }, h('label', { for: id }, label), box),
    help && h('p', { class: 'help' }, help));
  return { element, set: (v) => { box.checked = v; } };
}

export interface Box { element: HTMLElement; set(value: string): void; }

/** A text box; its value is taken when it loses focus, or with the Enter key. */
export function box(type: 'text' | 'number', label: string, help: string, change: (value: string) => void): Box {
  const id = fresh_id('box');
  const input = h('input', { type, id, class: 'box', step: type === 'number' ? 'any' : undefined, autocomplete: 'off', 'aria-describedby': `${id}-help` });
  input.addEventListener('change', () => change(input.value.trim()));
  const element = h('div', { class: 'control' }, h('label', { for: id }, label), input, h('p', { class: 'help', id: `${id}-help` }, help));
  return { element, set: (value) => { input.value = value; } };
}

export function button(text: string, press: () => void, kind: 'plain' | 'main' | 'quiet' = 'plain'): HTMLButtonElement {
  return h('button', { type: 'button', class: `button ${kind}`, onclick: press }, text);
}

export function icon_button(label: string, picture: keyof typeof icons, press: () => void, hint = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: hint ? `${label} (${hint})` : label, onclick: press },
    icon(icons[picture]));
}

/** Where the section's title already names the control, only screen readers get its name. */
export function unnamed<T extends { element: HTMLElement }>(control: T): T {
  control.element.classList.add('unnamed');
  return control;
}

export function section(title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return h('section', { class: 'section' }, h('h2', {}, title), ...children);
}
