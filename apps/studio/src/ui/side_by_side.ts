// The numbers of two compared methods, side by side.
import type { App } from '../app';
import { title_of } from '../flesh/method_words';
import type { Frame, Measures, StageMs } from '../sim/api';
import { per_frame } from '../sim/stages';
import { section } from './controls';
import { h } from './dom';

const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)} %`;
const sum = (stages: StageMs[], wanted: (stage: StageMs) => boolean) => stages.filter(wanted).reduce((all, { ms }) => all + ms, 0);

const rows: [name: string, value: (measures: Measures, stages: StageMs[]) => number | null, text: (value: number) => string][] = [
  ['Per step', (_, stages) => sum(stages, ({ name }) => name !== per_frame), (v) => `${v.toFixed(2)} ms`],
  ['Skin, per frame', (_, stages) => sum(stages, ({ name }) => name === per_frame), (v) => `${v.toFixed(2)} ms`],
  ['Volume kept', ({ volume }) => volume, (v) => percent(v, 1)],
  ['Swing, mean', ({ secondary }) => secondary, (v) => percent(v, 2)],
  ['Swing, largest', ({ largest }) => largest, (v) => percent(v, 1)],
  ['Stretch, 99th percentile', ({ strain }) => strain, (v) => percent(v, 1)],
];

export interface SideBySide { element: HTMLElement; show(frame: Frame): void; }

export function side_by_side(app: App): SideBySide {
  const heads = [h('dt', {}), h('dd', { class: 'head' }), h('dd', { class: 'head' })];
  const cells = rows.map(() => [h('dd', {}), h('dd', {})] as const);
  const table = h('dl', { class: 'both' }, ...heads, ...rows.flatMap(([name], i) => [h('dt', {}, name), ...cells[i]!]));
  const element = section('Both methods', table);
  element.hidden = true;
  /** Smoothed over about ten frames: numbers that flicker cannot be compared. */
  const smooth = new Map<string, number>();
  const clear = () => smooth.clear();
  app.events.on('rig', clear);
  app.events.on('view', () => {
    element.hidden = app.second === null;
    heads[1]!.textContent = title_of(app.method);
    heads[2]!.textContent = app.second ? title_of(app.second) : '';
  });

  const show = (frame: Frame) => {
    if (!frame.second) return;
    const sides = [frame, frame.second];
    rows.forEach(([name, value, text], i) => sides.forEach(({ measures, stages }, k) => {
      const now = value(measures, stages), key = `${name} ${k}`;
      const mean = now === null ? null : (smooth.get(key) ?? now) * 0.9 + now * 0.1;
      if (mean !== null) smooth.set(key, mean);
      cells[i]![k]!.textContent = mean === null ? '–' : text(mean);
    }));
  };
  return { element, show };
}
