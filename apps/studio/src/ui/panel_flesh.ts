// Tuning: presets, layers and body parts, from the field tables of the chosen methods. Live, with undo and redo; saved
// and loaded as a flesh file.
import type { App } from '../app';
import { entry_value, layer_of } from '../flesh/edit';
import { detail_fields, fields_of, has_effect, meaning_of, presets_for, swing_fields } from '../flesh/fields';
import { title_of } from '../flesh/method_words';
import { download } from '../out/download';
import type { FieldInfo, FieldValue } from '../sim/api';
import { button, section, segmented, select, toggle, unnamed } from './controls';
import { h } from './dom';
import { field_list, type FieldList } from './field_list';
import { forces_section } from './forces_section';
import { paint_section } from './paint_section';
import { open_dialog } from './panel_character';

export function flesh_panel(app: App): HTMLElement {
  const { tuning } = app;
  let layer = 'fat';
  const presets = unnamed(segmented('Preset', [], 'default', (v) => tuning.use_preset(v)));
  presets.element.classList.add('wrap');
  presets.element.append(h('p', { class: 'help' }, 'A starting point; adjust it with the sliders.'));
  const which = unnamed(segmented('Layer', [], layer, (v) => { layer = v; show(); }));
  which.element.append(h('p', { class: 'help' }, 'From the bone outwards; each swings in its own way.'));
  const part = unnamed(select('Body part', 'Or click on the body.', [], '', (v) => app.choose_part(v || null)));
  const linked = toggle('Left and right together', tuning.linked, (v) => { tuning.linked = v; show(); },
    'Changes here also apply to the other side.');
  const clear = button('Same as the rest of the body', () => tuning.clear_part(), 'quiet');

  const set_whole = (field: FieldInfo, value: FieldValue | null, final: boolean) => {
    if (value !== null) tuning.set_field(field.key, value, final);
  };
  const of_layers = field_list((field, value, final) => {
    if (value !== null) tuning.set_layers(app.one_tissue ? null : layer, field.key, value, final);
  });
  const of_parts = field_list((field, value, final) => tuning.set_part('parts', field.key, value, final));
  const of_joints = field_list((field, value, final) => tuning.set_part('joints', field.key, value, final));
  const swing = field_list(set_whole), detail = field_list(set_whole);
  const part_controls = h('div', { class: 'stack' }, linked.element, of_parts.element, of_joints.element, clear);

  const preset_section = section('Preset', presets.element);
  const swing_title = h('h2');
  const swing_section = h('section', { class: 'section' }, swing_title, swing.element);
  const layer_title = h('h2');
  const layer_section = h('section', { class: 'section' }, layer_title, which.element, of_layers.element);
  const part_section = section('Body part', part.element, part_controls);
  part_section.id = 'body-part';
  const detail_section = section('Detail', detail.element);
  const nothing = h('p', { class: 'help which' });

  /** Controls are rebuilt when other methods are chosen, and kept otherwise. */
  let filled_for = '';
  const fill = () => {
    const methods = app.chosen, names = methods.map((m) => m.name);
    if (names.join(' ') === filled_for) return;
    filled_for = names.join(' ');
    const lists: [FieldList, FieldInfo[], HTMLElement][] = [
      [of_layers, fields_of(methods, 'layer'), layer_section], [swing, swing_fields(methods), swing_section],
      [of_parts, fields_of(methods, 'part'), of_parts.element], [of_joints, fields_of(methods, 'joint'), of_joints.element],
      [detail, detail_fields(methods), detail_section],
    ];
    for (const [list, fields, holder] of lists) {
      list.fill(fields, (field) => meaning_of(field, methods));
      holder.hidden = fields.length === 0;
    }
    swing_title.textContent = methods.filter((m) => swing_fields([m]).length > 0).map((m) => title_of(m.name)).join(' and ');
    part_section.hidden = of_parts.element.hidden && of_joints.element.hidden;
    preset_section.hidden = layer_section.hidden;
    nothing.hidden = lists.some(([, fields]) => fields.length > 0);
    nothing.textContent = `${names.map(title_of).join(' and ')}: no settings.`;
  };

  /** The library resolves the values at a joint, because patterns and presets play a part. */
  let asked = 0;
  const show_part = async (joint: string) => {
    const mine = ++asked, flesh = app.flesh;
    of_joints.show((field) => entry_value(flesh, 'joints', joint, field.key));
    const here = await app.sim.fleshAt(flesh, joint).catch(() => null); // errors are shown elsewhere
    if (here && mine === asked) of_parts.show((field) => here[field.key] ?? null);
  };

  const show = () => {
    if (!app.hello) return;
    fill();
    const flesh = app.flesh;
    presets.options(presets_for(app.chosen).map((name) => [name, name]), flesh.preset ?? 'default');
    const names = (flesh.layers ?? []).map((l) => l.name);
    if (!names.includes(layer)) layer = names.includes('fat') ? 'fat' : names[0] ?? 'fat';
    which.options(names.map((n) => [n, n]), layer);
    const now = layer_of(flesh, layer);
    const matters = (field: FieldInfo) => has_effect(field, flesh);
    of_layers.show((field) => now?.[field.key] ?? field.usual, matters);
    const of_body = (field: FieldInfo) => (flesh[field.key] as FieldValue | undefined) ?? field.usual;
    swing.show(of_body, matters);
    detail.show(of_body, matters);
    which.element.hidden = app.one_tissue;
    layer_title.textContent = app.one_tissue ? 'Swing' : 'Layers';
    part_controls.hidden = tuning.part === null;
    if (app.info) part.options([['', 'none chosen'], ...app.info.joints.map((j): [string, string] => [j.name, j.name])], tuning.part ?? '');
    if (tuning.part === null || !app.info) return;
    linked.element.hidden = tuning.mirror === null;
    linked.set(tuning.linked);
    void show_part(tuning.part);
  };
  app.events.on('flesh', show);
  app.events.on('rig', show);
  app.events.on('part', show);
  app.events.on('character', show);

  const save = () => download(`${app.info?.name ?? 'character'}.flesh.json`,
    new Blob([JSON.stringify(app.flesh, null, 2) + '\n'], { type: 'application/json' }));

  return h('div', {},
    nothing, preset_section, swing_section, layer_section, part_section, paint_section(app), forces_section(app), detail_section,
    section('Flesh file', h('p', { class: 'help' }, 'The command line and the library read the same file.'),
      h('div', { class: 'row' }, button('Save', save), button('Load', () => open_dialog(app)))));
}
