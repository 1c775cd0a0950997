// One bar for each part around a joint: left of the middle it has lost volume, right of it gained.
import type { App } from '../app';
import type { Frame } from '../sim/api';
import { index_hex } from '../view/colors';
import { h } from './dom';

const widest = 0.2; // of the rest volume, at either end

interface Bar { row: HTMLElement; fill: HTMLElement; text: HTMLElement; }

export function volume_bars(app: App): HTMLElement {
  const list = h('div', { class: 'volume-bars', role: 'list' });
  const help = h('p', { class: 'help' }, `The middle is the volume at rest; the ends are ${widest * 100} % less and more.`);
  const bars = new Map<number, Bar>();
  let shown_at = 0;

  const make = (joint: number): Bar => {
    const fill = h('span', { class: 'volume-fill' }), text = h('span', { class: 'value' });
    const swatch = h('span', { class: 'swatch' });
    swatch.style.background = index_hex(joint);
    const row = h('div', { class: 'volume-row', role: 'listitem' },
      swatch, h('span', { class: 'volume-name' }, app.info?.joints[joint]?.name ?? ''), h('span', { class: 'volume-track', 'aria-hidden': 'true' }, fill), text);
    list.append(row);
    return { row, fill, text };
  };
  app.events.on('rig', () => {
    bars.clear();
    list.replaceChildren();
  });
  app.events.on('frame', (frame: Frame) => {
    const now = performance.now();
    if (frame.volumes.length === 0 || now - shown_at < 80 || list.offsetParent === null) return;
    shown_at = now;
    for (const { joint, ratio } of frame.volumes) {
      if (!bars.has(joint)) bars.set(joint, make(joint));
      const { fill, text } = bars.get(joint)!;
      const off = Math.max(-1, Math.min(1, (ratio - 1) / widest));
      fill.style.left = `${50 + Math.min(0, off) * 50}%`;
      fill.style.width = `${Math.abs(off) * 50}%`;
      text.textContent = `${(ratio * 100).toFixed(1)} %`;
    }
  });
  return h('div', { class: 'stack' }, help, list);
}
