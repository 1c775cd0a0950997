// The character: drop or open a file, or choose a bundled one. Shows what the file contains.
import type { App } from '../app';
import { button, icon_button, section } from './controls';
import { h } from './dom';

export function open_dialog(app: App) {
  const input = h('input', { type: 'file', multiple: true, accept: '.glb,.gltf,.bin,.vrm,.obj,.ply,.off,.bvh,.json,.png,.jpg,.jpeg,.webp' });
  input.addEventListener('change', async () => {
    const files = await Promise.all([...(input.files ?? [])].map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));
    if (files.length > 0) await app.open_files(files);
  });
  input.click();
}

export function character_panel(app: App): HTMLElement {
  const list = h('div', { class: 'cards', role: 'group', 'aria-label': 'Bundled characters' });
  const facts = h('dl', { class: 'facts' });
  const remarks = h('ul', { class: 'remarks' });
  const words: Record<string, string> = { bunny: 'round and quick', gnome: 'a belly and a beard', bloat: 'soft all over', neck: 'a bust', tube: 'one bend' };

  const recent = h('div', { class: 'stack' });
  const show_recent = () => {
    recent.hidden = app.recent.list.length === 0;
    recent.replaceChildren(
      h('ul', { class: 'recent', 'aria-label': 'Opened before' }, ...app.recent.list.map(({ name }) => h('li', {},
        h('button', { type: 'button', class: 'card', 'aria-pressed': String(app.source === name), onclick: () => void app.open_recent(name) }, name),
        icon_button(`Forget ${name}`, 'close', () => void app.forget_recent(name))))),
      h('p', { class: 'help' }, 'Kept by this browser, with their flesh.'));
  };
  app.events.on('recent', show_recent);

  const motions = h('ul', { class: 'recent', 'aria-label': 'Motions' });
  const motion_section = section('Motions', motions, h('p', { class: 'help' }, 'From files with skeletons of their own.'));
  const show_motions = () => {
    motion_section.hidden = app.motions.size === 0;
    motions.replaceChildren(...[...app.motions].map(([file, clip]) => h('li', {},
      h('button', { type: 'button', class: 'card', 'aria-pressed': String(app.clip === clip), onclick: () => void app.choose_clip(clip) }, file.name),
      h('button', { type: 'button', class: 'button quiet', 'aria-label': `Match the joints of ${file.name}`, onclick: () => void app.match_again(file) }, 'Joints'))));
  };
  app.events.on('clip', show_motions);

  app.events.on('character', (info) => {
    show_recent();
    show_motions();
    list.replaceChildren(...app.hello.bundledNames.map((name) => {
      const card = h('button', { type: 'button', class: 'card', 'aria-pressed': String(info.name === name),
        onclick: () => app.open_bundled(name).catch((p) => app.complain(p)) },
        h('strong', {}, name), h('span', { class: 'muted' }, words[name] ?? ''));
      return card;
    }));
    const rows: [string, string][] = [
      ['Vertices', info.vertices.toLocaleString('en')], ['Triangles', info.triangles.toLocaleString('en')],
      ['Joints', String(info.joints.length)], ['Clips', String(info.clips.length)], ['Size', `${info.size.toPrecision(3)} units`],
    ];
    facts.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
    show_notes();
  });
  // What the reader repaired, what the page cannot show, what the bind warns of.
  const show_notes = () => {
    const all = [...new Set([...(app.info?.remarks ?? []), ...app.findings, ...app.warnings])];
    remarks.replaceChildren(...all.map((text) => h('li', {}, text)));
    remarks.hidden = all.length === 0;
  };
  app.events.on('findings', show_notes);
  app.events.on('rig', show_notes);

  return h('div', {},
    section('Yours',
      h('div', { class: 'drop-hint' },
        h('p', {}, 'Drop GLB, VRM, a glTF with its .bin, or BVH motions anywhere on the page. A mesh without a skeleton (GLB, OBJ, PLY, OFF) gets handles to pose it by.'),
        button('Open a file', () => open_dialog(app), 'main'),
        h('p', { class: 'help' }, 'Nothing is uploaded: the file stays on this machine.')),
      recent),
    motion_section,
    section('Bundled', list),
    section('In the file', facts, remarks));
}
