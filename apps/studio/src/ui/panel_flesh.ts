// Tuning: presets, layers, body parts. Live, with undo and redo; saved and loaded as a flesh file.
import type { App } from '../app';
import { layer_of, type LayerField, type PartField } from '../flesh/edit';
import { download } from '../out/download';
import { button, section, segmented, select, slider, toggle, unnamed, type Slider } from './controls';
import { h } from './dom';
import { open_dialog } from './panel_character';

const layer_fields: [LayerField, string, string, number, number, number, (v: number) => string][] = [
  ['frequency', 'Frequency', 'How quickly it swings: low is loose, high is tight.', 1, 20, 0.1, (v) => `${v.toFixed(1)} Hz`],
  ['damping', 'Damping', 'How soon it settles: at 1 it does not swing past its place.', 0.01, 1, 0.01, (v) => v.toFixed(2)],
  ['amount', 'Amount', 'How much it feels of the motion: 0 is plain skinning.', 0, 2, 0.05, (v) => `${Math.round(v * 100)} %`],
];

const part_fields: [PartField, string, string, number, number, number, (v: number) => string][] = [
  ['amount', 'Amount', 'How much this part jiggles.', 0, 2, 0.05, (v) => `${Math.round(v * 100)} %`],
  ['muscle', 'Muscle share', 'How much of the flesh is muscle; the rest is fat.', 0, 1, 0.05, (v) => `${Math.round(v * 100)} %`],
  ['delta', 'Delta', 'How much of the swing is shown here.', 0, 1, 0.01, (v) => v.toFixed(2)],
  ['bone_width', 'Bone width', 'How thick the rigid core is, as a share of the size.', 0, 0.15, 0.005, (v) => `${(v * 100).toFixed(1)} %`],
];

export function flesh_panel(app: App): HTMLElement {
  const { tuning } = app;
  let layer = 'fat';
  const presets = unnamed(segmented('Preset', [], 'default', (v) => tuning.use_preset(v)));
  presets.element.classList.add('wrap');
  presets.element.append(h('p', { class: 'help' }, 'Where to begin; the sliders go on from there.'));
  const which = unnamed(segmented('Layer', [], layer, (v) => { layer = v; show(); }));
  which.element.append(h('p', { class: 'help' }, 'From the bone outwards; each swings in its own way.'));
  const sliders = new Map<LayerField, Slider>();
  for (const [field, label, help, min, max, step, format] of layer_fields)
    sliders.set(field, slider({ label, help, min, max, step, value: min, format,
      input: (v) => tuning.set_layer(layer, field, v, false), change: (v) => tuning.set_layer(layer, field, v, true) }));

  const part = unnamed(select('Body part', 'Or click on the body.', [], '', (v) => app.choose_part(v || null)));
  const linked = toggle('Left and right together', tuning.linked, (v) => { tuning.linked = v; show(); },
    'What is changed here is changed on the other side too.');
  const part_sliders = new Map<PartField, Slider>();
  for (const [field, label, help, min, max, step, format] of part_fields)
    part_sliders.set(field, slider({ label, help, min, max, step, value: min, format,
      input: (v) => tuning.set_part(field, v, false), change: (v) => tuning.set_part(field, v, true) }));
  const clear = button('As the rest of the body', () => tuning.clear_part(), 'quiet');
  const part_controls = h('div', { class: 'stack' }, linked.element, ...[...part_sliders.values()].map((s) => s.element), clear);

  const delta = slider({ label: 'Delta', help: 'Mix of the skinned body (0) and the swinging one (1).', min: 0, max: 1, step: 0.01, value: 0.8,
    format: (v) => v.toFixed(2), input: (v) => tuning.set_field('delta', v, false), change: (v) => tuning.set_field('delta', v, true) });
  const volume = toggle('Joints keep their volume', true, (v) => tuning.set_field('preserve_volume', v ? 1 : 0, true),
    'Each part around a joint gets its rest volume back: see Measure.');
  const lattice = section('Lattice', delta.element, volume.element);
  const tissue = h('p', { class: 'help' }, 'A lattice is of one tissue: its softest layer counts.');

  const resolution = slider({ label: 'Resolution', help: 'Voxels along the longest side: finer is slower.', min: 8, max: 64, step: 2, value: 32,
    format: String, change: (v) => tuning.set_field('resolution', v, true) });

  const show = () => {
    if (!app.hello) return;
    const flesh = app.flesh;
    presets.options(Object.keys(app.hello.presets).map((name) => [name, name]), flesh.preset ?? 'default');
    const names = (flesh.layers ?? []).map((l) => l.name);
    if (!names.includes(layer)) layer = names.includes('fat') ? 'fat' : names[0] ?? 'fat';
    which.options(names.map((n) => [n, n]), layer);
    const now = layer_of(flesh, layer);
    if (now) for (const [field, control] of sliders) control.set(now[field]);
    resolution.set(flesh.resolution ?? 32);
    const is_lattice = app.method === 'lattice' || app.second === 'lattice';
    lattice.hidden = !is_lattice;
    tissue.hidden = app.method !== 'lattice';
    delta.set(flesh.delta ?? 0.8);
    volume.set(flesh.preserve_volume !== 0);
    part_sliders.get('delta')!.element.hidden = !is_lattice;
    part_sliders.get('muscle')!.element.hidden = app.method === 'lattice' && app.second === null;
    part_controls.hidden = tuning.part === null;
    if (app.info) part.options([['', 'none chosen'], ...app.info.joints.map((j): [string, string] => [j.name, j.name])], tuning.part ?? '');
    if (tuning.part === null || !app.info) return;
    linked.element.hidden = tuning.mirror === null;
    linked.set(tuning.linked);
    const here = tuning.part_flesh();
    for (const [field, control] of part_sliders) control.set(here[field]);
  };
  app.events.on('flesh', show);
  app.events.on('rig', show);
  app.events.on('part', show);
  app.events.on('character', show);

  const part_section = section('Body part', part.element, part_controls);
  part_section.id = 'body-part';

  const save = () => download(`${app.info?.name ?? 'character'}.flesh.json`,
    new Blob([JSON.stringify(app.flesh, null, 2) + '\n'], { type: 'application/json' }));

  return h('div', {},
    section('Preset', presets.element),
    lattice,
    section('Layers', tissue, which.element, ...[...sliders.values()].map((s) => s.element)),
    part_section,
    section('Detail', resolution.element),
    section('Flesh file', h('p', { class: 'help' }, 'The command line and the library read the same file.'),
      h('div', { class: 'row' }, button('Save', save), button('Load', () => open_dialog(app)))));
}
