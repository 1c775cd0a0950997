// The page: bar, view, transport, panel with tabs.
import type { App } from '../app';
import { heat_gradient } from '../view/colors';
import { toggle_theme } from '../view/theme';
import { button, icon_button } from './controls';
import { listen_to_keys } from '../keys';
import { divider } from './divider';
import { h, icon, icons } from './dom';
import { elastic_line } from './elastic';
import { help_sheet } from './help';
import { character_panel, open_dialog } from './panel_character';
import { export_panel } from './panel_export';
import { flesh_panel } from './panel_flesh';
import { look_panel } from './panel_look';
import { measure_panel } from './panel_measure';
import { play_bar } from './play_bar';
import { pose_panel } from './panel_pose';
import { Toasts } from './toast';
import { transport } from './transport';

export function build_shell(app: App, root: HTMLElement, canvas: HTMLCanvasElement) {
  const toasts = new Toasts();
  app.events.on('problem', (text) => toasts.show(text, 'error'));
  app.events.on('note', (text) => toasts.show(text));
  app.events.on('opened', () => toasts.clear());
  const view = h('div', { class: 'view' }, canvas, divider(app), legend(app), badge(app), part_badge(app), elastic_line(app), play_bar(app), busy(app), toasts.element);
  app.events.on('view', () => view.classList.toggle('split', app.splitting));
  const help = help_sheet();
  listen_to_keys(app, help.toggle);
  root.replaceChildren(
    top_bar(app, toasts, help.toggle),
    h('main', { class: 'main' }, h('div', { class: 'viewport' }, view, transport(app)), tabs(app)),
    drop_curtain(app), help.element);
  new ResizeObserver(() => {
    app.stage.resize(view.clientWidth, view.clientHeight);
    app.draw();
  }).observe(view);
}

function top_bar(app: App, toasts: Toasts, help: () => void): HTMLElement {
  const name = h('span', { class: 'character-name' });
  const undo = icon_button('Undo', 'undo', () => (app.posing.on ? app.posing : app.tuning).undo(), 'Ctrl Z');
  const redo = icon_button('Redo', 'redo', () => (app.posing.on ? app.posing : app.tuning).redo(), 'Ctrl Shift Z');
  const update = () => {
    const changes = app.posing.on ? app.posing : app.tuning.history;
    undo.disabled = !changes.canUndo;
    redo.disabled = !changes.canRedo;
  };
  app.events.on('flesh', update);
  app.events.on('posing', update);
  app.events.on('character', (info) => {
    name.textContent = info.name;
    document.title = `${info.name} · Fascia Studio`;
  });
  update();
  const copy = async () => {
    history.replaceState(null, '', app.link());
    try {
      await navigator.clipboard.writeText(location.href);
      toasts.show('Link copied: it brings back this view and this flesh.');
    } catch {
      toasts.show('The address bar now holds the link to this view.');
    }
  };
  return h('header', { class: 'bar' },
    h('div', { class: 'brand' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, icon('M6 16V4.5h9M6 10.2h7')), h('h1', {}, 'Fascia Studio')),
    name,
    h('div', { class: 'actions' },
      undo, redo,
      icon_button('Reset the camera', 'home', () => app.home(), 'H'),
      icon_button('Copy a link to this view', 'link', () => void copy()),
      icon_button('Keys and mouse', 'help', help, '?'),
      icon_button('Light or dark', 'theme', () => { toggle_theme(app.stage); app.ticker.dirty = true; }),
      h('button', { type: 'button', class: 'button main open', 'aria-label': 'Open', onclick: () => open_dialog(app) }, icon(icons.open), h('span', {}, 'Open'))));
}

function tabs(app: App): HTMLElement {
  const panels: [string, string, HTMLElement][] = [
    ['character', 'Character', character_panel(app)], ['pose', 'Pose', pose_panel(app)], ['look', 'View', look_panel(app)], ['flesh', 'Flesh', flesh_panel(app)],
    ['measure', 'Measure', measure_panel(app)], ['export', 'Export', export_panel(app)],
  ];
  const buttons: HTMLButtonElement[] = [];
  const scroll = h('div', { class: 'panel-scroll', tabindex: 0, role: 'region', 'aria-label': 'Settings of this tab' }, ...panels.map(([, , panel]) => panel));
  // Each panel keeps its scroll position.
  const left_at = panels.map(() => 0);
  let chosen = 0;
  const choose = (index: number, focus = false) => {
    left_at[chosen] = scroll.scrollTop;
    chosen = index;
    panels.forEach(([, , panel], i) => {
      panel.hidden = i !== index;
      buttons[i]!.setAttribute('aria-selected', String(i === index));
      buttons[i]!.tabIndex = i === index ? 0 : -1;
    });
    scroll.scrollTop = left_at[index]!;
    app.posing.show(panels[index]![0] === 'pose');
    if (focus) buttons[index]!.focus();
  };
  const named = (id: string) => panels.findIndex(([own]) => own === id);
  app.events.on('tab', (id) => choose(named(id)));
  panels.forEach(([id, text, panel], i) => {
    panel.id = `panel-${id}`;
    panel.classList.add('panel-body');
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${id}`);
    const tab = h('button', { type: 'button', role: 'tab', id: `tab-${id}`, class: 'tab', 'aria-controls': panel.id, onclick: () => choose(i) }, text);
    tab.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (by !== 0) choose((i + by + panels.length) % panels.length, true);
    });
    buttons.push(tab);
  });
  // Picking a part on the body opens its settings.
  app.events.on('part', (part) => {
    const place = document.getElementById('body-part');
    if (!part || !place || place.hidden) return; // methods without parts have nothing to tune there
    choose(named('flesh'));
    place.scrollIntoView({ block: 'nearest' });
  });
  choose(0);
  return h('aside', { class: 'panel', 'aria-label': 'Settings' },
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Settings' }, ...buttons),
    scroll);
}

/** What the colours mean. */
function legend(app: App): HTMLElement {
  const ramp = h('div', { class: 'ramp' });
  ramp.style.background = heat_gradient;
  const low = h('span'), high = h('span'), title = h('strong');
  const box = h('div', { class: 'legend', hidden: true }, title, ramp, h('div', { class: 'ends' }, low, high));
  app.events.on('view', () => {
    const single = app.paint === 'weights' && app.paintJoint >= 0;
    box.hidden = app.inside || app.paint === 'none' || (app.paint === 'weights' && !single);
    const texts: Record<string, [string, string, string]> = {
      offset: ['Distance from skinning', '0', '5 % of the size'], strain: ['Stretch', '0', '50 %'],
      difference: ['Difference between the two', '0', '5 % of the size'],
      weights: [`Weight of ${app.info?.joints[app.paintJoint]?.name ?? ''}`, '0', '1'],
    };
    const [a, b, c] = texts[app.paint] ?? ['', '', ''];
    title.textContent = a;
    low.textContent = b;
    high.textContent = c;
  });
  return box;
}

/** Tells the user of a slow machine what is shown instead. */
function badge(app: App): HTMLElement {
  const box = h('div', { class: 'badge', role: 'status', hidden: true });
  const words = { full: '', fewer: 'This machine is busy: the flesh runs in fewer steps.', skinning: 'This machine is too busy for flesh: plain skinning for now.' };
  app.events.on('level', (level) => {
    box.hidden = level === 'full';
    box.textContent = words[level];
  });
  return box;
}

function part_badge(app: App): HTMLElement {
  const text = h('span');
  const box = h('div', { class: 'part-badge', hidden: true }, text, icon_button('Deselect the body part', 'close', () => app.choose_part(null)));
  app.events.on('part', (part) => {
    box.hidden = part === null;
    text.textContent = part ?? '';
  });
  return box;
}

/** What the page is waiting for. A bind that takes longer than a moment shows how far it is and can be stopped. */
function busy(app: App): HTMLElement {
  const patience = 300; // ms
  const text = h('span', {}, 'Loading');
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the bind', hidden: true });
  const stop = button('Stop', () => app.sim.stopBind());
  const box = h('div', { class: 'busy', role: 'status' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), text, bar, stop);
  stop.hidden = true;
  let opening: string | null = 'Loading', began = 0;
  const show = (share: number | null) => {
    const slow = share !== null && performance.now() - began > patience;
    box.hidden = opening === null && !slow;
    text.textContent = opening ?? 'Filling the body with flesh';
    bar.hidden = !slow;
    stop.hidden = !slow || !app.sim.canStopBind;
    bar.value = share ?? 0;
  };
  app.events.on('busy', (what) => {
    opening = what;
    show(null);
  });
  app.events.on('binding', (share) => {
    if (share === 0) began = performance.now();
    show(share);
  });
  return box;
}

function drop_curtain(app: App): HTMLElement {
  const curtain = h('div', { class: 'curtain', hidden: true }, h('p', {}, 'Drop a character, mesh, motion or flesh file'));
  let depth = 0;
  const has_files = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (!has_files(event)) return;
    depth++;
    curtain.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (has_files(event) && --depth <= 0) curtain.hidden = true;
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    depth = 0;
    curtain.hidden = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    const read = await Promise.all(files.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));
    if (read.length > 0) await app.open_files(read);
  });
  return curtain;
}
