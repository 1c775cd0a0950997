// What the simulation costs and what it does, while it runs.
import type { App } from '../app';
import { title_of } from '../flesh/method_words';
import type { Frame } from '../sim/api';
import { per_frame } from '../sim/stages';
import { index_hex } from '../view/colors';
import { section } from './controls';
import { h } from './dom';
import { side_by_side } from './side_by_side';
import { volume_bars } from './volume_bars';

const kept_seconds = 10;

export function measure_panel(app: App): HTMLElement {
  const bar = h('div', { class: 'stage-bar', 'aria-hidden': 'true' });
  const rows = h('dl', { class: 'facts stages' });
  /** Keyed by the name of the stage. */
  let pieces = new Map<string, HTMLElement>(), cells = new Map<string, HTMLElement>();
  const list_stages = (names: string[]) => {
    const coloured = (kind: string, name: string, i: number) => {
      const element = h('span', { class: `${kind} ${name}` });
      element.style.setProperty('--own', index_hex(i));
      return element;
    };
    pieces = new Map(names.filter((name) => name !== per_frame).map((name, i) => [name, coloured('stage', name, i)]));
    cells = new Map(names.map((name) => [name, h('dd', {}, '–')]));
    bar.replaceChildren(...pieces.values());
    rows.replaceChildren(...names.flatMap((name, i) =>
      [h('dt', {}, coloured('dot', name, i), name === per_frame ? `${name} (per frame)` : name), cells.get(name)!]));
  };
  const total = h('p', { class: 'figure', 'aria-label': 'Milliseconds per step' });
  const points = h('dl', { class: 'facts' });
  const energy = h('p', { class: 'figure', 'aria-label': 'Energy left' });
  const rounds = h('p', { class: 'help' });
  const solving = section('Solving', energy, rounds);
  const volume = h('p', { class: 'figure', 'aria-label': 'Volume kept' });
  const plot = h('canvas', { class: 'plot', width: 640, height: 180, role: 'img', 'aria-label': 'Secondary amplitude over the last ten seconds' });
  const plot_text = h('p', { class: 'help' });
  const kept: { at: number; value: number }[] = [];
  const smooth = new Map<string, number>();
  let shown_at = 0;

  const settle = (key: string, value: number) => {
    const next = (smooth.get(key) ?? value) * 0.9 + value * 0.1;
    smooth.set(key, next);
    return next;
  };

  const show = (frame: Frame, now: number) => {
    kept.push({ at: now, value: frame.measures.secondary });
    while (kept.length > 0 && kept[0]!.at < now - kept_seconds * 1000) kept.shift();
    if (frame.steps > 0) for (const { name, ms } of frame.stages) settle(name, ms);
    app.measuring = element.offsetParent !== null;
    if (now - shown_at < 120 || !app.measuring) return;
    shown_at = now;
    const sum = [...pieces.keys()].reduce((s, name) => s + (smooth.get(name) ?? 0), 0);
    total.replaceChildren(sum > 0 ? sum.toFixed(3) : '0', h('small', {}, ' ms per step'));
    for (const [name, piece] of pieces) piece.style.flexGrow = String(smooth.get(name) ?? 0);
    for (const [key, cell] of cells) cell.textContent = `${(smooth.get(key) ?? 0).toFixed(3)} ms`;
    volume.replaceChildren(frame.measures.volume === null ? 'no closed surface' : `${(frame.measures.volume * 100).toFixed(1)} %`,
      h('small', {}, frame.measures.volume === null ? '' : ' of the volume at rest'));
    plot_text.textContent = `Secondary motion: ${(frame.measures.secondary * 100).toFixed(2)} % of the size on average, ${(frame.measures.largest * 100).toFixed(1)} % at most.`;
    solving.hidden = frame.solved === null;
    if (frame.solved) {
      const { energy: left, rounds: n, volumeRounds: more } = frame.solved;
      energy.replaceChildren(left.toFixed(4), h('small', {}, ' per point, in squares of an edge'));
      rounds.textContent = `${n} rounds of turning and moving per frame, then ${more} that give volume back.`;
    }
    draw(plot, kept, now);
    both.show(frame);
  };
  app.events.on('frame', (frame) => show(frame, performance.now()));
  app.events.on('rig', (rig) => {
    list_stages(app.chosen[0]!.stages);
    const list: [string, number][] = [['all', rig.points], ...rig.layers.map(({ name, points }): [string, number] => [name, points])];
    if (rig.cells.length > 0) list.push(['cells', rig.cells.length / 8]);
    points.replaceChildren(...list.flatMap(([name, n]) => [h('dt', {}, name), h('dd', {}, n.toLocaleString('en'))]),
      h('dt', {}, 'bound in'), h('dd', {}, `${rig.bindMs.toFixed(0)} ms`));
    smooth.clear();
  });

  const both = side_by_side(app);
  const bars = volume_bars(app);
  const parts = section('Volume around each joint', bars);
  app.events.on('rig', () => { parts.hidden = !app.chosen[0]!.abilities.parts; });
  const which = h('p', { class: 'help which', hidden: true });
  app.events.on('view', () => {
    which.hidden = app.second === null;
    which.textContent = `Measured on “${title_of(app.method)}”, on the left.`;
  });
  const element = h('div', {},
    both.element,
    which,
    section('Time', total, bar, rows),
    solving,
    section('Volume kept', volume),
    parts,
    section('Secondary motion', plot, plot_text),
    section('Points', points));
  return element;
}

function draw(canvas: HTMLCanvasElement, kept: { at: number; value: number }[], now: number) {
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(canvas);
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const most = Math.max(0.01, ...kept.map((k) => k.value)) * 1.15;
  context.strokeStyle = style.getPropertyValue('--line');
  context.lineWidth = 2;
  for (const share of [0.25, 0.5, 0.75, 1]) {
    context.beginPath();
    context.moveTo(0, height * share - 1);
    context.lineTo(width, height * share - 1);
    context.stroke();
  }
  context.beginPath();
  kept.forEach((k, i) => {
    const x = width * (1 - (now - k.at) / (kept_seconds * 1000)), y = height * (1 - k.value / most) - 2;
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.strokeStyle = style.getPropertyValue('--accent');
  context.lineWidth = 3.5;
  context.lineJoin = 'round';
  context.stroke();
}
