// The controls of all fields of one scope: the important ones first, the others folded away.
import type { FieldInfo, FieldValue } from '../sim/api';
import { is_first } from '../flesh/fields';
import { h } from './dom';
import { field_control, type FieldControl } from './field_control';

export interface FieldList {
  element: HTMLElement;
  fill(fields: FieldInfo[], help: (field: FieldInfo) => string): void;
  /** Fields without effect are hidden. */
  show(value: (field: FieldInfo) => FieldValue | null, has_effect?: (field: FieldInfo) => boolean): void;
}

export function field_list(change: (field: FieldInfo, value: FieldValue | null, final: boolean) => void): FieldList {
  const element = h('div', { class: 'stack' });
  let controls: [FieldInfo, FieldControl][] = [];
  const fill: FieldList['fill'] = (fields, help) => {
    controls = fields.map((field) => [field, field_control(field, help(field), (value, final) => change(field, value, final))]);
    for (const [, control] of controls) control.element.classList.add('field');
    const of = (first: boolean) => controls.filter(([field]) => is_first(field) === first).map(([, control]) => control.element);
    const rest = of(false);
    element.replaceChildren(...of(true));
    if (rest.length === 0) return;
    // With no important ones above them, the others are not folded away.
    element.append(...(rest.length === controls.length ? rest
      : [h('details', { class: 'more' }, h('summary', {}, 'More'), h('div', { class: 'stack' }, ...rest))]));
  };
  const show: FieldList['show'] = (value, has_effect = () => true) => {
    for (const [field, control] of controls) {
      control.set(value(field));
      control.element.hidden = !has_effect(field);
    }
    for (const more of element.querySelectorAll('details')) more.hidden = !more.querySelector('.field:not([hidden])');
  };
  return { element, fill, show };
}
