// Play, pause, step, loop, scrub; clip and speed.
import type { App } from '../app';
import { icon_button } from './controls';
import { h, icon, icons } from './dom';

const borrowed_prefix = 'bundled:';
const clock = (seconds: number) => `${seconds.toFixed(2)} s`;

export function transport(app: App): HTMLElement {
  const play = icon_button('Pause', 'pause', () => app.set_playing(!app.playing), 'space');
  play.classList.add('play');
  const back = icon_button('One frame back', 'back', () => app.step(-1), 'arrow left');
  const step = icon_button('One frame forward', 'step', () => app.step(1), 'arrow right');
  const loop = icon_button('Loop', 'loop', () => app.look(() => { app.loop = !app.loop; }), 'L');
  const line = h('input', { type: 'range', class: 'timeline', min: 0, max: 1, step: 0.001, value: 0, 'aria-label': 'Time in the clip' });
  const time = h('output', { class: 'clock' }, clock(0));
  const clips = h('select', { 'aria-label': 'Clip' });
  const speed = h('input', { type: 'range', min: 0.1, max: 2, step: 0.1, value: app.speed, 'aria-label': 'Speed' });
  const speed_text = h('output', { class: 'clock' });
  let scrubbing = false;

  line.addEventListener('input', () => {
    scrubbing = true;
    void app.sim.seek(Number(line.value));
  });
  line.addEventListener('change', () => { scrubbing = false; });
  clips.addEventListener('change', () => {
    if (!clips.value.startsWith(borrowed_prefix)) return void app.choose_clip(Number(clips.value));
    app.borrow(clips.value.slice(borrowed_prefix.length)).catch((problem: unknown) => app.complain(problem));
  });
  speed.addEventListener('input', () => app.look(() => { app.speed = Number(speed.value); }));

  const show_time = (seconds: number) => {
    if (!scrubbing) line.value = String(seconds);
    line.style.setProperty('--share', String(app.duration > 0 ? Number(line.value) / app.duration : 0));
    line.setAttribute('aria-valuetext', clock(Number(line.value)));
    time.textContent = clock(Number(line.value));
  };
  app.events.on('character', (info) => {
    const borrowed = new Set(app.borrowed.values());
    const own = info.clips.flatMap((c, i) => (borrowed.has(i) ? [] : [h('option', { value: i }, c.name)]));
    const has_own = (name: string) => info.clips.some((c, i) => c.name === name && !borrowed.has(i));
    const lent = app.hello.bundledMotions.filter((name) => !has_own(name))
      .map((name) => h('option', { value: app.borrowed.get(name) ?? borrowed_prefix + name }, name));
    clips.replaceChildren(...own, h('optgroup', { label: 'Borrowed' }, ...lent));
    clips.value = String(app.clip);
  });
  // Not before the body is drawn: the cursor never runs ahead of it.
  app.events.on('drawn', (frame) => {
    if (!frame) return;
    line.max = String(Math.max(app.duration, 0.001));
    clips.value = String(app.clip);
    show_time(frame.time);
  });
  app.events.on('play', (playing) => {
    play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    play.title = `${playing ? 'Pause' : 'Play'} (space)`;
    play.replaceChildren(icon(playing ? icons.pause : icons.play, !playing));
  });
  const show_view = () => {
    loop.setAttribute('aria-pressed', String(app.loop));
    speed.value = String(app.speed);
    speed.style.setProperty('--share', String((app.speed - 0.1) / 1.9));
    speed_text.textContent = `${app.speed.toFixed(1)}×`;
    speed.setAttribute('aria-valuetext', `${app.speed.toFixed(1)} times`);
  };
  app.events.on('view', show_view);
  show_view();

  return h('div', { class: 'transport', role: 'group', 'aria-label': 'Motion' },
    h('div', { class: 'buttons' }, back, play, step, loop),
    h('div', { class: 'time' }, line, time),
    h('div', { class: 'clip' }, h('div', { class: 'select' }, clips)),
    h('div', { class: 'speed' }, h('span', { class: 'muted' }, 'Speed'), speed, speed_text));
}
