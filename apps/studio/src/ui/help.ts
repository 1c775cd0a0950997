// What the keys and the mouse do: a sheet that "?" opens and Escape closes.
import { icon_button } from './controls';
import { h } from './dom';

const lines: [keys: string, does: string][] = [
  ['Drag the skin', 'pull the flesh; let go and it springs back'],
  ['Click the skin', 'choose a body part to tune'],
  ['Drag a handle', 'pose the body (tab Pose)'],
  ['Shift and a click, Delete', 'add a handle, delete the chosen one'],
  ['V X Y Z G', 'drag handles as seen, along an axis, on the ground'],
  ['K', 'set a key'],
  ['Drag beside the body', 'turn the camera; wheel or two fingers: zoom'],
  ['Space', 'play, pause'],
  ['← →', 'one frame back, one frame forward'],
  ['L', 'loop'],
  ['F (held)', 'without flesh: plain skinning'],
  ['P', 'poke the flesh in the middle of the view'],
  ['S', 'shake the whole body'],
  ['B', 'throw a ball at it'],
  ['Shift and arrows, + −', 'turn the camera, zoom'],
  ['H', 'camera back to its start'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['Escape', 'stop an export, close this, let go of the body part'],
];

export interface Help { element: HTMLDialogElement; toggle(): void; }

export function help_sheet(): Help {
  const element = h('dialog', { class: 'help-sheet', 'aria-label': 'Keys and mouse' });
  const toggle = () => (element.open ? element.close() : element.showModal());
  element.append(
    h('div', { class: 'help-head' }, h('h2', {}, 'Keys and mouse'), icon_button('Close', 'close', toggle)),
    h('dl', { class: 'help-list' }, ...lines.flatMap(([keys, does]) => [h('dt', {}, keys), h('dd', {}, does)])));
  // A click beside the sheet closes it.
  element.addEventListener('click', (event) => { if (event.target === element) element.close(); });
  return { element, toggle };
}
