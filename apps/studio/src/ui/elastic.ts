// The line between the flesh that is held and the hand that pulls it, and the ghost hand that shows a visitor how.
import { Vector3 } from 'three';
import type { App } from '../app';
import { h } from './dom';

const ns = 'http://www.w3.org/2000/svg';
const greeted_as = 'fascia-greeted';
/** In shares of the view's smaller side. */
const pull_way: [number, number] = [0.24, 0.06];
const ease = (t: number) => t * t * (3 - 2 * t);

/** The hand over the view: the vertex that it holds, or the place in the window where it began, and where it is. */
export type Grasp = { x: number; y: number } & ({ vertex: number } | { from: [number, number] });

export function elastic_line(app: App): HTMLElement {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('class', 'elastic');
  svg.setAttribute('aria-hidden', 'true');
  const line = svg.appendChild(document.createElementNS(ns, 'line'));
  const knob = svg.appendChild(document.createElementNS(ns, 'circle'));
  knob.setAttribute('r', '9');
  const hand = h('div', { class: 'ghost-hand', hidden: true, 'aria-hidden': 'true' });
  const layer = h('div', { class: 'hand-layer' }, svg, hand);

  const place_in = (box: DOMRect, vertex: number): [number, number] => {
    const seen = app.figure.place_of(vertex).project(app.stage.camera);
    return [((seen.x + 1) / 2) * box.width, ((1 - seen.y) / 2) * box.height];
  };
  const show = () => {
    const grasp = app.grasp;
    const shown = grasp && (app.pulling || 'from' in grasp);
    svg.style.display = shown ? '' : 'none';
    if (!shown) return;
    const box = app.stage.canvas.getBoundingClientRect();
    const [x1, y1] = 'from' in grasp ? [grasp.from[0] - box.left, grasp.from[1] - box.top] : place_in(box, grasp.vertex);
    line.setAttribute('x1', String(x1));
    line.setAttribute('y1', String(y1));
    for (const [element, x, y] of [[line, 'x2', 'y2'], [knob, 'cx', 'cy']] as const) {
      element.setAttribute(x, String(grasp.x - box.left));
      element.setAttribute(y, String(grasp.y - box.top));
    }
  };
  app.events.on('drawn', show);
  app.events.on('grasp', show);

  app.events.once('frame', () => {
    if (!is_greeted()) void greet(app, hand);
  });
  return layer;
}

function is_greeted(): boolean {
  try {
    return localStorage.getItem(greeted_as) !== null;
  } catch {
    return true; // a browser that cannot remember would show the hand each time
  }
}

/** Once in a visitor's life: a hand takes the belly, pulls and lets go. Any touch of the visitor's own ends it. */
async function greet(app: App, hand: HTMLElement) {
  let over = false;
  addEventListener('pointerdown', () => { over = true; }, { once: true, capture: true });
  await new Promise((done) => setTimeout(done, 1500));
  const place = app.hands.belly();
  if (over || !place || app.pulling) return;
  localStorage.setItem(greeted_as, '1');
  app.events.emit('note', 'This is flesh: press on the skin and drag.');
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;

  const { stage } = app;
  const box = stage.canvas.getBoundingClientRect();
  const depth = place.at.clone().project(stage.camera).z;
  const in_body = (x: number, y: number): [number, number, number] => {
    const point = new Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, depth).unproject(stage.camera);
    return stage.world.worldToLocal(point).toArray();
  };
  if (!(await app.pull_start(in_body(place.x, place.y)))) return;
  hand.hidden = false;
  const began = performance.now();
  await new Promise<void>((done) => {
    const move = (now: number) => {
      const seconds = (now - began) / 1000;
      if (over || seconds > 1.7) return done();
      const share = ease(Math.min(1, seconds / 1.1));
      const reach = share * Math.min(box.width, box.height);
      const x = place.x + reach * pull_way[0], y = place.y + reach * pull_way[1];
      hand.style.transform = `translate(${x - box.left}px, ${y - box.top}px)`;
      app.set_grasp({ vertex: place.vertex, x, y });
      app.pull_move(in_body(x, y));
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  });
  hand.hidden = true;
  if (!over) app.pull_end();
}
