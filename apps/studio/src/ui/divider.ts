// The line between two methods: drag it, or move it with the arrow keys.
import type { App } from '../app';
import { title_of } from '../flesh/method_words';
import { h } from './dom';

export function divider(app: App): HTMLElement {
  const handle = h('div', { class: 'divider', role: 'slider', tabindex: 0, 'aria-label': 'Divider between the two methods',
    'aria-valuemin': 5, 'aria-valuemax': 95, hidden: true }, h('span', { class: 'grip' }));
  const left = h('span', { class: 'side-label left', hidden: true });
  const right = h('span', { class: 'side-label right', hidden: true });

  const move = (share: number) => app.look(() => { app.split = Math.min(0.95, Math.max(0.05, share)); });
  handle.addEventListener('pointerdown', (event) => {
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus();
  });
  handle.addEventListener('pointermove', (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = app.stage.canvas.getBoundingClientRect();
    move((event.clientX - box.left) / box.width);
  });
  handle.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -0.02, ArrowRight: 0.02, PageDown: -0.1, PageUp: 0.1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(app.split + by);
  });
  app.events.on('view', () => {
    for (const element of [handle, left, right]) element.hidden = !app.splitting;
    handle.style.left = `${app.split * 100}%`;
    handle.setAttribute('aria-valuenow', String(Math.round(app.split * 100)));
    left.textContent = title_of(app.method);
    right.textContent = app.second ? title_of(app.second) : '';
  });
  const box = h('div', { class: 'divider-layer' }, left, right, handle);
  return box;
}
