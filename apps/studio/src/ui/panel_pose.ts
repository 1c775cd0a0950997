// Posing: which handles there are, what the pointer does to them, keys over time, and files of the result.
import type { App } from '../app';
import { download } from '../out/download';
import type { Along, Tool } from '../pose/posing';
import type { Ease } from '../pose/document';
import { box, button, section, segmented, select, toggle } from './controls';
import { h } from './dom';

const fps = 30;

export function pose_panel(app: App): HTMLElement {
  const { posing } = app;
  const none = h('p', { class: 'help' });
  const find = button('Find handles in this body', () => void posing.find(), 'main');
  const start = section('Handles', none, find);

  const count = box('number', 'How many', 'Empty: as many as the shape suggests. What has been posed is lost.', (text) => void posing.find(Math.min(200, Math.max(0, Math.round(Number(text)) || 0))));
  const tool = segmented('Dragging a handle', [['move', 'Moves'], ['turn', 'Turns'], ['link', 'Links'], ['add', 'Adds']], 'move', (v) => posing.set_tool(v as Tool));
  const along = segmented('Moves along', [['view', 'View'], ['x', 'X'], ['y', 'Y'], ['z', 'Z'], ['ground', 'Ground']], 'view', (v) => posing.set_along(v as Along));
  const hint = h('p', { class: 'help' });
  const held = toggle('Holds the body', true, (v) => posing.set_held(v), 'A free handle goes where the others take its flesh; dragging it holds it.');
  const remove = button('Delete', () => posing.delete_chosen());
  const clear = button('Back to rest', () => posing.clear());
  const chosen = h('p', { class: 'muted', role: 'status' });
  const handles = section('Handles', tool.element, along.element, hint, chosen, held.element, h('div', { class: 'row' }, remove, clear));
  const again = section('Find handles again', count.element);

  // ---- keys ----
  const needle = h('div', { class: 'key-needle' });
  const track = h('div', { class: 'key-track', role: 'group', 'aria-label': 'Keys' });
  track.addEventListener('pointerdown', (event) => {
    if (event.target !== track) return;
    const { left, width } = track.getBoundingClientRect();
    seek(((event.clientX - left) / width) * posing.document.length);
  });
  const seek = (time: number) => {
    app.set_playing(false);
    void app.sim.seek(time);
  };
  const set = button('Set key', () => posing.set_key(), 'main');
  const unset = button('Delete key', () => posing.delete_key());
  const ease = select('To the next key', '', [['smooth', 'Smooth'], ['linear', 'Even'], ['hold', 'Holds, then jumps']], 'smooth', (v) => posing.set_ease(v as Ease));
  const length = box('number', 'Seconds', 'How long the clip is.', (text) => posing.set_length(Number(text)));
  const keys = section('Keys', track, h('div', { class: 'row' }, set, unset), ease.element, length.element,
    h('p', { class: 'help' }, 'Once there is a key, what you drag becomes a key at the time shown. Play with the space key.'));

  // ---- files ----
  const said = h('p', { class: 'help', role: 'status' });
  const name = () => `${app.info?.name ?? 'body'}_pose`;
  const export_glb = async () => {
    said.textContent = 'Writing';
    try {
      const made = await app.sim.bakePosed(fps);
      if (!made) return;
      const how = made.skinned ? 'skinned to its handles' : 'as morph targets';
      said.textContent = `Written ${how}: skinning is off by up to ${(100 * made.off).toFixed(1)} % of the size.`;
      download(`${name()}.glb`, new Blob([made.bytes.slice()], { type: 'model/gltf-binary' }));
    } catch (problem) {
      said.textContent = '';
      app.complain(problem);
    }
  };
  const export_pc2 = async () => {
    const bytes = await app.sim.bake('pc2', fps).catch((problem: unknown) => (app.complain(problem), null));
    if (bytes) download(`${name()}.pc2`, new Blob([bytes.slice()]));
  };
  const files = section('Export', h('p', { class: 'help' }, 'GLB: skinned to the handles as joints where that comes within 2 % of the size, otherwise with a morph target per frame.'),
    h('div', { class: 'row' }, button('GLB', () => void export_glb(), 'main'), button('PC2', () => void export_pc2())), said);

  const hints: Record<Tool, string> = {
    move: 'Shift and a click on the body add a handle.', turn: 'Drag around a handle, or sideways from it.',
    link: 'Drag from one handle to another; a second time takes the link away.', add: 'Click on the body.',
  };
  const show = () => {
    const { document: { handles: all, keys: list, length: seconds }, has_handles } = posing;
    for (const part of [handles, keys, files, again]) part.hidden = !has_handles;
    start.hidden = has_handles;
    none.textContent = app.info ? `${app.info.name} has a skeleton. It can be posed by handles instead: points in the body that are dragged. Open it again to have its skeleton back.` : '';
    const one = all[posing.chosen];
    chosen.textContent = one ? `${one.name}, one of ${all.length}` : `${all.length} handles; click one to choose it.`;
    held.element.hidden = !one;
    held.set(one?.held ?? true);
    remove.disabled = !one;
    tool.set(posing.tool);
    along.set(posing.along);
    along.element.hidden = posing.tool !== 'move';
    hint.textContent = hints[posing.tool];
    length.set(String(seconds));
    track.replaceChildren(...list.map((key) => {
      const mark = h('button', { type: 'button', class: `key-mark ${key.ease}`, 'aria-label': `Key at ${key.time.toFixed(2)} s`, onclick: () => seek(key.time) });
      mark.style.left = `${(100 * key.time) / seconds}%`;
      return mark;
    }), needle);
    show_time();
  };
  const show_time = () => {
    if (!posing.on) return;
    const { key, document: { keys: list, length: seconds } } = posing;
    needle.style.left = `${(100 * Math.min(seconds, app.last?.time ?? 0)) / seconds}%`;
    unset.disabled = key < 0;
    ease.element.hidden = key < 0;
    if (key >= 0) ease.set(list[key]!.ease);
  };
  app.events.on('posing', show);
  app.events.on('character', show);
  app.events.on('drawn', show_time);
  show();
  return h('div', {}, start, handles, keys, files, again);
}
