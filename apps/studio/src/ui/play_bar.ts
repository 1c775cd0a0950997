// Buttons over the view, for the curious: no flesh while held, a poke, a shake, a ball.
import type { App } from '../app';
import { icon_button } from './controls';
import { h } from './dom';

export function play_bar(app: App): HTMLElement {
  const off = icon_button('Without flesh, while held', 'bare', () => {}, 'F');
  const hold = (held: boolean) => app.set_flesh_off(held);
  off.addEventListener('pointerdown', (event) => {
    off.setPointerCapture(event.pointerId);
    hold(true);
  });
  for (const name of ['pointerup', 'pointercancel', 'blur']) off.addEventListener(name, () => hold(false));
  off.addEventListener('keydown', (event) => { if (event.key === ' ' || event.key === 'Enter') hold(true); });
  off.addEventListener('keyup', () => hold(false));
  off.addEventListener('contextmenu', (event) => event.preventDefault()); // a long press on a phone
  app.events.on('flesh_off', (is_off) => off.setAttribute('aria-pressed', String(is_off)));

  const poke = icon_button('Poke', 'poke', () => void app.hands.poke(), 'P');
  const shake = icon_button('Shake', 'shake', () => void app.hands.shake(), 'S');
  const ball = icon_button('Throw a ball', 'ball', () => void app.hands.throw_ball(), 'B');
  const phone = icon_button('Shake with this device', 'phone', () => void app.hands.follow_device());
  phone.hidden = !('DeviceMotionEvent' in globalThis) || !matchMedia('(pointer: coarse)').matches;
  const bar = h('div', { class: 'play-bar', role: 'group', 'aria-label': 'Play with the flesh' }, off, poke, shake, ball, phone);
  app.events.on('posing', () => { bar.hidden = app.posing.on; }); // handles have no flesh to play with
  return bar;
}
