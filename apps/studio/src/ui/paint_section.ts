// The brush: how large, how strong, softer or stiffer, and what becomes of it.
import type { App } from '../app';
import { download } from '../out/download';
import { painted_glb } from '../out/painted_glb';
import { button, section, segmented, slider, toggle } from './controls';
import { h } from './dom';

export function paint_section(app: App): HTMLElement {
  const { painting } = app, { brush } = painting;
  const on = toggle('Paint on the body', false, () => void painting.toggle(), 'Dark swings, pale is stiff. Dragging on the skin paints instead of pulling.');
  const goal = segmented('The brush makes it', [['0', 'stiffer'], ['1', 'softer']], '0', (v) => { brush.goal = v === '1' ? 1 : 0; });
  const size = slider({ label: 'Brush size', help: 'Share of the size of the body.', min: 0.01, max: 0.3, step: 0.01, value: brush.radius,
    format: (v) => `${Math.round(v * 100)} %`, input: (v) => { brush.radius = v; } });
  const strength = slider({ label: 'Brush strength', help: 'How much one touch changes.', min: 0.05, max: 1, step: 0.05, value: brush.strength,
    format: (v) => `${Math.round(v * 100)} %`, input: (v) => { brush.strength = v; } });
  const mirrored = toggle('Mirrored', brush.mirrored, (v) => { brush.mirrored = v; }, 'The other side of the body gets the same.');
  const undo = button('Undo stroke', () => void painting.undo());
  const save = button('Save the painted character', () => {
    const bytes = painted_glb(app.info!, painting.softness!.values);
    download(`${app.info!.name}_painted.glb`, new Blob([bytes], { type: 'model/gltf-binary' }));
  });
  const tools = h('div', { class: 'stack' }, goal.element, size.element, strength.element, mirrored.element,
    h('div', { class: 'row' }, undo, button('All soft', () => void painting.fill(1)), button('All stiff', () => void painting.fill(0))),
    h('div', { class: 'row' }, save),
    h('p', { class: 'help' }, 'The character carries the softness as a vertex colour; the flesh file names it as its mask.'));
  const element = section('Softness', on.element, tools);
  const show = () => {
    on.set(painting.on);
    tools.hidden = !painting.on;
    undo.disabled = !painting.softness?.can_undo;
    element.hidden = !app.hello || !app.chosen.some((m) => m.abilities.mask);
  };
  app.events.on('painting', show);
  app.events.on('rig', show);
  show();
  return element;
}
